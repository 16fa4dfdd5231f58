/** The sandbox company's own list of what moved on an account, so that reconciliation can be practised (SRV-1). */
import type { Clock } from '@opencashier/core/time/clock';
import type { Queryable } from '../../database/database.ts';
import {
  type ListAsked,
  type ListedMovement,
  type ListPage,
  MOST_LISTED,
  type OpenedAccount,
} from '../connection-kind.ts';
import { wonBack } from './payments/payment.ts';

interface MovementRow {
  readonly kind: ListedMovement['kind'];
  readonly ref: string;
  readonly ownId: string;
  readonly currency: string;
  readonly amount: bigint;
  /** Milliseconds since the epoch. */
  readonly at: bigint;
  readonly eventId: string;
}

/**
 * Every payment, refund, chargeback and payout with its time, and its id within that time. The company takes no fee. Money that was won
 * back is a return with a reference of its own, as in the reports about it.
 */
const MOVEMENTS = `select case fact ->> 'outcome' when 'paid' then 'payment' when 'returned' then 'return' else
        case fact ->> 'reason' when 'refund' then 'refund' else 'chargeback' end end as kind,
      case fact ->> 'outcome' when 'returned' then ref || '${wonBack}' else ref end as ref, deposit_id::text as "ownId", currency,
      case fact ->> 'outcome' when 'reversed' then -1 else 1 end * coalesce((fact ->> 'paidMinor')::bigint, amount_minor) as amount,
      (fact ->> 'at')::bigint as at, fact ->> 'eventId' as "eventId"
    from sandbox_payment cross join lateral jsonb_array_elements(facts) fact
    where account = $1 and fact ->> 'outcome' in ('paid', 'reversed', 'returned')
  union all
    select case fact ->> 'outcome' when 'paid' then 'payout' else 'return' end, ref, withdrawal_id::text, currency,
      case fact ->> 'outcome' when 'paid' then -1 else 1 end * receives_minor, (fact ->> 'at')::bigint, fact ->> 'eventId'
    from sandbox_payout cross join lateral jsonb_array_elements(facts) fact
    where account = $1 and fact ->> 'outcome' in ('paid', 'returned')`;

const PLACE = /^(\d{1,16}) (.{1,100})$/;

/** @param most movements of a page. Tests ask for fewer */
export async function listMovements(
  database: Queryable,
  clock: Pick<Clock, 'now'>,
  { connectionId, options }: Pick<OpenedAccount, 'connectionId' | 'options'>,
  { from, to, cursor }: ListAsked,
  most = MOST_LISTED,
): Promise<ListPage> {
  if (options['mood'] === 'down') return { kind: 'unknown', why: 'The sandbox is down, because its mood says so.' };
  const [, at = '0', eventId = ''] = PLACE.exec(cursor ?? '') ?? [];
  const rows = await database.query<MovementRow>({
    name: 'sandbox-list',
    text: `select * from (${MOVEMENTS}) moved where at >= $2 and at < $3 and at <= $4 and (at, "eventId") > ($5, $6)
      order by at, "eventId" limit $7`,
    values: [
      connectionId,
      Date.parse(`${from}T00:00:00Z`),
      Date.parse(`${to}T00:00:00Z`) + 86_400_000,
      clock.now(),
      at,
      eventId,
      most + 1,
    ],
  });
  const page = rows.slice(0, most);
  const last = page.at(-1);
  return {
    kind: 'page',
    movements: page.map(movementOf),
    ...(rows.length > most && last !== undefined && { next: `${last.at} ${last.eventId}` }),
  };
}

/** A refund does not keep our id: the cashier finds it by the payment. */
function movementOf({ kind, ref, ownId, currency, amount, at }: MovementRow): ListedMovement {
  return {
    kind,
    references: [ref],
    ...((kind === 'payment' || kind === 'payout' || kind === 'return') && { ownId }),
    currency,
    amountMinor: amount,
    feeMinor: 0n,
    day: new Date(Number(at)).toISOString().slice(0, 10),
  };
}
