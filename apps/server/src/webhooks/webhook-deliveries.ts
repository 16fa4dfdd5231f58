/** Delivers each webhook at least once, with attempts over three days (SRV-5). */
import type { Clock } from '@opencashier/core/time/clock';
import type { Database, Queryable, Transaction } from '../database/database.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { measure } from '../observability/measure.ts';
import { noSpans, type Spans } from '../observability/spans.ts';
import type { Seal } from '../outbox/sealed-data.ts';
import { type ClaimedDelivery, claimWebhooks } from './claim-webhooks.ts';
import { createGoodAnswers, type GoodAnswers } from './good-answers.ts';
import type { postOnce } from './post-once.ts';
import { sendWebhook, type WebhookTry } from './send-webhook.ts';
import { closeCircuit, countFailure } from './webhook-circuit.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;
/** Seconds until the next attempt, by the number of failed attempts. Their sum is about three days. */
export const RETRY_DELAYS_S: readonly number[] = [
  5,
  5 * MINUTE_S,
  30 * MINUTE_S,
  2 * HOUR_S,
  5 * HOUR_S,
  10 * HOUR_S,
  14 * HOUR_S,
  20 * HOUR_S,
  24 * HOUR_S,
];
/** Random spread of a delay, so that deliveries that failed together are not sent together again. */
const JITTER = 0.2;
/** An address that fails for this long without one good answer is switched off. */
const LONGEST_FAILURE_S = RETRY_DELAYS_S.reduce((sum, delay) => sum + delay, 0);
/** Longer than any delay between two attempts of one webhook. */
const FORGOTTEN_AFTER_S = Math.max(...RETRY_DELAYS_S) * (1 + JITTER) + HOUR_S;
const TOO_MANY = 429;
const GONE = 410;

export interface DeliveryOptions {
  readonly database: Database;
  /** Absent: no traces. */
  readonly spans?: Spans;
  readonly clock: Clock;
  readonly allowInsecure: boolean;
  /** Decrypts the data that the database must not show. */
  readonly seal: Seal;
  readonly logger: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  readonly post?: typeof postOnce;
  /** For tests of crashes; see `failpoints`. */
  readonly failpoint?: ((name: 'webhook-claimed' | 'webhook-sent' | 'webhook-recorded') => void) | undefined;
  /** 0 to 1; for tests. */
  readonly random?: () => number;
}

/** The job that sends due webhooks. */
export function deliverWebhooks(options: DeliveryOptions): DueWork<ClaimedDelivery> {
  const goodAnswers = createGoodAnswers();
  return {
    name: 'webhooks',
    idleMs: 1000,
    isContinuous: true,
    claim: (inHand) => claimWebhooks(options.database, inHand, goodAnswers.inARow()),
    async giveBack(deliveries) {
      await options.database.query({
        name: 'webhook-give-back',
        text: `update webhook_queue set attempts = attempts - 1, next_at = now()
          where (operator_id, delivery_id, next_at) in (select * from unnest($1::text[], $2::uuid[], $3::timestamptz[]))`,
        values: [
          deliveries.map(({ operatorId }) => operatorId),
          deliveries.map(({ id }) => id),
          deliveries.map(({ leasedUntil }) => leasedUntil),
        ],
      });
    },
    async handle(delivery, signal) {
      options.failpoint?.('webhook-claimed');
      const body = bodyOf(delivery, options.seal);
      if (body === undefined) return drop(options, delivery);
      const { operatorId: operator, attempts: attempt, paymentId: payment } = delivery;
      await (options.spans ?? noSpans).begin(
        'webhook deliver',
        { operator, attempt },
        { payment: payment ?? undefined },
        async (span) => {
          const result = await sendWebhook({ ...delivery, body }, options, signal);
          if (result.kind === 'aborted') return;
          options.failpoint?.('webhook-sent');
          span.note({ outcome: result.kind === 'answered' ? String(result.status) : 'failed' });
          await recordTry(options, delivery, result, goodAnswers);
          options.failpoint?.('webhook-recorded');
        },
      );
    },
  };
}

