/**
 * Finds payments by any of their names, with everything that happened to them (SRV-1, SRV-3). It only reads. It never selects the
 * fields that a user entered, nor the bodies of webhooks.
 */
import type { FoundPayment, LookupResponse } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import { inEachMonth, monthsOf, type OfMonth, type PaymentMonth } from '../../ledger/payment-months.ts';
import { walletCallsOf } from '../../operator-wallet/wallet-records.ts';
import { deliveriesOf } from '../../webhooks/delivery-records.ts';
import { type ToldBody, toldBy } from '../reports/waiting-reports.ts';

const mostPayments = 20;
/** Entries of each list of a payment, at most. */
const mostEach = 100;

type Kind = FoundPayment['type'];
type By = FoundPayment['matchedBy'];
type Of<Row> = Row & { readonly id: string };
/** The operators of the shown payments, and the ids of the payments. */
type Names = readonly (readonly string[])[];

/**
 * One statement for each kind of name, for each operator `searched`: the indexes begin with the operator. $1 is the operator or null. $2
 * is the name as a UUID or null, $3 as given, $4 in small letters. $5 is the most payments. $6 has the marks of the name as a destination.
 * It opens no month: see `dated`.
 */
const named = `
  select 'deposit' as type, id, 'id' as by from deposit where operator_id = searched.id and $2::uuid is not null and id = $2
  union all select 'deposit', id, 'id' from deposit where operator_id = searched.id and client_key = $2 and client_key <> id
  -- The provider knows an attempt by its own id. The money of a failed one is in another deposit.
  union all select 'deposit', unnest(array[deposit_id, money_deposit_id]), 'id' from deposit_attempt
    where operator_id = searched.id and $2::uuid is not null and id = $2
  union all select 'withdrawal', id, 'id' from withdrawal where operator_id = searched.id and $2::uuid is not null and id = $2
  union all select 'withdrawal', id, 'id' from withdrawal where operator_id = searched.id and client_key = $2 and client_key <> id
  union all select 'deposit', deposit_id, 'id' from refund where operator_id = searched.id and $2::uuid is not null and id = $2
  union all select 'deposit', deposit_id, 'id' from refund where operator_id = searched.id and refund_id = $2
  union all select 'deposit', id, 'reference' from deposit where operator_id = searched.id and provider_ref = $3
  union all select 'withdrawal', id, 'reference' from withdrawal where operator_id = searched.id and provider_ref = $3
  -- A key of an archived month has no journal. Its payment has the same reference.
  union all select 'deposit', payment.deposit_id, 'reference' from journal_key fact join payment on payment.provider = fact.source
      and payment.provider_ref = fact.ref and payment.operator_id = fact.operator_id
    where fact.operator_id = searched.id and fact.ref = $3 and fact.journal_id < archived_before()
  union all select 'deposit', id, 'transaction' from deposit
    where operator_id = searched.id and txid is not null and lower(txid) = $4
  union all select 'deposit', id, 'address' from deposit
    where operator_id = searched.id and response #>> '{apiResponse,data,depositAddress}' is not null
      and lower(response #>> '{apiResponse,data,depositAddress}') = $4
  union all (select 'deposit', id, 'user' from deposit
    where operator_id = searched.id and user_id = $3 order by created_at desc, id desc limit $5)
  union all (select 'withdrawal', id, 'user' from withdrawal
    where operator_id = searched.id and user_id = $3 order by created_at desc, id desc limit $5)
  union all select 'withdrawal', went.withdrawal_id, 'destination' from unnest($6::bytea[]) wanted(mark)
    cross join lateral (select withdrawal_id from withdrawal_destination place
      where place.operator_id = searched.id and place.mark = wanted.mark order by place.created_at desc limit $5) went`;

/**
 * Payments by the ids of webhooks and journals, which begin with a time. $1 is the operator or null, $2 the name as a UUID or null. $3 has
 * the journals of a fact with this name. A plan with these values opens only the months of the ids. It is apart from `named`, whose plan
 * the database keeps: a kept plan would list all months.
 */
