/** The rows of call-backs that wait to be sent. A row survives the process; a sender holds it only for the time of a lease. */
import type { Database } from '../../../database/database.ts';

/** Longer than one request may take, so that no row is sent twice at once by two living senders. */
const LEASE_MS = 30_000;
const BATCH = 50;

export interface DueCallback {
  readonly id: bigint;
  readonly ref: string;
  readonly eventId: string;
  readonly body: string;
  readonly isForged: boolean;
  readonly dueAt: number;
  /** This one included. */
  readonly attempts: number;
}

export interface CallbackOutbox {
  /** Takes what is due, oldest first, and leases it. */
  claim(now: number): Promise<DueCallback[]>;
  finish(id: bigint, now: number, result: string): Promise<void>;
  retry(id: bigint, at: number, result: string): Promise<void>;
  /** When something falls due next that nobody has in hand: ms since epoch, or undefined when nothing waits. */
  nextDueAt(): Promise<number | undefined>;
}

interface DueRow {
  readonly id: bigint;
  readonly ref: string;
  readonly event_id: string;
  readonly body: string;
  readonly is_forged: boolean;
  readonly due_at: Date;
  readonly attempts: number;
}

const CLAIM = `
  update sandbox_callback
  set leased_until = $2, attempts = attempts + 1
  where id in (
    select id from sandbox_callback
    where finished_at is null and due_at <= $1 and (leased_until is null or leased_until <= $1)
    order by due_at, id
    limit ${BATCH}
    for update skip locked
  )
  returning id, coalesce(ref, payout_ref) as ref, event_id, body, is_forged, due_at, attempts`;

export function createCallbackOutbox(database: Database): CallbackOutbox {
  return {
    async claim(now) {
      const rows = await database.query<DueRow>({
        name: 'sandbox-callback-claim',
        text: CLAIM,
        values: [new Date(now), new Date(now + LEASE_MS)],
      });
      return rows.map(toDueCallback).sort((left, right) => left.dueAt - right.dueAt || Number(left.id - right.id));
    },

    async finish(id, now, result) {
      await database.query({
        text: 'update sandbox_callback set finished_at = $2, leased_until = null, result = $3 where id = $1',
        values: [id, new Date(now), result],
      });
    },

    async retry(id, at, result) {
      await database.query({
        text: 'update sandbox_callback set due_at = $2, leased_until = null, result = $3 where id = $1',
        values: [id, new Date(at), result],
      });
    },

    async nextDueAt() {
      const [row] = await database.query<{ next: Date | null }>({
        name: 'sandbox-callback-next',
        text: 'select min(due_at) as next from sandbox_callback where finished_at is null and leased_until is null',
      });
      return row?.next?.getTime();
    },
  };
}

function toDueCallback(row: DueRow): DueCallback {
  return {
    id: row.id,
    ref: row.ref,
    eventId: row.event_id,
    body: row.body,
    isForged: row.is_forged,
    dueAt: row.due_at.getTime(),
    attempts: row.attempts,
  };
}
