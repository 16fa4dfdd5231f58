/**
 * Chooses the webhooks that a node sends next (SRV-5). A receiver that hangs must not delay the webhooks of other operators. So each
 * operator and each address may have only a few requests at a time, its places, and the operator with the fewest requests comes first.
 * Good answers earn an operator more places, but it may use them only while many places of the node are free. A confirmation code
 * expires within minutes, so it is sent before the other webhooks of its operator.
 */
import type { Database } from '../database/database.ts';
import { lanesOf, placesTaken } from '../jobs/lanes.ts';
import { signingSecrets } from '../operators/signing-secrets.ts';
import { WEBHOOK_LEASE_S } from '../outbox/begin-webhooks-anew.ts';
import type { OutgoingWebhook } from './send-webhook.ts';
import { TRUSTED_FAILURES } from './webhook-circuit.ts';

export interface ClaimedDelivery extends OutgoingWebhook {
  readonly operatorId: string;
  readonly attempts: number;
  /** The lease: its end, to the microsecond. A replay or a later claim writes another time, so it shows who holds the delivery. */
  readonly leasedUntil: string;
  /** The deposit or withdrawal that the webhook is about. */
  readonly paymentId: string | null;
  readonly sealed: Buffer | null;
}

/** Webhooks that one node sends at a time. */
const PLACES = 128;
/** The places of a node that only operators without a running request may use. */
const PLACES_FOR_FIRST = 32;
export const PLACES_PER_OPERATOR = 4;
/** The places of a node that are kept for the `PLACES_PER_OPERATOR` of all operators. Earned places never use them. */
const PLACES_FOR_OWN = 64;
/** The most places of an operator. It has earned them after as many good answers in a row. */
export const MOST_PLACES_PER_OPERATOR = 32;
/** An address is scheme, host and port. Several operators may share one receiver. */
const PLACES_PER_ADDRESS = 8;
/** Earned places of an address are counted separately, so that they do not use up the places of its other operators. */
const EARNED_PLACES_PER_ADDRESS = MOST_PLACES_PER_OPERATOR - PLACES_PER_OPERATOR;

const addressIn = (column: string): string => `substring(${column} from '^[^/]*//[^/?#]*')`;

const isEarned = `due.nth > ${PLACES_PER_OPERATOR}`;

