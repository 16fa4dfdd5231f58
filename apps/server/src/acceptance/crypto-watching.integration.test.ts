/**
 * The cost of watching 10,000 addresses of each family of chains, in requests to the node. The test's clock moves only while no
 * request is in progress, so that the count does not depend on this machine.
 */
import { randomUUID } from 'node:crypto';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import type { FakeNode } from '../providers/crypto/testing/fake-node.ts';
import type { DepositReport, Provider } from '../providers/provider.ts';
import { CoinBench, type CoinKind, SteppedTime } from './coins.fixture.ts';

const WAITING = 10_000;
const REQUIRED = 3;

interface Kind extends CoinKind {
  readonly blockS: number;
  /** How many blocks the test lasts. */
  readonly blocks: number;
  /** Transactions of strangers in each block. */
  readonly crowd: number;
  /** How the node answers several requests in one. */
  readonly batches: FakeNode['batches'];
  /** The most blocks between the block that confirms and the credit. Absent: 2. */
  readonly late?: number;
}
const usdtOnBsc = {
  key: 'bsc',
  family: 'evm',
  coin: 'USDT',
  contract: '0x55d398326f99059fF775485246999027B3197955',
  blockS: 0.45,
  blocks: 130,
  crowd: 50,
  batches: 'taken',
} as const;
const kinds: readonly Kind[] = [
  {
    key: 'tron',
    family: 'tron',
    coin: 'USDT',
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    blockS: 3,
    blocks: 25,
    crowd: 50,
    batches: 'taken',
  },
  { key: 'ethereum', family: 'evm', coin: 'ETH', blockS: 12, blocks: 10, crowd: 50, batches: 'taken' },
  usdtOnBsc,
  { ...usdtOnBsc, batches: 'refused', late: 6 },
  { ...usdtOnBsc, batches: 'counted', late: 6 },
  { key: 'bsc', family: 'evm', coin: 'BNB', blockS: 0.45, blocks: 130, crowd: 50, batches: 'taken' },
  { key: 'bsc', family: 'evm', coin: 'BNB', blockS: 0.45, blocks: 130, crowd: 50, batches: 'refused', late: 6 },
  { key: 'bitcoin', family: 'esplora', coin: 'BTC', blockS: 600, blocks: 4, crowd: 1000, batches: 'taken' },
  { key: 'ton', family: 'ton', coin: 'TON', blockS: 0.4, blocks: 150, crowd: 0, batches: 'taken', late: 8 },
];

let database: Database;
withPayments((made) => {
  ({ database } = made);
});

