/**
 * Which web-hooks are sent next. Every operator and every address has places of its own, and who has the fewest in hand comes
 * first, so that a receiver that hangs holds up nobody else's web-hooks (SRV-5).
 */
import type { Database } from '../database/database.ts';
import { lanesOf, placesTaken } from '../jobs/lanes.ts';
import type { OutgoingWebhook } from './send-webhook.ts';
import { TRUSTED_FAILURES } from './webhook-circuit.ts';

export interface ClaimedDelivery extends OutgoingWebhook {
  readonly operatorId: string;
  readonly attempts: number;
  /** The deposit or withdrawal that it tells of. */
  readonly paymentId: string | null;
  readonly sealed: Buffer | null;
  /** Failures in a row of the address, as they stood at the claim. */
  readonly failures: number;
}

/** Longer than a try may take: a node that dies gives its deliveries back after this. */
const LEASE_S = 30;
/** Web-hooks that one node sends at a time. */
const PLACES = 128;
/** Of these so many are for operators of whom none is in hand. */
const PLACES_FOR_FIRST = 32;
export const PLACES_PER_OPERATOR = 4;
/** Scheme, host and port: several operators may have one receiver. */
const PLACES_PER_ADDRESS = 8;

const addressIn = (column: string): string => `substring(${column} from '^[^/]*//[^/?#]*')`;

const text = `with recursive useless as (
    update webhook_delivery set status = 'dropped', sealed = null where sealed is not null and useless_at <= now()
  ),
  lane(name) as (${lanesOf('webhook_delivery', 'operator_id', `status = 'pending'`)}),
  receiver as (
    select operator.id, ${addressIn('operator.webhook_url')} as address, coalesce(taken.places, 0) as taken,
      coalesce(circuit.failures, 0) as failures
    from lane join operator on operator.id = lane.name
      left join webhook_circuit circuit on circuit.operator_id = operator.id and circuit.address = operator.webhook_url
      left join unnest($3::text[], $4::int[]) taken(name, places) on taken.name = operator.id
    where operator.webhook_url is not null and operator.webhook_disabled_at is null
      and (circuit.paused_until is null or circuit.paused_until <= now())
  ),
  due as (
    select delivery.id, delivery.next_at, receiver.id as operator_id, receiver.address,
      receiver.taken + row_number() over (partition by receiver.id order by delivery.next_at) as nth
    from receiver cross join lateral (
      select id, next_at from webhook_delivery
      where operator_id = receiver.id and status = 'pending' and next_at <= now()
        and (useless_at is null or useless_at > now())
      order by next_at
      limit greatest(0, case when receiver.failures >= ${TRUSTED_FAILURES} then 1 else ${PLACES_PER_OPERATOR} end - receiver.taken)
    ) delivery
  ),
  at_address as (
    select due.*, coalesce(taken.places, 0) + row_number() over (partition by due.address order by due.nth, due.next_at) as nth_there
    from due left join unnest($5::text[], $6::int[]) taken(name, places) on taken.name = due.address
  ),
  placed as (
    select id, nth, row_number() over (order by nth, next_at) as place from at_address where nth_there <= ${PLACES_PER_ADDRESS}
  )
  update webhook_delivery delivery set attempts = attempts + 1, next_at = now() + make_interval(secs => $2)
  from operator
  where operator.id = delivery.operator_id and delivery.id in (
    select id from webhook_delivery
    where status = 'pending' and next_at <= now()
      and id in (select id from placed where place <= $1::int - case when nth = 1 then 0 else ${PLACES_FOR_FIRST} end)
    for update skip locked)
  returning delivery.id, delivery.operator_id as "operatorId", delivery.body, delivery.attempts, delivery.sealed,
    coalesce(delivery.deposit_id, delivery.withdrawal_id) as "paymentId",
    coalesce((select failures from receiver where receiver.id = delivery.operator_id), 0) as failures,
    operator.webhook_url as url, case when operator.webhook_old_secrets_until <= now()
      then operator.webhook_secrets[1:1] else operator.webhook_secrets end as secrets`;

/** Takes what is due and has a place, beside what is in hand. */
export function claimWebhooks(database: Database, inHand: readonly ClaimedDelivery[]): Promise<ClaimedDelivery[]> {
  const operators = placesTaken(inHand.map(({ operatorId }) => operatorId));
  const addresses = placesTaken(inHand.map(({ url }) => addressOf(url)));
  return database.query({
    name: 'webhook-claim',
    text,
    values: [
      Math.max(0, PLACES - inHand.length),
      LEASE_S,
      operators.names,
      operators.counts,
      addresses.names,
      addresses.counts,
    ],
  });
}

/** The same part of an address as SQL takes it. */
function addressOf(url: string): string {
  return /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? '';
}