/** The body, with its sealed data. It has the same bytes in every attempt. @returns undefined if another secret sealed the data */
export function bodyOf({ body, sealed }: Pick<ClaimedDelivery, 'body' | 'sealed'>, seal: Seal): string | undefined {
  if (sealed === null) return body;
  const secret = seal.open(sealed);
  if (secret === undefined) return undefined;
  const { data, ...rest }: { data: object } = JSON.parse(body);
  return JSON.stringify({ ...rest, data: { ...data, ...secret } });
}

async function drop({ database, logger }: DeliveryOptions, delivery: ClaimedDelivery): Promise<void> {
  const { id, operatorId } = delivery;
  logger.error({ deliveryId: id, operatorId }, 'webhook dropped: its data was encrypted with another secret');
  await endDelivery(database, delivery, 'dropped');
}

/** Another attempt is planned in the queue alone. An attempt without its lease changes nothing: see {@link endDelivery}. */
async function planAgain(
  transaction: Transaction,
  { operatorId, id, leasedUntil }: ClaimedDelivery,
  { delayS, attempts }: { readonly delayS: number; readonly attempts: number },
): Promise<void> {
  await transaction.query({
    name: 'webhook-again',
    text: `update webhook_queue set next_at = now() + make_interval(secs => $4), attempts = $5
      where operator_id = $1 and delivery_id = $2 and next_at = $3::timestamptz`,
    values: [operatorId, id, leasedUntil, delayS, attempts],
  });
}

/**
 * The end of a delivery leaves the queue. An attempt without its lease changes nothing: a replay or another node has the delivery now,
 * and its outcome counts.
 * @returns whether this attempt ended the delivery
 */
async function endDelivery(
  queryable: Queryable,
  { operatorId, id, leasedUntil }: ClaimedDelivery,
  ending: 'delivered' | 'exhausted' | 'dropped',
): Promise<boolean> {
  const ended = await queryable.query<{ ageS: number }>({
    name: 'webhook-outcome',
    text: `with ended as (
        delete from webhook_queue where operator_id = $1 and delivery_id = $2 and next_at = $3::timestamptz returning 1
      )
      update webhook_delivery set status = $4, delivered_at = case when $4 = 'delivered' then now() end
      where operator_id = $1 and id = $2 and exists (select 1 from ended)
      returning extract(epoch from now() - created_at)::float8 as "ageS"`,
    values: [operatorId, id, leasedUntil, ending],
  });
  for (const { ageS } of ended) {
    measure(queryable, 'webhooksEnded', { end: ending });
    if (ending === 'delivered') measure(queryable, 'webhookSeconds', {}, ageS);
  }
  return ended.length > 0;
}

type EndedTry = Exclude<WebhookTry, { kind: 'aborted' }>;

/**
 * Whether an attempt counts as a failure of the address, which may pause it. An answer such as 404 does not, because it comes fast and
 * delays no other webhook.
 */
const isFailure = (status: number | null): boolean => status === null || status >= 500 || status === TOO_MANY;

const isGood = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** The result of an attempt, for the metrics. */
function resultOf(status: number | null): string {
  if (status === null) return 'unreachable';
  if (isGood(status)) return 'delivered';
  return status >= 500 ? 'failed' : 'refused';
}

/** Where a delivery stands after an attempt. `replaced`: its address was replaced during the attempt, and the new one has all attempts. */
type Standing = 'delivered' | 'again' | 'replaced' | 'exhausted' | 'switched-off';

async function recordTry(
  options: DeliveryOptions,
  delivery: ClaimedDelivery,
  result: EndedTry,
  goodAnswers: GoodAnswers,
): Promise<void> {
  const status = result.kind === 'answered' ? result.status : null;
  const error = result.kind === 'failed' ? result.error : null;
  const durationMs = Math.round(result.durationMs);
  const spread = 1 + JITTER * (2 * (options.random ?? Math.random)() - 1);
  // Locks: circuit, queue, delivery, operator. A replay locks in the same order.
  const standing = await options.database.transaction(async (transaction) => {
    const isReplaced = await storeAttempt(transaction, delivery, { status, error, durationMs });
    return isReplaced ? standAtNew(transaction, delivery, status) : standAt(transaction, delivery, status, spread);
  });
  if (standing !== 'replaced') {
    if (isFailure(status)) goodAnswers.forget(delivery.operatorId);
    else goodAnswers.count(delivery.operatorId);
  }
  const fields = {
    deliveryId: delivery.id,
    operatorId: delivery.operatorId,
    attempt: delivery.attempts,
    status,
    error,
  };
  if (standing === 'switched-off') {
    options.logger.error(fields, 'webhook failed for the last time: the address is switched off');
  } else if (standing === 'replaced') {
    options.logger.warn(
      fields,
      'webhook failed at an address that was replaced meanwhile: the new one gets it at once',
    );
  } else if (standing !== 'delivered') options.logger.warn(fields, 'webhook failed');
}

