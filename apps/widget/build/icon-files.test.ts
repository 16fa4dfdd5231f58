import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CURRENCIES } from '@opencashier/core/money/currencies';
import { expect, test } from 'vitest';
import { iconDrawings } from './icon-files.ts';

const catalogue = join(import.meta.dirname, '../../server/src/catalogue/data/methods');
const drawings = iconDrawings(CURRENCIES);

/** What a drawing may weigh, in bytes: some lists show eight at once. */
const heaviest = 1000;

function shippedIconIds(): string[] {
  const files = readdirSync(catalogue, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  return files.flatMap((file) => {
    const methods = JSON.parse(readFileSync(join(catalogue, file), 'utf8')) as { iconIds: string[] }[];
    return methods.flatMap(({ iconIds }) => iconIds);
  });
}

test('[NET-7] every icon id of the shipped catalogue and every currency has a drawing', () => {
  const ids = [...new Set(shippedIconIds())];
  expect(ids.length).toBeGreaterThan(10);
  expect(ids.filter((id) => !drawings.has(id.toLowerCase()))).toEqual([]);
  expect(CURRENCIES.filter(({ code }) => !drawings.has(code.toLowerCase()))).toEqual([]);
});

test('a drawing is small, of the size of its tile, and runs and fetches nothing', () => {
  for (const [id, drawing] of drawings) {
    expect(drawing.length, id).toBeLessThan(heaviest);
    expect(drawing, id).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 40 28">.*<\/svg>$/);
    expect(drawing, id).not.toMatch(/<(?:script|style|image|use|foreignObject)\b|href|url\(|\son\w+=/i);
  }
});
