/** No address is given to two users: neither after a restore from a backup, nor when a replica that lagged takes over. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../cli/run-command.fixture.ts';
import type { Database } from '../database/database.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import type { Provider } from '../providers/provider.ts';
import { CoinBench, type CoinKind, SteppedTime } from './coins.fixture.ts';

const kinds: readonly CoinKind[] = [
  { key: 'bitcoin', family: 'esplora', coin: 'BTC' },
  { key: 'ethereum', family: 'evm', coin: 'ETH' },
  { key: 'bsc', family: 'evm', coin: 'USDT', contract: '0x55d398326f99059fF775485246999027B3197955' },
  { key: 'tron', family: 'tron', coin: 'TRX' },
  { key: 'tron', family: 'tron', coin: 'USDT', contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' },
];

let database: Database;
withPayments((made) => {
  ({ database } = made);
});

/** A backup of the tables of addresses, and its restore. */
async function dump(): Promise<() => Promise<void>> {
  const tables = ['crypto_chain', 'crypto_series', 'crypto_address'];
  const kept = await Promise.all(
    tables.map((name) =>
      database.query<{ rows: string }>({ text: `select json_agg(${name})::text as rows from ${name}` }),
    ),
  );
  return async () => {
    for (const name of tables.toReversed()) await database.query({ text: `delete from ${name}` });
    for (const [at, name] of tables.entries()) {
      await database.query({
        text: `insert into ${name} select * from json_populate_recordset(null::${name}, coalesce($1::json, '[]'))`,
        values: [kept[at]?.[0]?.rows ?? null],
      });
    }
  };
}

describe.each(kinds)('[SRV-4] addresses of $coin on $key', (kind) => {
  let time: SteppedTime;
  let coins: CoinBench;
  let said: string[];
  const clock = createTestClock(Date.now() + 86_400_000);

  beforeEach(async () => {
    time = new SteppedTime(clock, database);
    coins = new CoinBench(kind, time);
    await coins.open();
    said = [];
  });
  afterEach(async () => {
    time.restore();
    await coins.close();
  });

  /** A new process, a second after the one before. */
  function started(): Provider {
    clock.advance(1000);
    const say = (_fields: object, message: string) => said.push(message);
    return coins.start({ info: say, warn: say, error: say });
  }
  const beforeStart = (provider: Provider) => time.during(provider.beforeStart?.() ?? Promise.resolve());
  const addressFrom = (provider: Provider, depositId?: string) => time.during(coins.addressFrom(provider, depositId));
  async function commandLine(command: string) {
    const folder = mkdtempSync(join(tmpdir(), 'cashier-'));
    mkdirSync(join(folder, 'database'));
    const file = join(folder, 'crypto.json');
    writeFileSync(file, JSON.stringify(coins.settings));
    const open = async () => ({ ...time.database, close: async () => undefined });
    const environment = { DATA_DIR: folder, CRYPTO_FILE: file };
    const printed = await time.during(runCommand(command, { clock, environment, open }));
    rmSync(folder, { recursive: true });
    return printed;
  }
  const pay = (to: string | undefined): void => {
    coins.send(to ?? '');
    coins.chain.mine();
  };

  test('restored from a backup, with a new start: nobody gets an address that somebody else had', async () => {
    const before = started();
    await addressFrom(before);
    const restore = await dump();
    const lost = new Set(await Promise.all(Array.from({ length: 5 }, () => addressFrom(before))));
    expect(lost.size).toBe(5);
    await restore();
    const after = started();
    const fresh = await Promise.all(Array.from({ length: 5 }, () => addressFrom(after)));
    expect(fresh.filter((address) => address === undefined || lost.has(address))).toEqual([]);
  });

  test('a lagging replica takes over under a running process: its addresses go on, and the log says what happened', async () => {
    const empty = await dump();
    const running = started();
    const lost = await addressFrom(running);
    await empty();
    const fresh = await addressFrom(running);
    expect(fresh).toBeDefined();
    expect(fresh).not.toBe(lost);
    expect(said.join()).toContain('the database was restored to an older state');
    expect(await addressFrom(started())).not.toBe(lost);
  });

  test('two processes, and many deposits at once, never meet in an address; a deposit keeps its own', async () => {
    const [one, other] = [started(), started()];
    const ids = Array.from({ length: 20 }, () => randomUUID());
    const given = await Promise.all(ids.map((id, at) => addressFrom(at % 2 === 0 ? one : other, id)));
    expect(new Set(given).size).toBe(20);
    expect(await Promise.all(ids.map((id) => addressFrom(other, id)))).toEqual(given);
  });

  test('an address that the chain knows as used is left out', async () => {
    const first = started();
    const used = await addressFrom(first);
    pay(used);
    await database.query({ text: 'delete from crypto_address' });
    await database.query({ text: 'delete from crypto_series' });
    // The same series again, as if the clock had gone back with the database.
    clock.skew(-1000);
    const again = started();
    expect(await addressFrom(again)).not.toBe(used);
    expect(said.join()).toContain('money arrived on an address that was never given out');
  });

  test('a database behind its chain stops the start until somebody has looked, and gives no address meanwhile', async () => {
    const before = started();
    await addressFrom(before);
    const restore = await dump();
    for (let count = 0; count < 4; count += 1) await addressFrom(before);
    const lost = await addressFrom(before);
    pay(lost);
    await restore();
    const after = started();
    await expect(beforeStart(after)).rejects.toMatchObject({
      name: 'AddressesBehindError',
      message: expect.stringContaining(lost ?? '-'),
    });
    expect(await addressFrom(after)).toBeUndefined();
    const listed = await commandLine('addresses lost');
    expect(listed).toMatchObject({ exitCode: 1, out: expect.stringContaining(`/5 ${lost}\n`), errors: '' });
    await expect(beforeStart(after)).rejects.toThrow(lost ?? '-');
    expect(await commandLine('addresses lost --acknowledge --by the-cashier')).toMatchObject({
      exitCode: 2,
      errors: expect.stringContaining('the-cashier stands for the cashier itself'),
    });
    expect(await commandLine('addresses lost --acknowledge --by eve')).toMatchObject({ exitCode: 0, errors: '' });
    await beforeStart(after);
    expect(await addressFrom(after)).toBeDefined();
    // It stays on the list, since its user may pay again.
    expect(await commandLine('addresses lost')).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(lost ?? '-'),
    });
  });

  test('while no node answers, the server starts but gives out no address', async () => {
    const provider = started();
    coins.node.mood = 'down';
    await beforeStart(provider);
    expect(await addressFrom(provider)).toBeUndefined();
    coins.node.mood = 'well';
    expect(await addressFrom(provider)).toBeDefined();
  });
});
