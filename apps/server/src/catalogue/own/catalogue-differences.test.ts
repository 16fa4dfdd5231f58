import { expect, test } from 'vitest';
import { catalogueDifferences, differenceLine } from './catalogue-differences.ts';

const codes = Array.from({ length: 60 }, (_, at) => `C${at}`);
const lines = (before: object, after: object): string[] => catalogueDifferences(before, after).map(differenceLine);

test('a short change is shown with what was and what will be', () => {
  expect(lines({ a: { max: '5' }, b: ['IN'] }, { a: { max: '8' }, b: ['IN', 'DE'], c: 1 })).toEqual([
    '~ a.max: 5 -> 8',
    '~ b: ["IN"] -> ["IN","DE"]',
    '+ c: 1',
  ]);
});

test('of long lists the names are shown that were added and removed', () => {
  const without7 = codes.filter((code) => code !== 'C7');
  expect(lines({ countries: codes }, { countries: without7 })).toEqual(['~ countries: removed C7']);
  expect(lines({ countries: without7 }, { countries: [...codes, 'NZ'] })).toEqual(['~ countries: added C7, NZ']);
  expect(lines({ countries: codes }, { countries: [...without7, 'NZ'] })).toEqual([
    '~ countries: added NZ; removed C7',
  ]);
});

test('another order of a long list is a change, too', () => {
  const [line = ''] = lines({ countries: codes }, { countries: codes.toReversed() });
  expect(line).toMatch(/^~ countries: \["C0",.*… -> \["C59",.*…$/);
});
