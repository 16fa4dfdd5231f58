import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** A text as the author of an entry, such as `by: 'the-cashier'` or `const staff = 'robot'`. */
const AUTHOR = /\b(?:by|staff|decidedBy|proposedBy)\s*(?:=|:)\s*'[^']*'/;

test('[SRV-1] the server signs no entry with a name that people could use, because all such names are in the contract', () => {
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$|testing\//.test(file),
  );
  expect(sources.length).toBeGreaterThan(500);
  const signed = sources.filter((file) => AUTHOR.test(readFileSync(join(root, file), 'utf8')));
  // The names of options of the command line.
  expect(signed).toEqual(['cli/listing.ts']);
  expect(AUTHOR.test(`const by = 'sandbox-bank';`)).toBe(true);
});
