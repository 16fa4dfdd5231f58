/** The marks of the shipped wallets: one of its own for each brand. That each is drawn is proved where drawings are made. */
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

describe('[NET-7] the mark of a method', () => {
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
});
