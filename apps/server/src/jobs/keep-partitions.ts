/** Makes the partitions of the coming months on every node, and knows how far they reach (docs/adr/0022). */
import type { Clock } from '@opencashier/core/time/clock';
import type { Database } from '../database/database.ts';
import { type Coverage, fewestMonths, makePartitions, readCoverage } from '../database/partitions.ts';
import type { DueWork } from './due-worker.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A node that cannot store the next rows must leave the load balancer shortly before. Earlier, all nodes would leave without need. */
const LAST_MINUTES_MS = 10 * 60_000;

export interface PartitionKeeper {
  /** The repeated work. It claims nothing: the look itself makes what is missing. */
  readonly work: DueWork<never>;
  /** The fewest months ahead; undefined before the first look. */
  monthsAhead(): number | undefined;
  /** False if payments of the next 10 minutes would find no partition. True before the first look. */
  isCovered(): boolean;
}

/**
 * @param clock the machine's: it only measures how old the last look is. Who moves the time of a sandbox makes its partitions before,
 *   so a move must not count as months without a look.
 */
export function createPartitionKeeper(
  database: Database,
  { clock, logger }: { readonly clock: Clock; readonly logger: { info(fields: object, message: string): void } },
): PartitionKeeper {
  let coverage: readonly Coverage[] = [];
  let lookedAt = clock.now();

  // Telemetry has a partition for each day. A payment does not need it.
  const isCoveredFor = (ms: number): boolean =>
    coverage.every(({ months, aheadMs }) => months === null || aheadMs - (clock.now() - lookedAt) >= ms);

  return {
    monthsAhead: () => fewestMonths(coverage),
    isCovered: () => isCoveredFor(LAST_MINUTES_MS),
    work: {
      name: 'partitions',
      idleMs: HOUR_MS,
      isByTimeAlone: true,
      async claim() {
        try {
          const made = await makePartitions(database, database.kind);
          if (made > 0) logger.info({ made }, 'partitions were made');
        } finally {
          coverage = await readCoverage(database);
          lookedAt = clock.now();
        }
        // After an error the worker checks again after half a minute, until somebody has made the partitions.
        if (!isCoveredFor(DAY_MS))
          throw new Error('The partitions of the next 24 hours are missing: run opencashier migrate');
        return [];
      },
      async handle() {
        // Nothing is claimed.
      },
    },
  };
}
