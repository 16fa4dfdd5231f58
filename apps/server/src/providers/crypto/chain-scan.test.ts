import { expect, test } from 'vitest';
import type { ChainSource, ScanRange } from './chain/chain-source.ts';
import { scanNext } from './chain-scan.ts';

const tip = { height: 1_000_000, hash: 'tip' };
const ours = { pick: async () => new Set<string>(), wallets: async () => [], watched: async () => [] };

/** The first block of the first scan. */
async function firstBlock(intervalMs: number, openedForS: number): Promise<number | undefined> {
  const ranges: ScanRange[] = [];
  const source: ChainSource = {
    tip: async () => tip,
    mostBlocks: 20,
    looksBack: 0,
    hashAt: async () => undefined,
    holds: async () => false,
    async scan(_ours, range) {
      ranges.push(range);
      return undefined;
    },
  };
  const hashAt = async () => undefined;
  await scanNext({ sources: [source], required: 1, intervalMs }, tip, undefined, openedForS, { hashAt, ours });
  return ranges[0]?.from;
}

test('[CRY-1] the first scan goes back to the first address, also when the node was down for hours since', async () => {
  const hours = 6 * 3600;
  for (const intervalMs of [450, 12_000, 600_000]) {
    const blocks = Math.ceil((hours * 1000) / intervalMs);
    const from = await firstBlock(intervalMs, hours);
    expect(from, `${intervalMs}`).toBeLessThanOrEqual(tip.height - blocks);
  }
});

test('[CRY-1] the first scan goes back at most a day, the lifetime of an address, or fifty blocks', async () => {
  const week = 7 * 24 * 3600;
  expect(await firstBlock(12_000, week)).toBe(tip.height - 7200 + 1);
  expect(await firstBlock(3_600_000, week)).toBe(tip.height - 50 + 1);
});