const dated = `
  select searched.id as "operatorId", one.* from operator searched cross join lateral (
    select case when deposit_id is null then 'withdrawal' else 'deposit' end as type, coalesce(deposit_id, withdrawal_id) as id, 'id' as by
      from webhook_delivery where operator_id = searched.id and id = $2
    union all select case when deposit_id is null then 'withdrawal' else 'deposit' end, coalesce(deposit_id, withdrawal_id), 'id'
      from known_journal where operator_id = searched.id and id = $2
    union all select case when deposit_id is null then 'withdrawal' else 'deposit' end, coalesce(deposit_id, withdrawal_id), 'reference'
      from known_journal where operator_id = searched.id and id = any($3::uuid[])) one
  where ($1::text is null or searched.id = $1) and one.id is not null`;

/** Deposits by what a chain knows of them. These tables are of the whole service, so each operator is asked whether it has the deposit. */
const onChain = `
  select searched.id as operator_id, 'deposit' as type, deposit.id, seen.by from (
    select deposit_id, 'transaction' as by from deposit_event
      where txid is not null and lower(txid) = $4
    union all select place.deposit_id, 'transaction' from crypto_output output
      join crypto_address place using (chain, address) where lower(output.txid) = $4
    union all select deposit_id, 'address' from crypto_address where lower(address) = $4) seen
  cross join searched
  cross join lateral (select id from deposit where operator_id = searched.id and id = seen.deposit_id offset 0) deposit`;

const columns = (
  type: Kind,
): string => `'${type}' as type, payment.operator_id as "operatorId", payment.id, operator.partner_key as operator,
  payment.user_id as "userId", payment.payment_method as "paymentMethod", payment.provider, payment.connection_id as "connectionId", payment.provider_ref as reference,
  payment.state, payment.amount, payment.currency, payment.created_at as created, payment.updated_at as updated`;

interface PaymentRow {
  readonly type: Kind;
  readonly id: string;
  readonly matchedBy: By;
  readonly operator: string;
  readonly operatorId: string;
  readonly userId: string;
  readonly paymentMethod: string;
  readonly provider: string;
  readonly connectionId: string | null;
  readonly reference: string | null;
  readonly transaction: string | null;
  readonly addresses: string[];
  readonly state: FoundPayment['state'];
  readonly amount: bigint;
  readonly currency: string;
  readonly review: NonNullable<FoundPayment['review']> | null;
  readonly created: Date;
  readonly updated: Date;
}

/**
 * Finds the newest payments that have this name.
 * @param operatorId undefined: payments of all operators, for the command line
 * @param marks hashes of the name as a destination; they find the withdrawals that went there
 */
export async function findPayments(
  queryable: Queryable,
  operatorId: string | undefined,
  name: string,
  marks: readonly Buffer[] = [],
): Promise<LookupResponse> {
  const byTime = await findDated(queryable, operatorId, name);
  const rows = await queryable.query<PaymentRow>({
    name: 'payment-lookup',
    text: `with searched as materialized (select id from operator where $1::text is null or id = $1), named as (
        select searched.id as operator_id, one.* from searched cross join lateral (${named}) one union all ${onChain}
        union all select * from unnest($7::text[], $8::text[], $9::uuid[], $10::text[])
      ), found as (
        select operator_id, type, id, array_agg(distinct by order by by) as by from named where id is not null
        group by operator_id, type, id
      )
      select * from (
        select ${columns('deposit')}, found.by as "matchedBy", payment.txid as transaction, payment.review,
          array(select address from crypto_address where deposit_id = payment.id union
            select payment.response #>> '{apiResponse,data,depositAddress}'
            where payment.response #>> '{apiResponse,data,depositAddress}' is not null) as addresses
        from found join operator on operator.id = found.operator_id
          cross join lateral (select * from deposit where operator_id = found.operator_id and id = found.id offset 0) payment
        where found.type = 'deposit'
        union all
        select ${columns('withdrawal')}, found.by as "matchedBy", null, null, array[]::text[]
        from found join operator on operator.id = found.operator_id
          cross join lateral (select * from withdrawal where operator_id = found.operator_id and id = found.id offset 0) payment
        where found.type = 'withdrawal'
      ) payments order by created desc, id limit $5`,
    values: [
      operatorId ?? null,
      isUuid(name) ? name : null,
      name,
      name.toLowerCase(),
      mostPayments + 1,
      marks,
      ...(['operatorId', 'type', 'id', 'by'] as const).map((column) => byTime.map((row) => row[column])),
    ],
  });
  const shown = rows.slice(0, mostPayments);
  const ids = shown.map(({ id }) => id);
  const names = [[...new Set(shown.map(({ operatorId }) => operatorId))], ids];
  const months = await monthsOf(queryable, shown);
  const [histories, reports, journals, refunds, webhooks, walletCalls] = await Promise.all([
    historyOf(queryable, names),
    reportsOf(queryable, ids),
    journalsOf(queryable, months),
    refundsOf(queryable, names),
    deliveriesOf(queryable, months, mostEach),
    walletCallsOf(queryable, names[0] ?? [], ids, mostEach),
  ]);
  const payments = shown.map((row) => ({
    ...viewOf(row),
    history: histories.get(row.id) ?? [],
    reports: reports.get(row.id) ?? [],
    journals: journals.get(row.id) ?? [],
    refunds: refunds.get(row.id) ?? [],
    webhooks: webhooks.get(row.id) ?? [],
    ...(walletCalls.has(row.id) && { walletCalls: walletCalls.get(row.id) }),
  }));
  return { payments, hasMore: rows.length > mostPayments };
}