const text = `with recursive useless as (
    delete from webhook_queue where sealed is not null and useless_at <= now() returning operator_id, delivery_id
  ),
  dropped as (
    update webhook_delivery set status = 'dropped' from useless
    where webhook_delivery.operator_id = useless.operator_id and webhook_delivery.id = useless.delivery_id
  ),
  lane(name) as (${lanesOf('webhook_queue', 'operator_id', 'true')}),
  code as materialized (
    select delivery_id as id, operator_id, next_at from webhook_queue
    where sealed is not null and useless_at > now() and next_at <= now()
  ),
  receiver as (
    select operator.id, ${addressIn('operator.webhook_url')} as address, coalesce(taken.places, 0) as taken,
      case when circuit.failures >= ${TRUSTED_FAILURES} then 1
        -- No more requests at a time than failures are left until the pause.
        when circuit.failures > 0 then least(${PLACES_PER_OPERATOR}, ${TRUSTED_FAILURES} - circuit.failures)
        else least(${MOST_PLACES_PER_OPERATOR}, greatest(${PLACES_PER_OPERATOR}, coalesce(earned.answers, 0))) end as places
    from lane join operator on operator.id = lane.name
      left join webhook_circuit circuit on circuit.operator_id = operator.id and circuit.address = operator.webhook_url
      left join unnest($3::text[], $4::int[]) taken(name, places) on taken.name = operator.id
      left join unnest($8::text[], $9::int[]) earned(name, answers) on earned.name = operator.id
    where operator.webhook_url is not null and operator.webhook_disabled_at is null
      and (circuit.paused_until is null or circuit.paused_until <= now())
  ),
  due as (
    select delivery.id, delivery.next_at, receiver.id as operator_id, receiver.address,
      receiver.taken + row_number() over (partition by receiver.id order by delivery.rank, delivery.next_at) as nth
    from receiver cross join lateral (
      select 1 as rank, id, next_at from code where operator_id = receiver.id
      union all
      (select 2, delivery_id, next_at from webhook_queue
        where operator_id = receiver.id and next_at <= now() and sealed is null and (useless_at is null or useless_at > now())
        order by next_at limit greatest(0, receiver.places - receiver.taken))
      order by rank, next_at
      limit greatest(0, receiver.places - receiver.taken)
    ) delivery
  ),
  at_address as (
    select due.*, coalesce(case when ${isEarned} then taken.earned else taken.own end, 0)
      + row_number() over (partition by due.address, ${isEarned} order by due.nth, due.next_at) as nth_there
    from due left join unnest($5::text[], $6::int[], $7::int[]) taken(name, own, earned) on taken.name = due.address
  ),
  placed as (
    select operator_id, id, nth, row_number() over (order by nth, next_at) as place from at_address due
    where nth_there <= case when ${isEarned} then ${EARNED_PLACES_PER_ADDRESS} else ${PLACES_PER_ADDRESS} end
  )
  update webhook_queue queued set attempts = attempts + 1, next_at = now() + make_interval(secs => $2)
  from operator, webhook_delivery delivery
  where operator.id = queued.operator_id and delivery.operator_id = queued.operator_id and delivery.id = queued.delivery_id
    and (queued.operator_id, queued.delivery_id) in (
      select operator_id, delivery_id from webhook_queue
      where next_at <= now() and (operator_id, delivery_id) in (select operator_id, id from placed where place <= $1::int - case
        when nth = 1 then 0 when nth <= ${PLACES_PER_OPERATOR} then ${PLACES_FOR_FIRST} else ${PLACES_FOR_OWN} end)
      for update skip locked)
  returning delivery.id, delivery.operator_id as "operatorId", delivery.body, queued.attempts, queued.sealed,
    queued.next_at::text as "leasedUntil",
    coalesce(delivery.deposit_id, delivery.withdrawal_id) as "paymentId",
    operator.webhook_url as url, ${signingSecrets} as secrets`;

/**
 * Claims the due webhooks that have a place, in addition to those that the node is sending.
 * @param goodAnswers good answers in a row, by operator; absent: no operator has earned places
 */
export function claimWebhooks(
  database: Database,
  inHand: readonly ClaimedDelivery[],
  goodAnswers: ReadonlyMap<string, number> = new Map(),
): Promise<ClaimedDelivery[]> {
  const operators = placesTaken(inHand.map(({ operatorId }) => operatorId));
  const addresses = addressesTaken(inHand);
  return database.query({
    name: 'webhook-claim',
    text,
    values: [
      Math.max(0, PLACES - inHand.length),
      WEBHOOK_LEASE_S,
      operators.names,
      operators.counts,
      addresses.names,
      addresses.own,
      addresses.earned,
      [...goodAnswers.keys()],
      [...goodAnswers.values()],
    ],
  });
}

function addressesTaken(inHand: readonly ClaimedDelivery[]) {
  const operators = new Map<string, number>();
  const taken = new Map<string, { own: number; all: number }>();
  for (const { operatorId, url } of inHand) {
    const nth = (operators.get(operatorId) ?? 0) + 1;
    operators.set(operatorId, nth);
    const { own, all } = taken.get(addressOf(url)) ?? { own: 0, all: 0 };
    const isOwn = nth <= PLACES_PER_OPERATOR && own < PLACES_PER_ADDRESS;
    taken.set(addressOf(url), { own: isOwn ? own + 1 : own, all: all + 1 });
  }
  const counts = [...taken.values()];
  return {
    names: [...taken.keys()],
    own: counts.map(({ own }) => own),
    earned: counts.map(({ own, all }) => all - own),
  };
}

/** Scheme, host and port of an address, cut out as in {@link addressIn}. */
function addressOf(url: string): string {
  return /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? '';
}
