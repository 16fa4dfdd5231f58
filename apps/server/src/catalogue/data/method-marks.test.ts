/** Each wallet brand has its own icon. Another test proves that the icon can be drawn. */
import { describe, expect, test } from 'vitest';
import { bundledFiles } from '../bundled-files.ts';

interface Entry {
  readonly name: string;
  readonly text: { readonly en: string };
  readonly iconIds: readonly string[];
}

const wallets = (['methods/wallets.json', 'methods/withdrawals/wallets.json'] as const).flatMap(
  (file) => bundledFiles.methods[file] as readonly Entry[],
);

describe('[NET-7] the icon of a method', () => {
  test('is not shared by two wallet brands', () => {
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
});
