/**
 * What the watch costs: 10,000 waiting addresses of each family of chains, counted at the node, by a clock of the test's own. Between two
 * questions the clock moves on only when nothing is under way, so that the count is of the watch and not of this machine.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { HDKey } from '@scure/bip32';
import { Address } from '@ton/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from './database/database.ts';
import { silentLogger } from './database/test-database.ts';
import { withPayments } from './payments/with-payments.fixture.ts';
import { createCryptoProvider } from './providers/crypto/crypto.ts';
import { FakeChain } from './providers/crypto/testing/fake-chain.ts';
import { FakeNode, type Family } from './providers/crypto/testing/fake-node.ts';
import { destinationOf } from './providers/crypto/ton-wallet.ts';
import type { Provider, ProviderEvidence } from './providers/provider.ts';

const WAITING = 10_000;
const REQUIRED = 3;

interface Kind {
  readonly key: string;
  readonly family: Family;
  readonly coin: string;
  readonly contract?: string;
  readonly blockS: number;
  /** Blocks that the test lasts. */
  readonly blocks: number;
  /** Transactions of strangers in each block. */
  readonly crowd: number;
}
const kinds: readonly Kind[] = [
  {
    key: 'tron',
    family: 'tron',
    coin: 'USDT',
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    blockS: 3,
    blocks: 25,
    crowd: 50,
  },
  { key: 'ethereum', family: 'evm', coin: 'ETH', blockS: 12, blocks: 10, crowd: 50 },
  {
    key: 'bsc',
    family: 'evm',
    coin: 'USDT',
    contract: '0x55d398326f99059fF775485246999027B3197955',
    blockS: 2,
    blocks: 30,
    crowd: 50,
  },
  { key: 'bitcoin', family: 'esplora', coin: 'BTC', blockS: 600, blocks: 4, crowd: 1000 },
  { key: 'ton', family: 'ton', coin: 'TON', blockS: 2, blocks: 30, crowd: 0 },
];

let database: Database;
withPayments((made) => {
  ({ database } = made);
});

