import { expect, test } from 'vitest';
import { findCircle } from './no-chunk-cycles.ts';

const graph = (imports: Record<string, string[]>) => new Map(Object.entries(imports));

test('files that import each other in a circle are found, by whichever way', () => {
  expect(findCircle(graph({ a: ['b'], b: ['c'], c: ['b'] }))).toEqual(['b', 'c', 'b']);
  expect(findCircle(graph({ a: ['a'] }))).toEqual(['a', 'a']);
});

test('a file that many import is no circle', () => {
  expect(findCircle(graph({ a: ['b', 'c'], b: ['d'], c: ['d', 'elsewhere'], d: [] }))).toBeUndefined();
});
