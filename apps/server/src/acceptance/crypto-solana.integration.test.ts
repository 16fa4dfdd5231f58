/** Deposits on Solana, to addresses that the operator has prepared. */
import { randomBytes, randomUUID } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { systemClock } from '@opencashier/core/time/clock';
import { base58 } from '@scure/base';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { FakeNode } from '../providers/crypto/testing/fake-node.ts';
import type { DepositReport, Provider } from '../providers/provider.ts';
import { CoinBench } from './coins.fixture.ts';

const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
let database: Database;
withPayments((made) => {
  ({ database } = made);
});

const newWallet = (): string => base58.encode(ed25519.getPublicKey(randomBytes(32)));

describe('[SRV-4] [CRY-1] deposits of USDC on Solana', () => {
  let coins: CoinBench;
  let provider: Provider;
  let told: DepositReport[];
  let prepared: string[];

  beforeEach(async () => {
    coins = new CoinBench(
      { key: 'solana', family: 'solana', coin: 'USDC', contract: usdc },
      { database, clock: systemClock },
    );
    told = [];
    prepared = Array.from({ length: 5 }, newWallet);
    await coins.open({ account: '', addresses: prepared, questionsPerSecond: 1000 });
    provider = coins.start();
  });
  afterEach(() => coins.close());

  async function look(): Promise<void> {
    await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
    await provider.watch?.round(async (report) => told.push(report));
  }
  async function mine(count = 1): Promise<void> {
    coins.chain.mine(count);
    await look();
  }
  const paid = () => told.filter(({ outcome }) => outcome === 'paid');
  const addressOf = async (depositId: string = randomUUID()) => (await coins.addressFrom(provider, depositId)) ?? '';

  test('each deposit gets the next prepared address, the same again for the same deposit, and none is left at the end', async () => {
    const depositId = randomUUID();
    const first = await addressOf(depositId);
    expect(await addressOf(depositId)).toBe(first);
    const others = [await addressOf(), await addressOf(), await addressOf(), await addressOf()];
    expect([first, ...others]).toEqual(prepared);
    expect(await coins.addressFrom(provider)).toBeUndefined();
    // The operator adds addresses at the end, and restarts.
    const [chain] = Object.values(coins.settings.chains);
    const more = newWallet();
    if (chain !== undefined) coins.settings = { chains: { solana: { ...chain, addresses: [...prepared, more] } } };
    provider = coins.start();
    expect(await addressOf()).toBe(more);
  });

  test('two processes at once never give out one address twice', async () => {
    const other = coins.start();
    const given = await Promise.all([
      ...[1, 2].map(() => coins.addressFrom(provider)),
      ...[1, 2].map(() => coins.addressFrom(other)),
    ]);
    expect(new Set(given).size).toBe(4);
  });

  test('a payment is credited once with the amount that came, at once when it is final', async () => {
    const address = await addressOf();
    coins.send(address, 5_250_000n);
    await mine();
    expect(paid()).toMatchObject([
      {
        paidMinor: 525_000_000n,
        currency: 'USDC',
        chain: { blockchain: 'Solana', confirmations: 1, requiredConfirmations: 1 },
      },
    ]);
    await mine(20);
    provider = coins.start();
    await mine(20);
    expect(paid()).toHaveLength(1);
  });

  test('two payments to one address, also in one block, are two credits', async () => {
    const address = await addressOf();
    coins.send(address, 1_000_000n);
    coins.send(address, 2_000_000n);
    await mine();
    coins.send(address, 3_000_000n);
    await mine();
    expect(
      paid()
        .map(({ paidMinor }) => paidMinor)
        .sort(),
    ).toEqual([100_000_000n, 200_000_000n, 300_000_000n]);
    expect(new Set(paid().map(({ eventId }) => eventId)).size).toBe(3);
  });

  test('a payment while the cashier was down is found at its next round', async () => {
    const address = await addressOf();
    await mine();
    coins.node.mood = 'down';
    coins.send(address);
    await mine(1000);
    expect(paid()).toEqual([]);
    coins.node.mood = 'well';
    await look();
    expect(paid()).toHaveLength(1);
  });

  test('a node that lags behind, or lacks the transaction, credits nobody until it has it', async () => {
    const address = await addressOf();
    coins.node.solana.transactionsUpTo = coins.chain.height;
    coins.send(address);
    await mine();
    await mine();
    expect(told).toEqual([]);
    coins.node.solana.transactionsUpTo = Number.POSITIVE_INFINITY;
    await mine();
    expect(paid()).toHaveLength(1);
  });

  test('a node that has deleted its old blocks takes no credit back', async () => {
    coins.send(await addressOf());
    await mine();
    coins.node.solana.prunedTo = coins.chain.height + 5;
    for (let count = 0; count < 10; count += 1) await mine();
    expect(told.map(({ outcome }) => outcome)).toEqual(['paid']);
  });

  test('coins on a node of a test network are not money', async () => {
    coins.node.solana.genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
    coins.send(await addressOf());
    await mine();
    expect(told).toEqual([]);
  });

  test('while a second node lacks the payment, or says another amount, nothing is credited', async () => {
    const other = coins.chain.copy({ isEmpty: true });
    const second = new FakeNode('solana', other);
    const [chain] = Object.values(coins.settings.chains);
    const nodes = [...(chain?.nodes ?? []), { url: await second.open(), headers: {} }];
    if (chain !== undefined) coins.settings = { chains: { solana: { ...chain, nodes } } };
    provider = coins.start();
    const address = await addressOf();
    const txid = coins.chain.send({ to: address, raw: 5n * 10n ** 6n, contract: usdc });
    await mine();
    other.send({ txid, to: address, raw: 1n, contract: usdc });
    other.mine();
    await mine();
    expect(paid()).toEqual([]);
    await second.close();
  });

  test('[SRV-2] a database that has gone back behind the chain stops the start, and acknowledged addresses are passed over', async () => {
    const [first = '', second = ''] = prepared;
    await addressOf();
    coins.chain.send({ to: second, raw: 5n, contract: usdc });
    coins.chain.mine();
    const restarted = coins.start();
    await expect(restarted.beforeStart?.()).rejects.toThrow(second);
    await database.query({ text: 'update crypto_series set acknowledged_to = 2 where branch = 0' });
    const again = coins.start();
    await again.beforeStart?.();
    expect(await coins.addressFrom(again)).toBe(prepared[2]);
    expect(first).not.toBe('');
  });
});
