/** The check of addresses at a start, through a node that refuses more than five requests in any second. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import { CoinBench, type CoinKind, SteppedTime } from './coins.fixture.ts';

const kinds: readonly (CoinKind & { readonly questions: number })[] = [
  { key: 'bitcoin', family: 'esplora', coin: 'BTC', questions: 1 },
  {
    key: 'bsc',
    family: 'evm',
    coin: 'USDT',
    contract: '0x55d398326f99059fF775485246999027B3197955',
    questions: 1,
  },
  { key: 'tron', family: 'tron', coin: 'TRX', questions: 2 },
];
/** The addresses of two series, with the further ones that are checked behind the last known address. */
const CHECKED = 2 * 20;

let database: Database;
withPayments((made) => {
  ({ database } = made);
});

describe.each(kinds)('[SRV-4] the check of addresses on $key', (kind) => {
  let time: SteppedTime;
  let coins: CoinBench;
  const clock = createTestClock(Date.now() + 86_400_000);

  beforeEach(async () => {
    time = new SteppedTime(clock, database);
    coins = new CoinBench(kind, time);
    await coins.open();
    for (let before = 0; before < 2; before += 1) {
      clock.advance(1000);
      await time.during(coins.addressFrom(coins.start()));
      await time.wait(60_000);
    }
    coins.node.limit = { perSecond: 5, now: clock.now };
    coins.node.questions.length = 0;
  });
  afterEach(async () => {
    time.restore();
    await coins.close();
  });

  const kept = async () =>
    (await database.query<{ count: number }>({ text: 'select count(*)::int as count from crypto_address' }))[0]?.count;

  test('keeps to the limit, does not hold up the start, and gives no address before its end', async () => {
    const provider = coins.start();
    const [startedAt, known] = [clock.now(), await kept()];
    await time.during(provider.beforeStart?.() ?? Promise.resolve());
    expect(clock.now() - startedAt).toBeLessThanOrEqual(5_100);
    const waiting = Array.from({ length: 10 }, () => coins.addressFrom(provider));
    const first = await time.during(Promise.all(waiting));
    // Ten deposits share one check, and none starts another.
    if (kind.questions > 1) {
      expect(new Set(first)).toEqual(new Set([undefined]));
      expect(await kept()).toBe(known);
    }
    await time.wait(60_000);
    // If the check ended in time, each of the ten looks up its own address. Some repeat it after a refusal, without pacing.
    const checked = kind.questions === 1 ? CHECKED + first.length * 2 : CHECKED * kind.questions;
    expect(coins.node.questions.length).toBeLessThanOrEqual(checked);
    if (kind.questions > 1) expect([coins.node.refused, await kept()]).toEqual([0, known]);
    expect(await time.during(coins.addressFrom(provider))).toBeDefined();
  });

  test('repeats no request after a failure, and finishes even if nobody requests an address', async () => {
    const provider = coins.start();
    await time.during(provider.beforeStart?.() ?? Promise.resolve());
    coins.node.mood = 'down';
    await time.wait(20_000);
    const answered = coins.node.questions.length;
    const rounds = async (count: number) => {
      for (let round = 0; round < count; round += 1) {
        await time.during(provider.watch?.round(async () => undefined) ?? Promise.resolve());
        await time.wait(5_000);
      }
    };
    await rounds(4);
    coins.node.mood = 'well';
    const asked = coins.node.questions.length;
    await rounds(12);
    const isAboutAddress = (question: string) => /address|accounts|getTransactionCount/i.test(question);
    const after = coins.node.questions.slice(asked).filter(isAboutAddress);
    expect(after.length).toBeGreaterThan(0);
    const before = new Set(coins.node.questions.slice(0, Math.max(0, answered - 8 * kind.questions)));
    expect(after.filter((question) => before.has(question))).toEqual([]);
    const known = coins.node.questions.length;
    expect(await time.during(coins.addressFrom(provider))).toBeDefined();
    expect(coins.node.questions.length - known).toBe(kind.questions);
    expect(coins.node.refused).toBe(0);
  });

  test('`addresses lost` keeps to the rate limit, prints its progress, and continues after a failure', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cashier-'));
    mkdirSync(join(folder, 'database'));
    const file = join(folder, 'crypto.json');
    writeFileSync(file, JSON.stringify(coins.settings));
    const open = async () => ({ ...time.database, close: async () => undefined });
    const environment = { DATA_DIR: folder, CRYPTO_FILE: file };
    const startedAt = clock.now();
    coins.node.mood = 'down';
    const printed = await time.during(runCommand('addresses lost --depth 50', { clock, environment, open }), () => {
      if (clock.now() - startedAt > 7_000) coins.node.mood = 'well';
      clock.advance(50);
    });
    rmSync(folder, { recursive: true });
    expect(printed).toMatchObject({ exitCode: 0, errors: '' });
    expect(printed.out).toBe(`${kind.key}: the database knows all used addresses\n`);
    expect(printed.progress).toContain('trying again');
    expect(printed.progress).toMatch(/\d+ of 50 addresses checked/);
    expect(coins.node.refused).toBe(0);
  });
});
