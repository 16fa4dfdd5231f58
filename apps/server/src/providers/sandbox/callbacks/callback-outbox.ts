/** The callbacks that wait to be sent, in SQL. A row survives the process. A sender holds a row only for the time of a lease. */
import type { Database } from '../../../database/database.ts';

/** Longer than a request may take, so that two running senders never send the same row at once. */
const LEASE_MS = 30_000;
const BATCH = 50;

export interface DueCallback {
  readonly id: bigint;
  readonly ref: string;
  /** The connection of an operator that owns the payment. Null: the account in the settings of the server. */
  readonly account: string | null;
  readonly eventId: string;
  readonly body: string;
  readonly isForged: boolean;
  readonly dueAt: number;
  /** The number of attempts, with the current one. */
  readonly attempts: number;
}

export interface CallbackOutbox {
  /** Leases the callbacks that are due, the oldest first. */
  claim(now: number): Promise<DueCallback[]>;
  finish(id: bigint, now: number, result: string): Promise<void>;
  retry(id: bigint, at: number, result: string): Promise<void>;
  /** When the next callback without a lease is due, in milliseconds since the epoch. Undefined when none waits. */
  nextDueAt(): Promise<number | undefined>;
}

interface DueRow {
  readonly id: bigint;
  readonly ref: string;
  readonly account: string | null;
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
  returning id, coalesce(ref, payout_ref) as ref,
    coalesce((select account from sandbox_payment payment where payment.ref = sandbox_callback.ref),
      (select account from sandbox_payout payout where payout.ref = sandbox_callback.payout_ref)) as account, event_id, body, is_forged, due_at, attempts`;

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
    account: row.account,
    eventId: row.event_id,
    body: row.body,
    isForged: row.is_forged,
    dueAt: row.due_at.getTime(),
    attempts: row.attempts,
  };
}
