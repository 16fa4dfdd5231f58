/** Sends pushes from the outbox, in their order, after their commit. A push is only a hint, so it gets few tries. */
import type { DueWork } from '../jobs/due-worker.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';

const BATCH = 250;
const LEASE_S = 10;
const MOST_TRIES = 5;

interface PushRow {
  readonly id: bigint;
  readonly operatorId: string;
  readonly userId: string;
  readonly name: string;
  readonly body: unknown;
  readonly attempts: number;
}

export function sendPushes(core: PaymentsCore): DueWork<readonly PushRow[]> {
  return {
    name: 'pushes',
    idleMs: 500,
    async claim() {
      const rows = await core.database.query<PushRow>({
        name: 'push-claim',
        // By the primary key: the table is as small as what waits, and an index of due rows would change with every claim.
        text: `update outbox set attempts = attempts + 1, next_at = now() + make_interval(secs => $2)
          where id in (select id from outbox where next_at <= now() order by id limit $1 for update skip locked)
          returning id, operator_id as "operatorId", user_id as "userId", name, body, attempts`,
        values: [BATCH, LEASE_S],
      });
      // All pushes of a claim are one item, so that a user's pushes keep their order.
      return rows.length === 0 ? [] : [rows.sort((left, right) => (left.id < right.id ? -1 : 1))];
    },
    async handle(rows) {
      core.failpoint?.('pushes-claimed');
      const done: bigint[] = [];
      for (const row of rows) {
        if (await trySend(core, row)) done.push(row.id);
      }
      core.failpoint?.('pushes-sent');
      await core.database.query({
        name: 'push-done',
        text: 'delete from outbox where id = any($1::bigint[])',
        values: [done],
      });
    },
  };
}

/** @returns whether the row is finished: sent, or given up */
async function trySend(core: PaymentsCore, row: PushRow): Promise<boolean> {
  try {
    await core.pusher.push(row.operatorId, row.userId, row.name, row.body);
    return true;
  } catch (error) {
    core.logger.warn({ push: row.name, attempts: row.attempts, err: error }, 'push failed');
    return row.attempts >= MOST_TRIES;
  }
}