/** @returns whether the operator has another address now, or none */
async function storeAttempt(
  transaction: Transaction,
  { operatorId, id, url }: ClaimedDelivery,
  { status, error, durationMs }: Pick<EndedTry, 'durationMs'> & { status: number | null; error: string | null },
): Promise<boolean> {
  const [stored] = await transaction.query<{ isReplaced: boolean }>({
    name: 'webhook-attempt',
    text: `insert into webhook_attempt (operator_id, delivery_id, n, status, error, duration_ms) values ($1, $2,
        (select coalesce(max(n), 0) + 1 from webhook_attempt where operator_id = $1 and delivery_id = $2), $3, $4, $5)
      returning (select webhook_url is distinct from $6 from operator where id = $1) as "isReplaced"`,
    values: [operatorId, id, status, error, durationMs, url],
  });
  measure(transaction, 'webhookAttempts', { result: resultOf(status) });
  return stored?.isReplaced ?? false;
}

/** After an attempt at the operator's address. An address that has failed for the last time is switched off. */
async function standAt(
  transaction: Transaction,
  delivery: ClaimedDelivery,
  status: number | null,
  spread: number,
): Promise<Standing> {
  const delayS = RETRY_DELAYS_S[delivery.attempts - 1];
  let failingS = 0;
  if (isFailure(status)) {
    failingS = await countFailure(transaction, delivery, { spread, forgottenAfterS: FORGOTTEN_AFTER_S });
  } else await closeCircuit(transaction, delivery);
  if (isGood(status)) {
    await endDelivery(transaction, delivery, 'delivered');
    return 'delivered';
  }
  if (await isReplacedNow(transaction, delivery)) return standAtNew(transaction, delivery, status);
  if (delayS !== undefined && status !== GONE && failingS <= LONGEST_FAILURE_S) {
    await planAgain(transaction, delivery, { delayS: delayS * spread, attempts: delivery.attempts });
    return 'again';
  }
  if (!(await endDelivery(transaction, delivery, 'exhausted'))) return 'again';
  // The new address of a replacement that waits for this webhook must stay on.
  const off = await transaction.query({
    text: `update operator set webhook_disabled_at = coalesce(webhook_disabled_at, now())
      where id = $1 and webhook_url = $2 returning 1`,
    values: [delivery.operatorId, delivery.url],
  });
  return off.length > 0 ? 'switched-off' : 'exhausted';
}

/**
 * Whether the operator has another address now, or none. A replacement locks the waiting webhooks first: either it has ended, or it waits
 * for the end of this transaction.
 */
async function isReplacedNow(
  transaction: Transaction,
  { operatorId, id, url, leasedUntil }: ClaimedDelivery,
): Promise<boolean> {
  await transaction.query({
    name: 'webhook-hold',
    text: `select from webhook_queue where operator_id = $1 and delivery_id = $2 and next_at = $3::timestamptz for update`,
    values: [operatorId, id, leasedUntil],
  });
  // A statement of its own, which sees what was committed while the one before waited.
  const replaced = await transaction.query({
    name: 'webhook-replaced',
    text: 'select 1 from operator where id = $1 and webhook_url is distinct from $2',
    values: [operatorId, url],
  });
  return replaced.length > 0;
}

/** After an attempt at an address that staff replaced during it. Its failure says nothing about the new address, nor does its answer. */
async function standAtNew(
  transaction: Transaction,
  delivery: ClaimedDelivery,
  status: number | null,
): Promise<Standing> {
  if (isGood(status)) {
    await endDelivery(transaction, delivery, 'delivered');
    return 'delivered';
  }
  await planAgain(transaction, delivery, { delayS: 0, attempts: 0 });
  return 'replaced';
}
