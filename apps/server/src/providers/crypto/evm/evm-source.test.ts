import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeError, type OurAddresses } from '../chain/chain-source.ts';
import { withChecksum } from '../chain/receiving-address.ts';
import { FakeChain } from '../testing/fake-chain.ts';
import { FakeNode } from '../testing/fake-node.ts';
import { createEvmSource } from './evm-source.ts';

const token = withChecksum('55d398326f99059ff775485246999027b3197955');
const ann = withChecksum('aa'.repeat(20));
const bob = withChecksum('bb'.repeat(20));
const ours: OurAddresses = {
  pick: async (asked) => new Set(asked.filter((one) => one === ann)),
  wallets: async () => [],
  watched: async () => [],
};

let chain: FakeChain;
let node: FakeNode;
let url: string;
beforeEach(async () => {
  chain = new FakeChain();
  node = new FakeNode('evm', chain);
  url = await node.open();
  // Nine blocks. The third, sixth and ninth pay us in tokens and in coins.
  for (let block = 1; block <= 9; block += 1) {
    chain.send({ to: block % 3 === 0 ? ann : bob, raw: BigInt(block), contract: token });
    chain.send({ to: block % 3 === 0 ? ann : bob, raw: BigInt(block) });
    chain.mine();
  }
  chain.mine();
});
afterEach(() => node.close());

const sourceOf = (isCoinWatched = true) => createEvmSource({ url }, { tokens: [token], isCoinWatched });
const range = { from: 101, to: 110 };
const raws = [3n, 6n, 9n];

test('[SRV-1] balances are those at the asked block, and a silent node has none', async () => {
  const places = [
    { address: ann, contract: token },
    { address: ann, contract: '' },
    { address: withChecksum('cc'.repeat(20)), contract: '' },
  ];
  const before = chain.height;
  chain.send({ to: ann, raw: 100n });
  chain.mine();
  expect(await sourceOf().balances?.(places, before)).toEqual({ raws: [18n, 18n, 0n], first: before, last: before });
  node.mood = 'down';
  await expect(sourceOf().balances?.(places, before)).rejects.toThrow(NodeError);
});

describe('[SRV-4] a scan of several blocks', () => {
  test('asks in batches of at most ten calls where the node takes batches', async () => {
    const scan = await sourceOf(false).scan(ours, range);
    expect(scan?.payments.map(({ raw, block }) => [raw, block?.height])).toEqual([
      [3n, 103],
      [6n, 106],
      [9n, 109],
    ]);
    expect(scan?.last).toEqual({ height: 110, hash: `0x${chain.blockAt(110)?.hash}` });
    expect(node.asked).toBe(2);
  });

  test.each<[string, () => void]>([
    ['that takes no batches', () => (node.batches = 'refused')],
    ['that answers for events of one block only', () => (node.mostLogBlocks = 1)],
    ['that answers for events of four blocks at most', () => (node.mostLogBlocks = 4)],
  ])(
    'finds the same payments at a node %s, and soon sends no request that the node refuses',
    async (_which, change) => {
      change();
      const source = sourceOf();
      const found = await source.scan(ours, range);
      expect(found?.payments.map(({ raw }) => raw)).toEqual(raws.flatMap((raw) => [raw, raw]));
      const first = node.refused;
      for (let turn = 0; turn < 4; turn += 1) await source.scan(ours, range);
      const late = node.refused;
      await source.scan(ours, range);
      expect(node.refused - late).toBe(0);
      expect(first).toBeLessThanOrEqual(6);
    },
  );

  test('throws where the node lacks the events of a block that has some', async () => {
    node.logsUpTo = 108;
    await expect(sourceOf().scan(ours, range)).rejects.toThrow(NodeError);
    node.logsUpTo = 110;
    expect((await sourceOf().scan(ours, range))?.payments).toHaveLength(6);
  });

  test('throws where the events are in other blocks than those that were read', async () => {
    const other = chain.copy();
    other.fork(4, 'again');
    node.logsOf = other;
    await expect(sourceOf().scan(ours, range)).rejects.toThrow(NodeError);
  });

  test('answers undefined when the chain no longer has the block before', async () => {
    const after = { height: 100, hash: `0x${chain.blockAt(100)?.hash}` };
    expect(await sourceOf().scan(ours, { ...range, after })).toBeDefined();
    expect(await sourceOf().scan(ours, { ...range, after: { ...after, hash: `0x${'0'.repeat(64)}` } })).toBeUndefined();
  });

  test('does not ask for the events of blocks whose filter says that they have none', async () => {
    chain.mine(9);
    await sourceOf(false).scan(ours, { from: 111, to: 119 });
    expect(node.asked).toBe(1);
  });
});

test.each([null, undefined, '0x', `0x${'0'.repeat(512)}`])(
  '[SRV-4] every payment is found at a node whose block filter is %s',
  async (logsBloom) => {
    node.logsBloom = () => logsBloom;
    node.mostLogBlocks = 1;
    const source = sourceOf(false);
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await source.scan(ours, range))?.payments.map(({ raw }) => raw)).toEqual(raws);
    }
  },
);

test('[SRV-4] whether an address was used costs one request, whatever it may hold', async () => {
  const source = sourceOf();
  expect([await source.isUsed?.(ann), await source.isUsed?.(withChecksum('cc'.repeat(20)))]).toEqual([true, false]);
  expect(node.asked).toBe(2);
});
