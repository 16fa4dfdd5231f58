/**
 * Listeners of the sandbox: requests that wait for webhooks (SRV-5). They read beside the queue, and never change it. Each operator has a
 * few places on a node, and a wait has an end.
 */
import type { ListenAnswer, ListenRequest } from '@opencashier/contract/operator';
import type { Clock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import type { Seal } from '../outbox/sealed-data.ts';
import { cursorOf, type ListenerPlace, placeOf, placeSince, readListened } from './listened-webhooks.ts';

/** Requests of one operator that wait on a node at a time. */
export const listenersPerOperator = 4;
/** Requests of all operators that wait on a node at a time. */
export const listenersPerNode = 64;
/** ms between two looks of a waiting request. */
const LOOK_MS = 500;
/**
 * How long an operator without an address counts as listening after a request, in seconds. A slow receiver on the engineer's machine
 * takes this time between two requests.
 */
const LISTENING_S = 600;

export interface WebhookListeners {
  /**
   * Waits for webhooks of the operator.
   * @param signal aborted when the caller has gone; the answer then is not read
   * @throws DomainError rate-limited when too many wait already; invalid-request for a wrong cursor
   */
  listen(operatorId: string, request: ListenRequest, signal: AbortSignal): Promise<ListenAnswer>;
  /** Ends every wait with an empty answer, and every later one. */
  stop(): void;
}

export interface ListenerParts {
  readonly database: Database;
  /** Signatures carry the machine's time, by which receivers judge them. */
  readonly clock: Clock;
  readonly seal: Seal;
}

export function createWebhookListeners({ database, clock, seal }: ListenerParts): WebhookListeners {
  const waiting = new Map<string, number>();
  const stopping = new AbortController();

  const take = (operatorId: string): (() => void) => {
    const own = waiting.get(operatorId) ?? 0;
    const all = [...waiting.values()].reduce((sum, count) => sum + count, 0);
    if (own >= listenersPerOperator)
      throw full(`At most ${listenersPerOperator} listeners of an operator wait at a time.`);
    if (all >= listenersPerNode) {
      throw full(
        `At most ${listenersPerNode} listeners of all operators wait at this cashier at a time. Yours are not too many.`,
      );
    }
    waiting.set(operatorId, own + 1);
    return () => {
      const left = (waiting.get(operatorId) ?? 1) - 1;
      if (left === 0) waiting.delete(operatorId);
      else waiting.set(operatorId, left);
    };
  };

  return {
    async listen(operatorId, { cursor, sinceSeconds, waitSeconds }, caller) {
      const given = cursor === undefined ? undefined : placeOf(cursor);
      const leave = take(operatorId);
      try {
        await rememberListener(database, operatorId);
        const place: ListenerPlace = given ?? (await placeSince(database, sinceSeconds));
        const signal = AbortSignal.any([caller, stopping.signal]);
        const endsAt = clock.now() + waitSeconds * 1000;
        for (;;) {
          const found = await readListened(database, operatorId, place, { seal, now: clock.now });
          if (found !== undefined) return { webhooks: found.webhooks, cursor: cursorOf(found.next) };
          const left = endsAt - clock.now();
          if (left <= 0 || signal.aborted) return { webhooks: [], cursor: cursorOf(place) };
          await pause(clock, Math.min(LOOK_MS, left), signal);
        }
      } finally {
        leave();
      }
    },
    stop: () => stopping.abort(),
  };
}

function full(message: string): DomainError {
  return new DomainError('rate-limited', message, { retryAfterSeconds: 5 });
}

/** By the machine's time: a moved clock of the sandbox ends no listener. */
async function rememberListener(database: Database, operatorId: string): Promise<void> {
  await database.query({
    name: 'webhook-listener',
    text: `insert into webhook_listener (operator_id, until) values ($1, pg_catalog.now() + make_interval(secs => $2))
      on conflict (operator_id) do update set until = excluded.until`,
    values: [operatorId, LISTENING_S],
  });
}
