import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPassed } from './passed.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'passed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const before = { 'a.ts': '1', 'b.md': '1', 'package-lock.json': '1' };
const open = (files: Record<string, string>) => openPassed(folder, new Map(Object.entries(files)));
const isCode = (path: string) => path.endsWith('.ts');

/** Whether a check that passed with the files of `before` counts as passed with other files. */
function counts(files: Record<string, string>, { command = ['tsc'], of = isCode } = {}) {
  const first = open(before);
  first.add(first.keyOf('types', ['tsc'], isCode));
  const later = open(files);
  return later.has(later.keyOf('types', command, of));
}

test('a check that passed counts until one of its files changes', () => {
  expect(counts(before)).toBe(true);
  expect(counts({ ...before, 'b.md': '2' })).toBe(true);
  expect(counts({ ...before, 'a.ts': '2' })).toBe(false);
  expect(counts({ ...before, 'new.ts': '1' })).toBe(false);
  expect(counts({ 'b.md': '1', 'package-lock.json': '1' })).toBe(false);
});

test('a check counts only with the same packages and by the same command', () => {
  expect(counts({ ...before, 'package-lock.json': '2' })).toBe(false);
  expect(counts(before, { command: ['tsc', '--strict'] })).toBe(false);
});

test('without Git no check counts as passed', () => {
  const passed = openPassed(folder, undefined);
  const key = passed.keyOf('types', ['tsc'], isCode);
  passed.add(key);
  expect(passed.has(key)).toBe(false);
});
