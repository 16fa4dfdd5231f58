/**
 * Vacuums the small tables whose rows come and go, on the embedded database only. It has no autovacuum, so their pages and indexes would
 * grow with every payment. PostgreSQL vacuums by itself.
 */
import type { Database } from '../database/database.ts';
import type { DueWork } from './due-worker.ts';

/** Tables that hold few rows at a time. A vacuum of one takes milliseconds. */
export const QUEUES = [
  'commit_check',
  'outbox',
  'webhook_queue',
  'inbox_queue',
  'webhook_circuit',
  'metric_snapshot',
] as const;

/** One table in each round, so that payments wait for one short vacuum at most. ms. */
const IDLE_MS = 60_000;

/** @returns undefined on PostgreSQL */
export function vacuumQueues(database: Database): DueWork<never> | undefined {
  if (database.kind !== 'embedded') return undefined;
  let round = 0;
  return {
    name: 'vacuum',
    idleMs: IDLE_MS,
    isByTimeAlone: true,
    async claim() {
      const table = QUEUES[round % QUEUES.length];
      round += 1;
      await database.query({ text: `vacuum ${table}` });
      return [];
    },
    async handle() {
      // Nothing is claimed.
    },
  };
}