interface Dated {
  readonly operatorId: string;
  readonly type: Kind;
  readonly id: string;
  readonly by: By;
}

async function findDated(
  queryable: Queryable,
  operatorId: string | undefined,
  name: string,
): Promise<readonly Dated[]> {
  const facts = await queryable.query<{ journalId: string }>({
    name: 'payment-lookup-facts',
    text: `select fact."journalId" from operator cross join lateral (select journal_id as "journalId" from journal_key
        where operator_id = operator.id and ref = $2 offset 0) fact where $1::text is null or operator.id = $1`,
    values: [operatorId ?? null, name],
  });
  const id = isUuid(name) ? name : null;
  if (id === null && facts.length === 0) return [];
  const values = [operatorId ?? null, id, facts.map(({ journalId }) => journalId)];
  return queryable.query<Dated>({ text: dated, values });
}

function viewOf({
  operatorId: _operator,
  connectionId,
  reference,
  transaction,
  review,
  amount,
  created,
  updated,
  ...row
}: PaymentRow) {
  return {
    ...row,
    ...(connectionId !== null && { connectionId }),
    ...(reference !== null && { reference }),
    ...(transaction !== null && { transaction }),
    ...(review !== null && { review }),
    amount: decimal(amount, row.currency),
    created: created.toISOString(),
    updated: updated.toISOString(),
  };
}

const decimal = (minor: bigint, currency: string): string => toDecimalString(minor, decimalsOf(currency));

/** The views of each payment's rows, in their order and at most `mostEach`. */
function byPayment<Row, View>(rows: readonly Of<Row>[], view: (row: Of<Row>) => View): Map<string, View[]> {
  const lists = new Map<string, View[]>();
  for (const row of rows) {
    const list = lists.get(row.id) ?? [];
    if (list.length < mostEach) list.push(view(row));
    lists.set(row.id, list);
  }
  return lists;
}

async function historyOf(queryable: Queryable, names: Names) {
  interface Step {
    readonly from: FoundPayment['state'] | null;
    readonly to: FoundPayment['state'];
    readonly cause: string;
    readonly at: Date;
  }
  const rows = await queryable.query<Of<Step>>({
    name: 'payment-lookup-history',
    text: `select deposit_id as id, from_state as from, to_state as to, cause, at, n from deposit_history
        where operator_id = any($1::text[]) and deposit_id = any($2::uuid[])
      union all select withdrawal_id, from_state, to_state, cause, at, n from withdrawal_history
        where operator_id = any($1::text[]) and withdrawal_id = any($2::uuid[]) order by n`,
    values: names,
  });
  return byPayment(rows, ({ from, to, cause, at }) => ({
    ...(from !== null && { from }),
    to,
    cause,
    at: at.toISOString(),
  }));
}

