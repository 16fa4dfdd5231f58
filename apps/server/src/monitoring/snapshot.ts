/**
 * The numbers of the gauges that need the database (SRV-9). One node takes them for all, every half minute, and stores them in one row.
 * Every node reads that row, so a scrape never asks the database.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { Database, Queryable } from '../database/database.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { measure } from '../observability/measure.ts';
import type { GaugeSource } from '../observability/metrics.ts';
import { GAUGES, type Sample } from './gauges.ts';
import { SNAPSHOT_QUERIES, type SnapshotQuery } from './snapshot-queries.ts';

/** A query that is not in {@link SNAPSHOT_QUERIES}, since another part of the server knows it. */
export interface ExtraQuery {
  readonly name: string;
  read(queryable: Queryable): Promise<readonly Sample[]>;
}

interface Snapshot {
  /** The repeated work. It claims nothing: the look itself takes or reads the numbers. */
  readonly work: DueWork<never>;
  readonly gauges: readonly GaugeSource[];
}

interface SnapshotPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: { warn(fields: object, message: string): void };
  readonly extra?: readonly ExtraQuery[];
}

/** ms between two looks of a node. */
const IDLE_MS = 15_000;
/** Seconds for which the numbers of one node are good enough for all. */
const FRESH_S = 30;
/** A query that takes longer is given up, in ms. Each reads an index of few rows. */
const STATEMENT_MS = 2_000;
/** Older numbers are left out: they must not look like the present. ms. */
const TOO_OLD_MS = 5 * 60_000;

export function createSnapshot(database: Database, { clock, logger, extra = [] }: SnapshotPorts): Snapshot {
  let samples: readonly Sample[] = [];
  /** By this node's clock; undefined: none was read yet. */
  let takenAt: number | undefined;
  const ageMs = (): number | undefined => (takenAt === undefined ? undefined : clock.now() - takenAt);
  const isUsable = (): boolean => (ageMs() ?? Number.POSITIVE_INFINITY) < TOO_OLD_MS;

  const readWith = async (query: SnapshotQuery | ExtraQuery): Promise<readonly Sample[]> => {
    try {
      return await database.transaction(async (transaction) => {
        // A stored plan that was made while a table was small would read it whole when it has grown.
        await transaction.query({
          name: 'snapshot-settings',
          text: `select set_config('statement_timeout', $1, true), set_config('enable_seqscan', 'off', true)`,
          values: [String(STATEMENT_MS)],
        });
        if ('read' in query) return query.read(transaction);
        return query.samplesOf(await transaction.query({ text: query.text }));
      });
    } catch (error) {
      measure(database, 'snapshotFailures', { query: query.name });
      logger.warn({ query: query.name, err: error }, 'numbers for the metrics could not be read');
      return [];
    }
  };

  const take = async (): Promise<void> => {
    const taken: Sample[] = [];
    // One after the other, so that they use one connection.
    for (const query of [...SNAPSHOT_QUERIES, ...extra]) taken.push(...(await readWith(query)));
    await database.query({
      name: 'snapshot-store',
      text: 'update metric_snapshot set taken_at = now(), samples = $1',
      values: [JSON.stringify(taken)],
    });
  };

  return {
    gauges: [
      ...Object.entries(GAUGES).map(([name, { help, labelNames }]) => ({
        name,
        help,
        labelNames,
        samples: () => (isUsable() ? samples.filter(({ gauge }) => gauge === name) : []),
      })),
      {
        name: 'cashier_snapshot_age_seconds',
        help: 'Age of the numbers that one node takes from the database for all. After 5 minutes they are left out.',
        labelNames: [],
        samples: () => {
          const age = ageMs();
          return age === undefined ? [] : [{ labels: {}, value: age / 1000 }];
        },
      },
    ],
    work: {
      name: 'metrics',
      idleMs: IDLE_MS,
      isByTimeAlone: true,
      async claim() {
        if (await takeLease(database)) await take();
        const stored = await readStored(database);
        if (stored === undefined) return [];
        samples = stored.samples;
        takenAt = clock.now() - stored.ageS * 1000;
        return [];
      },
      async handle() {
        // Nothing is claimed.
      },
    },
  };
}

/** @returns whether this node must take the numbers now */
async function takeLease(database: Database): Promise<boolean> {
  const taken = await database.query({
    name: 'snapshot-lease',
    text: `update metric_snapshot set leased_until = now() + make_interval(secs => $1) where leased_until <= now() returning 1`,
    values: [FRESH_S],
  });
  return taken.length > 0;
}

async function readStored(
  database: Database,
): Promise<{ readonly samples: readonly Sample[]; readonly ageS: number } | undefined> {
  const [row] = await database.query<{ samples: readonly Sample[]; ageS: number | null }>({
    name: 'snapshot-read',
    text: 'select samples, extract(epoch from now() - taken_at)::float8 as "ageS" from metric_snapshot',
  });
  return row === undefined || row.ageS === null ? undefined : { samples: row.samples, ageS: row.ageS };
}
