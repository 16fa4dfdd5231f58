/**
 * What the watch costs: 10,000 waiting addresses of each family of chains, counted at the node, by a clock of the test's own. Between two
 * questions the clock moves on only when nothing is under way, so that the count is of the watch and not of this machine.
 */
import { randomUUID } from 'node:crypto';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CoinBench, type CoinKind, SteppedTime } from './coins.fixture.ts';
import type { Database } from './database/database.ts';
import { withPayments } from './payments/with-payments.fixture.ts';
import type { Provider, ProviderEvidence } from './providers/provider.ts';

const WAITING = 10_000;
const REQUIRED = 3;

interface Kind extends CoinKind {
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

describe.each(kinds)('[SRV-4] watching $key', (kind) => {
  const { key, family, coin, contract, blockS, blocks, crowd } = kind;
  let time: SteppedTime;
  let coins: CoinBench;
  let provider: Provider;
  let strangers: readonly string[];
  const told: { readonly evidence: ProviderEvidence; readonly height: number }[] = [];

  beforeEach(async () => {
    time = new SteppedTime(createTestClock(Date.now()), database);
    coins = new CoinBench(kind, time);
    told.length = 0;
    await coins.open({ confirmations: REQUIRED });
    provider = coins.start();
    strangers = [await addressOf(randomUUID()), await addressOf(randomUUID())];
    await database.query({ text: 'delete from crypto_address' });
  }, 30_000);
  afterEach(async () => {
    time.restore();
    await coins.close();
  });

  const addressOf = async (depositId: string): Promise<string> =>
    (await time.during(coins.addressFrom(provider, depositId))) ?? '';

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

  /** Lets one round come to its end. */
  async function round(): Promise<void> {
    const work = provider.watch?.round(async (evidence) => {
      told.push({ evidence, height: coins.chain.height });
    });
    await time.during(work ?? Promise.resolve(), () => pass(100));
  }

  let passedMs = 0;
  let agedMs = 0;
  let leasedMs = 0;
  let counts: { readonly at: number; readonly asked: number }[] = [];
  /** Moves the test's clock and what the database holds of time; a block comes when it is due. */
  async function pass(ms: number): Promise<void> {
    const before = Math.floor(passedMs / (blockS * 1000));
    passedMs += ms;
    for (let due = Math.floor(passedMs / (blockS * 1000)) - before; due > 0; due -= 1) mine();
    time.clock.advance(ms);
    counts.push({ at: time.clock.now(), asked: coins.node.asked });
    leasedMs += ms;
    // A chain with long blocks needs no finer steps.
    if (leasedMs < Math.min(blockS * 100, 500)) return;
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
      coins.send(strangers[count % 2] ?? '', 1n);
    }
    coins.chain.mine();
  }

  test('10,000 waiting addresses cost less than 5 questions a second, and a payment is credited within two blocks', async () => {
    const depositId = randomUUID();
    const address = await addressOf(depositId);
    await crowdWaits();
    await round();
    const [askedBefore, startedAt] = [coins.node.asked, time.clock.now()];
    counts = [];
    let paidAt: number | undefined;
    while (coins.chain.height < 100 + blocks) {
      if (paidAt === undefined) {
        coins.send(address);
        paidAt = coins.chain.height + 1;
      }
      await round();
      await sleep(blockS > 60 ? 5000 : 500);
    }
    const perSecond = (coins.node.asked - askedBefore) / ((time.clock.now() - startedAt) / 1000);
    const credit = told.find(({ evidence }) => evidence.outcome === 'paid' && evidence.depositId === depositId);
    expect(perSecond).toBeLessThan(5);
    expect(worstTenSeconds()).toBeLessThanOrEqual(5.5);
    expect((credit?.height ?? Number.POSITIVE_INFINITY) - ((paidAt ?? 0) + REQUIRED - 1)).toBeLessThanOrEqual(2);
  }, 120_000);

  test('what was credited costs nothing more, and a chain that nobody waits for is left alone', async () => {
    await round();
    await database.query({ text: 'delete from crypto_address' });
    await database.query({ text: `update crypto_chain set next_at = '-infinity'` });
    const before = coins.node.asked;
    const startedAt = time.clock.now();
    while (time.clock.now() - startedAt < 120_000) {
      await round();
      await sleep(1000);
    }
    expect(coins.node.asked - before).toBeLessThanOrEqual(12);
  });
});
