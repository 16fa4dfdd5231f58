/** The marks of the shipped methods: a drawing for each, and one of its own for each brand. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bundledFiles } from './bundled-files.ts';

interface Entry {
  readonly name: string;
  readonly text: { readonly en: string };
  readonly iconIds: readonly string[];
}

const icons = new URL('../../../widget/icons/', import.meta.url);
const methods = Object.values(bundledFiles.methods).flatMap((file) => file as readonly Entry[]);
const wallets = (['methods/wallets.json', 'methods/withdrawals/wallets.json'] as const).flatMap(
  (file) => bundledFiles.methods[file] as readonly Entry[],
);

describe('[NET-7] the mark of a method', () => {
  test('is drawn', () => {
    const missing = methods.flatMap(({ iconIds }) => iconIds).filter((id) => !existsSync(new URL(`${id}.svg`, icons)));
    expect([...new Set(missing)]).toEqual([]);
  });

  test('is shared by no two brands of wallets', () => {
    const brandOf = ({ name }: Entry) =>
      name
        .replace(/^yamoney/, 'yoomoney')
        .replace(/_(?:withdrawal|p2p|h2h|rub|usd|uz|wallet|upi)$/, '')
        .split('_')[0];
    const brands = new Map<string, Set<string | undefined>>();
    for (const entry of wallets) {
      const mark = entry.iconIds[0] ?? '';
      brands.set(mark, (brands.get(mark) ?? new Set()).add(brandOf(entry)));
    }
    expect([...brands].filter(([, names]) => names.size > 1)).toEqual([]);
  });

  test('is a drawing unlike any other', () => {
    const drawings = readdirSync(icons).map((file) => readFileSync(new URL(file, icons), 'utf8'));
    expect(new Set(drawings).size).toBe(drawings.length);
    for (const drawing of drawings) expect(drawing).not.toMatch(/<text|<image|href/);
  });
});