describe.each(kinds)('[SRV-4] watching $coin on $key, batches $batches', (kind) => {
  const { key, family, coin, contract, blockS, blocks, crowd, batches, late = 2 } = kind;
  let time: SteppedTime;
  let coins: CoinBench;
  let provider: Provider;
  let strangers: readonly string[];
  const told: { readonly report: DepositReport; readonly height: number }[] = [];

  beforeEach(async () => {
    time = new SteppedTime(createTestClock(Date.now()), database);
    coins = new CoinBench(kind, time);
    coins.node.batches = batches;
    told.length = 0;
    await coins.open({ confirmations: REQUIRED });
    provider = coins.start();
    strangers = [await addressOf(randomUUID()), await addressOf(randomUUID())];
    await coins.forget('crypto_address');
  }, 120_000);
  afterEach(async () => {
    time.restore();
    await coins.close();
  });

  const addressOf = async (depositId: string): Promise<string> =>
    (await time.during(coins.addressFrom(provider, depositId))) ?? '';

  /** Addresses that nobody pays. In the database they are like any other. */
  async function crowdWaits(): Promise<void> {
    await database.query({
      text: `insert into crypto_address
          (chain, address, deposit_id, account, branch, index, coin, contract, watched_until, look_at)
        select chain, $3 || n, gen_random_uuid(), account, 1, n, $2, $4,
          now() + interval '31 days', now()
        from crypto_chain, generate_series(1, ${WAITING}) as n where chain = $1`,
      values: [key, coin, family === 'ton' ? (strangers[0] ?? '') : 'waiting', contract ?? ''],
    });
    // Statistics from before, of a table that was just emptied, make plans for no rows. A node renews those of a table that has grown.
    await database.query({ text: 'analyze crypto_address' });
  }

  /** Waits until a round has ended. */
  async function round(): Promise<void> {
    const work = provider.watch?.round(async (report) => {
      told.push({ report, height: coins.chain.height });
    });
    await time.during(work ?? Promise.resolve(), () => pass(100));
  }

  let passedMs = 0;
  let agedMs = 0;
  let leasedMs = 0;
  let counts: { readonly at: number; readonly asked: number }[] = [];
  /** Moves the test's clock and the times in the database. Mines a block when one is due. */
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
    // Only Bitcoin's family asks by address. 10,000 rows are not updated at each step.
    if (family !== 'esplora' || agedMs < 120_000) return;
    await database.query({
      text: `update crypto_address set look_at = look_at - make_interval(secs => $1),
        created_at = created_at - make_interval(secs => $1)`,
      values: [agedMs / 1000],
    });
    agedMs = 0;
  }

  /** Requests a second in the busiest ten seconds. */
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

  async function scannedHeight(): Promise<number> {
    const [row] = await database.query<{ height: bigint }>({
      text: 'select scanned_height as height from crypto_chain where chain = $1',
      values: [key],
    });
    return Number(row?.height);
  }

  function testCatchingUp(): void {
    test('what was missed while the node was down is made up for, without more questions', async () => {
      const [depositId, missed] = [randomUUID(), batches === 'taken' ? 1000 : 100];
      const address = await addressOf(depositId);
      await round();
      await time.wait(2000);
      coins.node.limit = { perSecond: 5, now: time.clock.now };
      for (let block = 0; block < missed; block += 1) {
        coins.send(block === 0 ? address : (strangers[0] ?? ''));
        coins.chain.mine();
      }
      const startedAt = time.clock.now();
      while (coins.chain.height - (await scannedHeight()) > late + 1) {
        expect(time.clock.now() - startedAt).toBeLessThan(120_000);
        await round();
        await sleep(100);
      }
      expect(told.filter(({ report }) => report.outcome === 'paid' && report.depositId === depositId)).toHaveLength(1);
    }, 120_000);
  }

  test('10,000 waiting addresses cost less than 5 questions a second, and a payment is credited within two blocks', async () => {
    const depositId = randomUUID();
    const address = await addressOf(depositId);
    await crowdWaits();
    await round();
    await time.wait(1000);
    coins.node.limit = { perSecond: 5, now: time.clock.now };
    // By now the watcher knows how many requests in one the node accepts.
    for (let before = 0; before < 5; before += 1) {
      await round();
      await sleep(Math.min(blockS * 1000, 2000));
    }
    const [askedBefore, startedAt] = [coins.node.asked, time.clock.now()];
    counts = [];
    let paidAt: number | undefined;
    const lastHeight = coins.chain.height + blocks;
    while (coins.chain.height < lastHeight) {
      if (paidAt === undefined) {
        coins.send(address);
        paidAt = coins.chain.height + 1;
      }
      await round();
      await sleep(Math.min(Math.max(blockS * 500, 100), 5000));
    }
    const perSecond = (coins.node.asked - askedBefore) / ((time.clock.now() - startedAt) / 1000);
    const credit = told.find(({ report }) => report.outcome === 'paid' && report.depositId === depositId);
    expect(perSecond).toBeLessThan(5);
    expect(worstTenSeconds()).toBeLessThanOrEqual(5.5);
    expect((credit?.height ?? Number.POSITIVE_INFINITY) - ((paidAt ?? 0) + REQUIRED - 1)).toBeLessThanOrEqual(late);
    // Behind by no more than the blocks of the last round.
    expect(coins.chain.height - (await scannedHeight())).toBeLessThanOrEqual(late + 1);
    if (batches === 'taken') expect(coins.node.refused).toBe(0);
  }, 120_000);

  // The only chain whose blocks come faster than the limit of requests.
  if (key === 'bsc') testCatchingUp();

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
