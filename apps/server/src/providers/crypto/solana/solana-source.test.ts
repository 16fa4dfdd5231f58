import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Block, NodeError, type OurAddresses } from '../chain/chain-source.ts';
import { FakeChain } from '../testing/fake-chain.ts';
import { FakeNode } from '../testing/fake-node.ts';
import { receivedAmount } from './received-amount.ts';
import { tokenAccountOf } from './solana-address.ts';
import type { SolanaTransaction } from './solana-rpc.ts';
import { SolanaSource } from './solana-source.ts';

const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const usdt = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
const genesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const walletOf = (seed: number): string => base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(seed)));
const [ann, bob] = [walletOf(1), walletOf(2)];

let chain: FakeChain;
let node: FakeNode;
let source: SolanaSource;
let warnings: string[];
let stored: Block | undefined;
let watched: { address: string; contract: string }[];
beforeEach(async () => {
  chain = new FakeChain();
  node = new FakeNode('solana', chain);
  warnings = [];
  stored = undefined;
  watched = [
    { address: ann, contract: usdc },
    { address: bob, contract: '' },
  ];
  source = new SolanaSource(
    { url: await node.open() },
    { tokens: [usdc, usdt], isCoinWatched: true, genesis, warn: (_fields, message) => warnings.push(message) },
  );
});
afterEach(() => node.close());

test('[SRV-1] balances are those of final blocks, and an account that nobody has paid has 0', async () => {
  send(ann, 7n, usdc);
  send(bob, 5n);
  chain.take(bob, 2n);
  const { height } = await source.tip();
  const places = [
    { address: ann, contract: usdc },
    { address: bob, contract: '' },
    { address: bob, contract: usdt },
  ];
  expect(await source.balances(places, height)).toEqual({ raws: [7n, 3n, 0n], first: height, last: height });
});

const ours: Pick<OurAddresses, 'watched'> = {
  watched: async (after, most) =>
    [...watched]
      .sort((one, other) => (one.address < other.address ? -1 : 1))
      .filter(({ address }) => address > after)
      .slice(0, most),
};
async function scan() {
  const tip = await source.tip();
  const found = await source.scan(ours, { from: tip.height, to: tip.height, after: stored });
  expect(found.last).toEqual({ height: tip.height, hash: tip.hash });
  stored = found.last;
  return found.payments;
}
const send = (to: string, raw: bigint, contract?: string, more: object = {}) => {
  const txid = chain.send({ to, raw, ...(contract !== undefined && { contract }), ...more });
  chain.mine();
  return txid;
};

