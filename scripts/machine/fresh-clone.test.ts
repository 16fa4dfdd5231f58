/** The commands of the README install packages themselves, so nothing that they import at their start may need a package. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** What a program imports before it runs, directly or not, that a fresh clone does not have. */
function packagesNeededBy(program: string): string[] {
  const seen = new Set<string>();
  const packages: string[] = [];
  const follow = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s[^;]*?\sfrom '([^']+)'/gm);
    for (const [, name = ''] of imports) {
      if (name.startsWith('.')) follow(join(dirname(file), name));
      else if (!name.startsWith('node:')) packages.push(`${file.slice(root.length + 1)} imports ${name}`);
    }
  };
  follow(join(root, program));
  expect(seen.size, program).toBeGreaterThan(3);
  return packages;
}

test.each(['start', 'test', 'check', 'dev', 'build'])(
  'npm %s begins in a fresh clone, without any package',
  (command) => {
    expect(packagesNeededBy(`scripts/${command}.mjs`)).toEqual([]);
  },
);
