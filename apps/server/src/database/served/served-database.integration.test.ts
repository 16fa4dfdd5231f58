/** Commands on the embedded database of a cashier that runs, over its socket. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openWithoutMigration } from '../connection/open-database.ts';
import type { Database } from '../database.ts';
import { openEmbedded } from '../embedded/open-embedded.ts';
import { constraintOf, sqlStateOf } from '../pool-database.ts';
import { silentLogger } from '../testing/test-database.ts';
import { type ServedDatabase, serveDatabase } from './serve-database.ts';
import { connectServedDatabase } from './served-client.ts';
import { readLine, writeLine } from './wire.ts';

let dataDir: string;
let database: Database;
let served: ServedDatabase | undefined;
const clock = createTestClock(Date.now());
const socket = () => join(dataDir, 'commands.sock');
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'served-'));
  database = await openEmbedded({ dataDir, logger: silentLogger }, { isDisposable: true });
  await database.query({
    text: 'create table thing (id int primary key, at timestamptz, big bigint, raw bytea, data jsonb)',
  });
  served = await serveDatabase(database, { dataDir, clock, logger: silentLogger });
});
afterAll(async () => {
  await served?.stop();
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(() => database.query({ text: 'delete from thing' }));

async function opened<Result>(work: (remote: Database) => Promise<Result>): Promise<Result> {
  const remote = await openWithoutMigration({ dataDir, logger: silentLogger });
  try {
    return await work(remote);
  } finally {
    await remote.close();
  }
}
const count = async () => (await database.query({ text: 'select 1 from thing' })).length;

describe('[SRV-7] a command while the cashier holds the embedded database', () => {
  test('uses it over a socket of the data folder that only its own user can open', async () => {
    expect(statSync(socket()).mode & 0o777).toBe(0o600);
    await opened(async (remote) => {
      expect(remote.kind).toBe('embedded');
      const row = {
        id: 1,
        at: new Date(1_700_000_000_123),
        big: 2n ** 60n,
        raw: Buffer.from([0, 255]),
        data: { b: 'x', o: [1] },
      };
      await remote.query({
        text: 'insert into thing values ($1, $2, $3, $4, $5)',
        values: [row.id, row.at, row.big, row.raw, JSON.stringify(row.data)],
      });
      expect(await remote.query({ text: 'select * from thing' })).toEqual([row]);
      await remote.ping();
    });
  });

  test('commits a transaction, and rolls one back that throws', async () => {
    await opened(async (remote) => {
      const made = await remote.transaction(async (transaction) => {
        await Promise.all(
          [1, 2, 3].map((id) => transaction.query({ text: 'insert into thing values ($1)', values: [id] })),
        );
        return 'made';
      });
      expect([made, await count()]).toEqual(['made', 3]);
      const undone = remote.transaction(async (transaction) => {
        await transaction.query({ text: 'insert into thing values (4)' });
        throw new Error('no');
      });
      await expect(undone).rejects.toThrow('no');
      expect(await count()).toBe(3);
    });
  });

  test('gets the database’s own errors', async () => {
    await opened(async (remote) => {
      await remote.query({ text: 'insert into thing values (1)' });
      const error = await remote.query({ text: 'insert into thing values (1)' }).catch((thrown: unknown) => thrown);
      expect([sqlStateOf(error), constraintOf(error)]).toEqual(['23505', 'thing_pkey']);
      const swallowed = remote.transaction(async (transaction) => {
        await transaction.query({ text: 'insert into thing values (1)' }).catch(() => undefined);
      });
      await expect(swallowed).rejects.toThrow('rolled the transaction back');
    });
  });

  test('a transaction whose command dies or is silent is rolled back, and the cashier goes on', async () => {
    const remote = await connectServedDatabase(dataDir);
    const dies = remote?.transaction(async (transaction) => {
      await transaction.query({ text: 'insert into thing values (1)' });
      await remote.close();
      await transaction.query({ text: 'select 1' });
    });
    await expect(dies).rejects.toThrow();
    expect(await count()).toBe(0);

    const silent = await connectServedDatabase(dataDir);
    const waits = silent?.transaction(async (transaction) => {
      await transaction.query({ text: 'insert into thing values (1)' });
      clock.advance(5_000);
      await transaction.query({ text: 'insert into thing values (2)' });
    });
    await expect(waits).rejects.toThrow('ended the connection');
    expect(await count()).toBe(0);
  });

  test('what is no request ends the connection only', async () => {
    for (const bytes of ['nonsense\n', '{"o":{"kind":"drop"}}\n', 'x'.repeat(17 * 1024 * 1024)]) {
      const ended = await new Promise((resolve) => {
        const stranger = connect(socket(), () => stranger.write(bytes));
        stranger.on('error', () => resolve('ended'));
        stranger.on('close', () => resolve('ended'));
      });
      expect(ended).toBe('ended');
    }
    await opened((remote) => remote.ping());
  });

  test('at most four commands are served at the same time', async () => {
    const first = await Promise.all([1, 2, 3, 4].map(() => connectServedDatabase(dataDir)));
    await Promise.all(first.map((one) => one?.ping()));
    const fifth = await connectServedDatabase(dataDir);
    await expect(fifth?.ping() ?? Promise.reject(new Error('refused'))).rejects.toThrow();
    await first[0]?.close();
    await vi.waitFor(() => opened((remote) => remote.ping()));
    await Promise.all(first.map((one) => one?.close()));
  });
});

test('[SRV-7] a value of every kind keeps its kind on the way', () => {
  const values = [1n, new Date(0), Buffer.from('a'), null, 'text', 1.5, true, { b: '1', d: 1, x: '', o: {} }, [[1n]]];
  expect(readLine(writeLine({ kind: 'query', text: '', values }))).toEqual({ kind: 'query', text: '', values });
  expect(() => readLine('{"z":1}')).toThrow('unknown kind');
});
