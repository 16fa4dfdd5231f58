import { Address } from '@ton/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NodeError } from '../chain/chain-source.ts';
import { FakeChain, type FakeTransfer } from '../testing/fake-chain.ts';
import { FakeNode } from '../testing/fake-node.ts';
import { commentBody, encryptedBody, excessesBody } from '../testing/ton-bodies.ts';
import { TonSource } from './ton-source.ts';
import { tonMemo } from './ton-wallet.ts';

const friendly = (byte: number) => new Address(0, Buffer.alloc(32, byte)).toString({ bounceable: false });
const wallet = friendly(1);
const memo = tonMemo(wallet, { branch: 0, index: 0 });
const master = new Address(0, Buffer.alloc(32, 9)).toRawString();
const fakeMaster = new Address(0, Buffer.alloc(32, 8)).toRawString();

let chain: FakeChain;
let node: FakeNode;
let url: string;
let said: string[];
beforeEach(async () => {
  chain = new FakeChain();
  node = new FakeNode('ton', chain);
  url = await node.open();
  said = [];
});
afterEach(() => node.close());

const source = (more: object = {}) =>
  new TonSource(
    { url },
    { wallet, tokens: [master], isCoinWatched: true, warn: (_fields, what) => said.push(what), ...more },
  );
const send = (more: Partial<FakeTransfer> & { raw: bigint }) => chain.send({ to: `${wallet}/${memo}`, ...more });
const partsOf = async (one: ReturnType<typeof source>, from: number, to: number, wallets: readonly string[] = []) => {
  const ours = { pick: async () => new Set<string>(), wallets: async () => wallets };
  return (await one.scan(ours, { from, to }))?.payments;
};
async function seen(wallets: readonly string[] = []) {
  const { height } = await source().tip();
  return (await partsOf(source(), 0, height, wallets)) ?? [];
}

describe('[SRV-4] a scan of TON', () => {
  test('reports payments in coins and tokens with their memo, block and hash', async () => {
    const coins = send({ raw: 7n });
    const tokens = send({ raw: 8n, contract: master });
    chain.mine();
    const block = { height: chain.height, hash: chain.blockAt(chain.height)?.hash };
    const address = `${wallet}/${memo}`;
    expect(await seen()).toEqual([
      { txid: coins, address, raw: 7n, block },
      { txid: tokens, address, contract: master, raw: 8n, block },
    ]);
    expect(await source().tip()).toMatchObject(block);
    expect(await source().hashAt(chain.height)).toBe(block.hash);
    expect(await source().hashAt(chain.height + 1)).toBeUndefined();
  });

  test('reports each payment of a batch, and a payment on two pages once', async () => {
    for (let count = 0; count < 230; count += 1) send({ raw: 1n });
    chain.mine();
    const found = await seen();
    expect(found).toHaveLength(230);
    expect(new Set(found.map(({ txid }) => txid)).size).toBe(230);
  });

  test('reads a memo with spaces and in small letters, and none in an unreadable comment', async () => {
    const typed = `  ${memo.slice(0, 4)} ${memo.slice(4).toLowerCase()} `;
    send({ raw: 1n, ton: { body: commentBody(typed) } });
    send({ raw: 2n, ton: { body: encryptedBody() } });
    send({ raw: 3n, ton: { body: commentBody(Buffer.from([0xff, 0xff])) } });
    send({ raw: 4n, ton: { body: 'no cells' } });
    chain.mine();
    expect((await seen()).map(({ raw, address }) => [raw, address])).toEqual([
      [1n, `${wallet}/${memo}`],
      [2n, `${wallet}/`],
      [3n, `${wallet}/`],
      [4n, `${wallet}/`],
    ]);
  });

  test.each<[string, Partial<FakeTransfer>]>([
    ['bounced money of ours', { ton: { isBounced: true } }],
    ['a failed transaction that sends its money back', { hasFailed: true }],
    ['nothing', { raw: 0n }],
    ['an order of the owner', { ton: { isExternal: true } }],
    ['what is left of a fee', { ton: { body: excessesBody() } }],
    ['tokens whose transfer failed', { contract: master, hasFailed: true }],
    ['tokens that bounced', { contract: master, ton: { isBounced: true } }],
  ])('%s is no payment', async (_what, more) => {
    send({ raw: 5n, ...more });
    chain.mine();
    expect(await seen()).toEqual([]);
  });

  test('reports a failed transaction that did not bounce, because its money stayed in the wallet', async () => {
    send({ raw: 5n, hasFailed: true, ton: { isBounceable: false } });
    chain.mine();
    expect(await seen()).toMatchObject([{ raw: 5n }]);
  });

  test('reports no tokens of another master contract, and warns once about a message that announces some', async () => {
    send({ raw: 5n, contract: fakeMaster });
    send({ raw: 5n, contract: fakeMaster, ton: { isNotification: true } });
    send({ raw: 6n, contract: master, ton: { isNotification: true } });
    chain.mine();
    const one = source();
    for (let rounds = 0; rounds < 3; rounds += 1) {
      expect(await partsOf(one, 0, chain.height)).toEqual([]);
    }
    // The second message names the right master contract, but comes from a jetton wallet that is not ours.
    expect(said).toEqual(Array(2).fill('a token of another master contract arrived: not credited'));
  });

  test('also reads an earlier wallet whose address payers still have', async () => {
    const old = friendly(2);
    chain.send({ to: `${old}/${memo}`, raw: 5n });
    chain.mine();
    expect(await seen()).toEqual([]);
    expect(await seen([`${old}/${memo}`])).toMatchObject([{ address: `${old}/${memo}`, raw: 5n }]);
  });

  test('reports payments in the requested blocks only, and throws where the node lacks a block', async () => {
    send({ raw: 5n });
    chain.mine(3);
    const { height } = chain;
    expect(await partsOf(source(), height - 1, height)).toEqual([]);
    expect(await partsOf(source(), height - 2, height)).toMatchObject([{ raw: 5n }]);
    await expect(partsOf(source(), height, height + 1)).rejects.toThrow(NodeError);
    node.mood = 'nonsense';
    await expect(source().tip()).rejects.toThrow(NodeError);
  });
});
