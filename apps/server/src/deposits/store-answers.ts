/** The statements that store what a provider was asked and what it answered, for several deposits of one operator. */
import type { DepositResponse } from '@opencashier/contract/api';
import type { DepositState } from '@opencashier/core/deposit/deposit-lifecycle';
import type { Batch } from '../database/batches.ts';
import type { Queryable } from '../database/database.ts';
import { firstOfEach } from '../database/first-of-each.ts';
import { wakeNoticed } from '../provider-events/event-store.ts';
import type { DepositRow } from './deposit-row.ts';
import { nextCheckDelayS } from './reconciliation-schedule.ts';

/** The state of a deposit that its provider accepted. */
const ACCEPTED = 'awaiting_payment' satisfies DepositState;

/** The answer of a provider that accepted a payment. */
export interface AcceptedAnswer {
  readonly row: DepositRow;
  readonly providerRef: string | null;
  readonly response: DepositResponse | null;
  readonly lifetimeS: number;
}

export interface StoredAnswers {
  /** For each answer, whether it was stored. False: something else changed the deposit, or is changing it. */
  readonly isStored: readonly boolean[];
  /** True: reports that came before their deposits are due now. */
  readonly isWoken: boolean;
}

/**
 * Stores the answers for deposits of one operator that nothing else has changed. A deposit that somebody else holds is left
 * out, so that its neighbours do not wait for it.
 */
export async function storeAnswers(queryable: Queryable, answers: Batch<AcceptedAnswer>): Promise<StoredAnswers> {
  const asked = firstOfEach(answers, ({ row }) => row.id);
  const stored = await queryable.query<{ id: string; woken: number }>({
    name: 'deposit-created',
    // The bounds of nth exclude nothing. By them, by `lateral` and by the operator of `held` the plan uses the key also while the
    // table is new.
    text: `with answered as (
        select id, provider, provider_ref, response, lifetime_s
        from rows from (json_to_recordset($1::json)
          as (id uuid, provider text, provider_ref text, response jsonb, lifetime_s int)) with ordinality
          as answered(id, provider, provider_ref, response, lifetime_s, nth)
        where nth between 1 and 1000000
      ), held as (
        select answered.*, operator_id from answered cross join lateral (
          select operator_id from deposit where deposit.operator_id = $4 and deposit.id = answered.id and deposit.state = 'created'
          for update skip locked) as locked
      ), noticed as (
        select event.provider, event.event_id from answered join deposit_event event on event.status = 'parked'
          and (event.deposit_id = answered.id
            or (event.provider = answered.provider and event.body ->> 'providerRef' = answered.provider_ref))
        for key share of event
      ), ${wakeNoticed('deposit_event')}
      update deposit set state = $2, cause = 'provider-answer',
        provider_ref = coalesce(deposit.provider_ref, held.provider_ref), response = held.response,
        lifetime_s = held.lifetime_s, expires_at = created_at + make_interval(secs => held.lifetime_s),
        busy_until = null, checks = 0, check_at = now() + make_interval(secs => $3::float8)
      from held where deposit.operator_id = held.operator_id and deposit.id = held.id returning deposit.id, (select count(*)::int from woken) as woken`,
    values: [
      JSON.stringify(
        asked.map(({ row: { id, provider }, providerRef, response, lifetimeS }) => ({
          id,
          provider,
          provider_ref: providerRef,
          response,
          lifetime_s: lifetimeS,
        })),
      ),
      ACCEPTED,
      nextCheckDelayS(ACCEPTED, 0) ?? null,
      answers[0].row.operatorId,
    ],
  });
  const ids = new Set(stored.map(({ id }) => id));
  const isAsked = new Set(asked);
  return {
    isStored: answers.map((answer) => isAsked.has(answer) && ids.has(answer.row.id)),
    isWoken: stored.some(({ woken }) => woken > 0),
  };
}

/** A request as it is sent to a provider. */
export interface ProviderRequest {
  readonly operatorId: string;
  readonly depositId: string;
  readonly request: string;
}

/**
 * Stores requests for deposits of one operator, before the calls. Answers the stored ones: the first of each deposit counts.
 * Answers undefined where another transaction stored the request meanwhile: this statement does not see it, and a later one does.
 */
export async function keepRequests(
  queryable: Queryable,
  requests: Batch<ProviderRequest>,
): Promise<(string | undefined)[]> {
  const kept = await queryable.query<{ id: string; request: string }>({
    name: 'deposit-provider-request',
    text: `with asked as (
        select * from unnest($1::uuid[], $2::text[]) with ordinality as asked(deposit_id, request, nth)
      ), kept as (
        insert into provider_request (operator_id, deposit_id, request)
        select $3, deposit_id, request from asked order by deposit_id, nth
        on conflict do nothing returning deposit_id, request
      )
      select deposit_id as id, request from kept
      union all select deposit_id, request from provider_request
        where operator_id = $3 and deposit_id = any($1)`,
    values: [
      requests.map(({ depositId }) => depositId),
      requests.map(({ request }) => request),
      requests[0].operatorId,
    ],
  });
  const requestOf = new Map(kept.map(({ id, request }) => [id, request]));
  return requests.map(({ depositId }) => requestOf.get(depositId));
}