describe('[SRV-4] a scan of balances on Solana', () => {
  test('finds each payment once, in the token or coin of its address, with the final block that holds it', async () => {
    expect(await scan()).toEqual([]);
    const first = send(ann, 5_000_000n, usdc);
    send(bob, 7n);
    const found = await scan();
    expect(found).toContainEqual({
      txid: first,
      address: ann,
      contract: usdc,
      raw: 5_000_000n,
      block: { height: 101, hash: chain.blockAt(101)?.hash },
    });
    expect(found).toHaveLength(2);
    expect(await scan()).toEqual([]);
    send(ann, 1n, usdc);
    expect(await scan()).toMatchObject([{ raw: 1n }]);
  });

  test('reads no transaction of addresses whose balance stays the same', async () => {
    watched = Array.from({ length: 200 }, (_, at) => ({ address: walletOf(at % 250), contract: usdc }));
    await scan();
    const before = node.questions.length;
    await scan();
    expect(node.questions.slice(before).filter((asked) => asked.includes('getMultipleAccounts'))).toHaveLength(1);
    expect(node.questions.slice(before).join()).not.toMatch(/getTransaction|getSignatures/);
  });

  test('counts no failed transaction, no other token, and no money that leaves', async () => {
    send(ann, 5n, usdc, { hasFailed: true });
    send(ann, 5n, usdt);
    send(ann, 5n);
    expect(await scan()).toEqual([]);
    send(ann, 9n, usdc);
    send(ann, -9n, usdc);
    // The balance is the same as before, but the account exists now, so its transactions are read.
    expect(await scan()).toMatchObject([{ raw: 9n }]);
  });

  test('reads a payment whose transaction the node does not have yet in a later scan, and others meanwhile', async () => {
    send(ann, 5n, usdc);
    node.solana.transactionsUpTo = 100;
    expect(await scan()).toEqual([]);
    expect(warnings).toHaveLength(1);
    node.solana.transactionsUpTo = 1000;
    expect(await scan()).toMatchObject([{ raw: 5n }]);
  });

  test('an account that can never be read does not keep others from being read', async () => {
    send(ann, 5n, usdc);
    node.solana.prunedTo = chain.height + 1;
    await scan();
    for (let seed = 3; seed < 8; seed += 1) {
      const address = walletOf(seed);
      watched.push({ address, contract: usdc });
      send(address, BigInt(seed), usdc);
    }
    const found = [...(await scan()), ...(await scan())];
    expect(found.map(({ raw }) => raw).sort()).toEqual([3n, 4n, 5n, 6n, 7n]);
    expect(warnings.length).toBeGreaterThanOrEqual(2);
  });

  test('thousands of tiny payments to one address are read a part at a time, and none is left out', async () => {
    for (let count = 0; count < 130; count += 1) chain.send({ to: ann, raw: 1n, contract: usdc });
    chain.mine();
    const found = [await scan(), await scan(), await scan(), await scan()];
    expect(found.map(({ length }) => length)).toEqual([50, 50, 30, 0]);
    expect(new Set(found.flat().map(({ txid }) => txid)).size).toBe(130);
  });

  test('payments that could not be stored are found again, and no more once they are stored', async () => {
    await scan();
    const before = stored;
    const txid = send(ann, 5n, usdc);
    expect(await scan()).toMatchObject([{ txid }]);
    // The database did not answer, so the progress is that of the scan before.
    stored = before;
    send(bob, 7n);
    expect(await scan()).toMatchObject([{ txid }, { raw: 7n }]);
    expect(await scan()).toEqual([]);
  });

  test('a payment in a block that became final during the scan is found by the next one', async () => {
    const tip = await source.tip();
    send(ann, 5n, usdc);
    expect(await source.scan(ours, { from: tip.height, to: tip.height })).toMatchObject({ payments: [] });
    expect(warnings).toEqual([]);
    expect(await scan()).toMatchObject([{ raw: 5n }]);
  });

  test('an answer without a part of the accounts, or nonsense, is no empty answer', async () => {
    node.mood = 'nonsense';
    await expect(source.tip()).rejects.toThrow(NodeError);
    node.mood = 'down';
    await expect(scan()).rejects.toThrow(NodeError);
  });

  test('a node of a test network is foreign', async () => {
    node.solana.genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
    expect(await source.tip()).toMatchObject({ isForeign: true });
  });

  test('a second node confirms only the same amount of the same transaction in the same block', async () => {
    const txid = send(ann, 5n, usdc);
    const block = { height: 101, hash: chain.blockAt(101)?.hash ?? '' };
    const payment = { txid, address: ann, contract: usdc, raw: 5n, block };
    expect(await source.holds(payment)).toBe(true);
    expect(await source.holds({ ...payment, raw: 6n })).toBe(false);
    expect(await source.holds({ ...payment, contract: usdt })).toBe(false);
    expect(await source.holds({ ...payment, block: { ...block, height: 100 } })).toBe(false);
    expect(await source.holds({ ...payment, block: { ...block, hash: 'x' } })).toBe(false);
    node.solana.transactionsUpTo = 100;
    await expect(source.holds(payment)).rejects.toThrow(NodeError);
  });

  test('an address is used once it was paid in any watched coin, also after it was emptied', async () => {
    expect(await source.isUsed(ann)).toBe(false);
    send(ann, 5n, usdt);
    expect(await source.isUsed(ann)).toBe(true);
    expect(await source.isUsed(bob)).toBe(false);
  });
});

describe('[SRV-4] the amount that a transaction brings', () => {
  const account = tokenAccountOf(ann, usdc);
  const paid = { address: ann, contract: usdc, account };
  const amount = fc.bigInt({ min: 0n, max: 2n ** 63n });
  const transactionOf = (before: bigint, after: bigint, change: object = {}): SolanaTransaction => {
    const balance = (tokens: bigint) => [
      { accountIndex: 1, mint: usdc, owner: ann, uiTokenAmount: { amount: String(tokens) }, ...change },
    ];
    return {
      slot: 1,
      meta: {
        err: null,
        preBalances: [9, 9],
        postBalances: [9, 9],
        preTokenBalances: balance(before),
        postTokenBalances: balance(after),
      },
      transaction: { message: { accountKeys: [{ pubkey: bob }, { pubkey: account }] } },
    };
  };

  test('is the rise of the balance, and never negative, whatever the instructions say', () => {
    fc.assert(
      fc.property(amount, amount, (before, after) => {
        const rise = after > before ? after - before : 0n;
        expect(receivedAmount(transactionOf(before, after), paid)).toBe(rise);
      }),
    );
  });

  test.each([
    ['a failed transaction', { ...transactionOf(0n, 5n), meta: { ...transactionOf(0n, 5n).meta, err: {} } }],
    ['another mint', transactionOf(0n, 5n, { mint: usdt })],
    ['another owner of the account', transactionOf(0n, 5n, { owner: bob })],
    ['another account', transactionOf(0n, 5n, { accountIndex: 0 })],
  ])('is nothing in %s', (_what, transaction) => {
    expect(receivedAmount(transaction, paid)).toBe(0n);
  });
});
