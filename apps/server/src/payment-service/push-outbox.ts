/**
 * Sends pushes from the outbox after their commit, those of a transaction or of a claim in their order. Leased ones may overtake others
 * that wait to be claimed. A push is only a hint, so it gets few tries, and the widget asks for the state that it is about.
 */
import type { DueWork, TakingWorker } from '../jobs/due-worker.ts';
import { PUSH_LEASE_S, type PushSender, type QueuedPush } from '../outbox/queued-push.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';

const BATCH = 250;
const MOST_TRIES = 5;
/** Pushes in hand. Above this number new ones wait in the table. */
const MOST_IN_HAND = 2_000;

/** Lets transactions lease their pushes to the worker of this node. A push that a dead node has leased is due when its lease ends. */
export function pushSenderOf(worker: () => Pick<TakingWorker<readonly QueuedPush[]>, 'inHand' | 'take'>): PushSender {
  return {
    hasPlace() {
      const inHand = worker().inHand();
      return inHand !== undefined && inHand.reduce((sum, rows) => sum + rows.length, 0) < MOST_IN_HAND;
    },
    take(pushes) {
      if (pushes.length > 0) worker().take([pushes]);
    },
  };
}

export function sendPushes(core: PaymentsCore): DueWork<readonly QueuedPush[]> {
  return {
    name: 'pushes',
    idleMs: 500,
    async claim() {
      const rows = await core.database.query<QueuedPush>({
        name: 'push-claim',
        // By the primary key: the table is as small as what waits, and an index of due rows would change with every claim.
        text: `update outbox set attempts = attempts + 1, next_at = now() + make_interval(secs => $2)
          where id in (select id from outbox where next_at <= now() order by id limit $1 for update skip locked)
          returning id, operator_id as "operatorId", user_id as "userId", name, body, attempts`,
        values: [BATCH, PUSH_LEASE_S],
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
async function trySend(core: PaymentsCore, row: QueuedPush): Promise<boolean> {
  try {
    await core.pusher.push(row.operatorId, row.userId, row.name, row.body);
    return true;
  } catch (error) {
    core.logger.warn({ push: row.name, attempts: row.attempts, err: error }, 'push failed');
    return row.attempts >= MOST_TRIES;
  }
}
