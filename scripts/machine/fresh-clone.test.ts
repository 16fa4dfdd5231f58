/** The commands of the README install packages themselves, so nothing that they import at their start may need a package. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, reachedFrom } from '../checks/imports.mjs';

const root = join(import.meta.dirname, '../..');

/** What a program imports before it runs, directly or not, that a fresh clone does not have. */
function packagesNeededBy(program: string): string[] {
  const packages: string[] = [];
  const reached = reachedFrom([join(root, program)], (file) => {
    const names = importsOf(readFileSync(file, 'utf8')).flatMap(({ name, isDynamic }) => (isDynamic ? [] : [name]));
    const foreign = names.filter((name) => !name.startsWith('.') && !name.startsWith('node:'));
    packages.push(...foreign.map((name) => `${file.slice(root.length + 1)} imports ${name}`));
    return names.filter((name) => name.startsWith('.')).map((name) => join(dirname(file), name));
  });
  expect(reached?.size, program).toBeGreaterThan(3);
  return packages;
}

test.each(['start', 'test', 'check', 'dev', 'build'])(
  'npm %s begins in a fresh clone, without any package',
  (command) => {
    expect(packagesNeededBy(`scripts/${command}.mjs`)).toEqual([]);
  },
);