async function reportsOf(queryable: Queryable, ids: readonly string[]) {
  interface Report {
    readonly eventId: string;
    readonly outcome: ToldBody['outcome'];
    readonly paid: string | null;
    readonly currency: string | null;
    readonly txid: string | null;
    /** Absent: the report is applied, and its body is in its month. */
    readonly body: ToldBody | null;
    readonly bodyId: string | null;
    readonly status: 'applied' | 'parked';
    readonly result: string;
    readonly received: Date;
  }
  const rows = await queryable.query<Of<Report>>({
    name: 'payment-lookup-reports',
    text: `select deposit_id as id, event_id as "eventId", reported as outcome, paid::text, currency, txid, body, body_id as "bodyId",
        status, outcome as result, received_at as received from deposit_event where deposit_id = any($1::uuid[])
      union all select withdrawal_id, event_id, reported, paid::text, currency, null, body, body_id, status, outcome, received_at
        from withdrawal_event where withdrawal_id = any($1::uuid[]) order by received, "eventId"`,
    values: [ids],
  });
  const references = await referencesIn(queryable, rows);
  return byPayment(rows, ({ eventId, outcome, paid, currency, txid, body, bodyId, status, result, received }) => {
    const providerRef = body?.providerRef ?? references.get(bodyId ?? '');
    const told = {
      outcome,
      ...(providerRef !== undefined && { providerRef }),
      ...(paid !== null && { paidMinor: paid }),
      ...(currency !== null && { currency }),
    };
    return {
      eventId,
      outcome,
      status,
      result,
      ...toldBy(told),
      ...(txid !== null && { transaction: txid }),
      received: received.toISOString(),
    };
  });
}

/** The provider's references by the ids of bodies. Without those of archived months. */
async function referencesIn(
  queryable: Queryable,
  rows: readonly { readonly bodyId: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ bodyId }) => bodyId ?? []);
  if (ids.length === 0) return new Map();
  const found = await queryable.query<{ id: string; ref: string }>({
    // Without a name: only a plan with the ids leaves out the other months before it opens them.
    text: `select id, body ->> 'providerRef' as ref from event_body where id = any($1::uuid[]) and body ->> 'providerRef' is not null`,
    values: [ids],
  });
  return new Map(found.map(({ id, ref }) => [id, ref]));
}

const journalsIn = ({ payments, holds }: OfMonth): string => `
  select coalesce(deposit_id, withdrawal_id) as id, journal.id as "journalId", journal.kind, ext_source as source,
    ext_ref as reference, journal.at, (
      select json_agg(json_build_object('account', account.kind, 'owner', account.owner, 'amount', posting.amount::text,
        'currency', posting.asset) order by posting.amount)
      from (select * from known_posting where operator_id = journal.operator_id and journal_id = journal.id
        and ${holds('journal_id')} offset 0) posting
      cross join lateral (select * from account
        where account.operator_id = journal.operator_id and account.id = posting.account_id offset 0) account) as postings
  from ${payments} cross join lateral (select * from known_journal about where about.operator_id = payment.operator_id
    and (about.deposit_id = payment.id or about.withdrawal_id = payment.id) and ${holds('about.id')} offset 0) journal`;

async function journalsOf(queryable: Queryable, months: readonly PaymentMonth[]) {
  interface Journal {
    readonly journalId: string;
    readonly kind: string;
    readonly source: string;
    readonly reference: string;
    readonly at: Date;
    readonly postings: { account: string; owner: string; amount: string; currency: string }[];
  }
  if (months.length === 0) return new Map<string, never[]>();
  const rows = await queryable.query<Of<Journal>>(inEachMonth(months, journalsIn, 'at, "journalId"'));
  return byPayment(rows, ({ id: _payment, at, postings, ...journal }) => ({
    ...journal,
    at: at.toISOString(),
    postings: postings.map((one) => ({ ...one, amount: decimal(BigInt(one.amount), one.currency) })),
  }));
}

async function refundsOf(queryable: Queryable, names: Names) {
  interface Refund {
    readonly refundId: string;
    readonly state: FoundPayment['refunds'][number]['state'];
    readonly amount: bigint;
    readonly currency: string;
    readonly created: Date;
  }
  const rows = await queryable.query<Of<Refund>>({
    name: 'payment-lookup-refunds',
    text: `select deposit_id as id, refund_id as "refundId",
        case state when 'requested' then 'pending' when 'succeeded' then 'refunded' when 'bounced' then 'refunded' else state end as state,
        amount, currency, created_at as created
      from refund where operator_id = any($1::text[]) and deposit_id = any($2::uuid[]) and origin = 'operator'
      order by created_at, id`,
    values: names,
  });
  return byPayment(rows, ({ id: _payment, amount, created, ...refund }) => ({
    ...refund,
    amount: decimal(amount, refund.currency),
    created: created.toISOString(),
  }));
}
