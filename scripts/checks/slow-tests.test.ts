import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../machine/paths.mjs';
import { slowTests } from './slow-tests.mjs';

test('every slow test exists, so that the list leaves out what it names', () => {
  expect(slowTests.filter((path) => !/\.test\.tsx?$/.test(path) || !existsSync(join(root, path)))).toEqual([]);
});
