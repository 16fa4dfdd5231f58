/** The database of a cluster: PostgreSQL, or the embedded database, which only its running node can be asked about. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';

export interface ClusterDatabase {
  /** The settings by which nodes and commands find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it answers only while a node runs. */
  readonly isInNode: boolean;
  /** Runs statements one after the other, without the cashier's code. Answers the rows of the last one. */
  run<Row extends object>(
    statements: readonly { readonly text: string; readonly values?: readonly unknown[] }[],
  ): Promise<Row[]>;
  /** Removes what is left of it on the disk. */
  remove(): Promise<void>;
}

export function postgresAt(url: string): ClusterDatabase {
  return {
    env: { DATABASE_URL: url },
    isInNode: false,
    async run<Row extends object>(statements: Parameters<ClusterDatabase['run']>[0]) {
      const client = new pg.Client({ connectionString: url });
      // When the database crashes, the query fails. Without a listener the client's `error` event would end this process.
      client.on('error', () => undefined);
      await client.connect();
      try {
        let rows: Row[] = [];
        for (const { text, values = [] } of statements) rows = (await client.query<Row>(text, [...values])).rows;
        return rows;
      } finally {
        await client.end();
      }
    },
    remove: async () => undefined,
  };
}

/** The part of a served database that is used here (`apps/server/src/database/served`). */
interface Served {
  query<Row>(statement: { readonly text: string; readonly values?: readonly unknown[] }): Promise<Row[]>;
  close(): Promise<void>;
}

/** A node needs some seconds to start. */
const answersWithinMs = 90_000;

/** @param client the built module that connects to the database of a running node */
export async function embeddedFolder(client: string): Promise<ClusterDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  const { connectServedDatabase } = (await import(pathToFileURL(client).href)) as {
    readonly connectServedDatabase: (dataDir: string) => Promise<Served | undefined>;
  };
  const attempt = async <Row extends object>(statements: Parameters<ClusterDatabase['run']>[0]): Promise<Row[]> => {
    const served = await connectServedDatabase(folder);
    if (served === undefined) throw new Error('No node serves the embedded database.');
    try {
      let rows: Row[] = [];
      for (const statement of statements) rows = await served.query<Row>(statement);
      return rows;
    } finally {
      await served.close();
    }
  };
  return {
    env: { DATA_DIR: folder },
    isInNode: true,
    // The node may die at any moment. The next one is asked again: all statements here may be repeated.
    async run<Row extends object>(statements: Parameters<ClusterDatabase['run']>[0]) {
      const deadline = Date.now() + answersWithinMs;
      for (;;) {
        try {
          return await attempt<Row>(statements);
        } catch (error) {
          if (Date.now() > deadline) throw error;
          await delay(50);
        }
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The columns that hold a time at which work becomes due. */
const waiting: Readonly<Record<string, readonly string[]>> = {
  coin_wallet: ['next_at'],
  deposit: ['busy_until', 'check_at'],
  refund: ['check_at'],
  deposit_event: ['next_at'],
  outbox: ['next_at'],
  sandbox_callback: ['due_at', 'leased_until'],
  inbox_queue: ['next_at'],
  operator_wallet_queue: ['due_at'],
  webhook_queue: ['next_at'],
  withdrawal: ['busy_until', 'check_at'],
  withdrawal_event: ['next_at'],
  payout_transfer: ['due_at'],
};
const unfinished: Readonly<Record<string, string>> = {
  deposit_event: `status = 'parked'`,
  sandbox_callback: 'finished_at is null',
  inbox_queue: `status = 'new'`,
  withdrawal_event: `status = 'parked'`,
};

/** Statements that move all times at which work becomes due into the past. */
export function passTimeStatements(seconds: number): readonly { readonly text: string }[] {
  return Object.entries(waiting).map(([table, columns]) => {
    const sets = columns.map((column) => `${column} = ${column} - make_interval(secs => ${seconds})`);
    return { text: `update ${table} set ${sets.join(', ')} where ${unfinished[table] ?? 'true'}` };
  });
}