describe.each(kinds)('[SRV-4] watching $key', ({ key, family, coin, contract, blockS, blocks, crowd }) => {
  let chain: FakeChain;
  let node: FakeNode;
  let clock: TestClock;
  let provider: Provider;
  let strangers: readonly string[];
  const told: { readonly evidence: ProviderEvidence; readonly height: number }[] = [];

  beforeEach(async () => {
    chain = new FakeChain();
    node = new FakeNode(family, chain);
    clock = createTestClock(Date.now());
    told.length = 0;
    const account =
      family === 'ton'
        ? new Address(0, randomBytes(32)).toString({ bounceable: false })
        : HDKey.fromMasterSeed(randomBytes(32)).derive("m/84'/0'/0'").publicExtendedKey;
    const settings = {
      nodes: [{ url: await node.open(), headers: {} }],
      account,
      tokens: contract === undefined ? {} : { [coin]: { contract, decimals: 6 } },
      isCoinWatched: contract === undefined,
      confirmations: REQUIRED,
    };
    provider = createCryptoProvider({ database, clock, log: silentLogger, settings: { chains: { [key]: settings } } });
    strangers = [await addressOf(randomUUID()), await addressOf(randomUUID())];
    await database.query({ text: 'delete from crypto_address' });
  }, 30_000);
  afterEach(async () => {
    await node.close();
    for (const table of ['crypto_output', 'crypto_address', 'crypto_series', 'crypto_chain']) {
      await database.query({ text: `delete from ${table}` });
    }
  });

  async function addressOf(depositId: string): Promise<string> {
    const created = await provider.create({
      depositId,
      paymentMethod: 'coin',
      amountMinor: 1000n,
      currency: coin,
      country: 'DE',
      fields: {},
      providerOptions: { network: key },
      returnUrl: 'https://operator.example',
      language: 'en',
      signal: new AbortController().signal,
    });
    const { depositAddress: address = '', depositMemo: memo } = (created.kind === 'created' && created.data) || {};
    return memo === undefined ? address : destinationOf(address, memo);
  }

  /** Addresses that nobody ever pays: in the database they are like any other. */
  async function crowdWaits(): Promise<void> {
    await database.query({
      text: `insert into crypto_address
          (chain, address, deposit_id, account, branch, index, coin, contract, watched_until, look_at)
        select chain, $3 || n, gen_random_uuid(), account, 1, n, $2, $4,
          now() + interval '31 days', now()
        from crypto_chain, generate_series(1, ${WAITING}) as n where chain = $1`,
      values: [key, coin, family === 'ton' ? (strangers[0] ?? '') : 'waiting', contract ?? ''],
    });
  }

  /** Lets one round come to its end; the clock moves only while nothing else can. */
  async function round(): Promise<void> {
    let isOver = false;
    const work = provider.watch?.round(async (evidence) => {
      told.push({ evidence, height: chain.height });
    });
    const over = work?.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (node.underWay === 0 && clock.pending() > 0) await pass(100);
    }
    await over;
  }

  let passedMs = 0;
  let agedMs = 0;
  let counts: { readonly at: number; readonly asked: number }[] = [];
  let leasedMs = 0;
  /** Moves the test's clock and what the database holds of time; a block comes when it is due. */
  async function pass(ms: number): Promise<void> {
    const before = Math.floor(passedMs / (blockS * 1000));
    passedMs += ms;
    for (let due = Math.floor(passedMs / (blockS * 1000)) - before; due > 0; due -= 1) mine();
    clock.advance(ms);
    counts.push({ at: clock.now(), asked: node.asked });
    leasedMs += ms;
    if (leasedMs < 500) return;
    await database.query({
      text: `update crypto_chain set next_at = next_at - make_interval(secs => $1)`,
      values: [leasedMs / 1000],
    });
    leasedMs = 0;
  }
  async function sleep(ms: number): Promise<void> {
    await pass(ms);
    agedMs += ms;
    // Only Bitcoin's family asks by address; 10,000 rows are not moved on at each step.
    if (family !== 'esplora' || agedMs < 120_000) return;
    await database.query({
      text: `update crypto_address set look_at = look_at - make_interval(secs => $1),
        created_at = created_at - make_interval(secs => $1)`,
      values: [agedMs / 1000],
    });
    agedMs = 0;
  }

  /** Questions a second in the busiest ten seconds. */
  function worstTenSeconds(): number {
    let first = 0;
    let most = 0;
    for (const { at, asked } of counts) {
      while ((counts[first]?.at ?? at) < at - 10_000) first += 1;
      most = Math.max(most, (asked - (counts[first]?.asked ?? asked)) / 10);
    }
    return most;
  }

  function mine(): void {
    for (let count = 0; count < crowd; count += 1) {
      chain.send({ to: strangers[count % 2] ?? '', raw: 1n, ...(contract !== undefined && { contract }) });
    }
    chain.mine();
  }

  test('10,000 waiting addresses cost less than 5 questions a second, and a payment is credited within two blocks', async () => {
    const depositId = randomUUID();
    const address = await addressOf(depositId);
    await crowdWaits();
    await round();
    const [askedBefore, startedAt] = [node.asked, clock.now()];
    counts = [];
    let paidAt: number | undefined;
    while (chain.height < 100 + blocks) {
      if (paidAt === undefined) {
        chain.send({ to: address, raw: 1_000_000n, ...(contract !== undefined && { contract }) });
        paidAt = chain.height + 1;
      }
      await round();
      await sleep(blockS > 60 ? 5000 : 500);
    }
    const perSecond = (node.asked - askedBefore) / ((clock.now() - startedAt) / 1000);
    const credit = told.find(({ evidence }) => evidence.outcome === 'paid' && evidence.depositId === depositId);
    expect(perSecond).toBeLessThan(5);
    expect(worstTenSeconds()).toBeLessThanOrEqual(5.5);
    expect((credit?.height ?? Number.POSITIVE_INFINITY) - ((paidAt ?? 0) + REQUIRED - 1)).toBeLessThanOrEqual(2);
  }, 120_000);

  test('what was credited costs nothing more, and a chain that nobody waits for is left alone', async () => {
    await round();
    await database.query({ text: 'delete from crypto_address' });
    await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
    const before = node.asked;
    const startedAt = clock.now();
    while (clock.now() - startedAt < 120_000) {
      await round();
      await sleep(1000);
    }
    expect(node.asked - before).toBeLessThanOrEqual(12);
  });
});
