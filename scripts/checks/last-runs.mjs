/** Remembers how long each test file took here, and whether it failed. Vitest does so too, but counts a file that was cut as a short one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * @param {string} folder
 * @returns {{ of: (test: string) => { seconds: number, failed: boolean } | undefined,
 *   add: (runs: readonly { test: string, seconds: number, failed: boolean }[], tests: ReadonlySet<string>) => void }} `add` forgets all
 *   but `tests`
 */
export function openLastRuns(folder) {
  const file = join(folder, 'last-runs.json');
  const runs = new Map(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
  return {
    of: (test) => runs.get(test),
    add(newer, tests) {
      for (const { test, ...run } of newer) runs.set(test, run);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify([...runs].filter(([test]) => tests.has(test))));
    },
  };
}
