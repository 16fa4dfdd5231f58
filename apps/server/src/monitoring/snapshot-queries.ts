/**
 * The queries behind the gauges that need the database (SRV-9). Each reads an index of what waits, never a table that grows for ever,
 * and at most {@link MOST_ROWS} rows. So a count of 10,000 means 10,000 or more.
 */

import { lanesOf } from '../jobs/lanes.ts';
import { forDisplay } from '../payment-ports/measure-move.ts';
import { DOUBTED_WALLETS, QUOTED_DOUBTS } from './doubted-wallets-query.ts';
import type { GaugeName, Sample } from './gauges.ts';
import { SHARED_WALLETS } from './shared-wallets-query.ts';

const MOST_ROWS = 10_000;
/** Operators whose webhooks wait, and payout files that wait. More of them are not looked at. */
const MOST_LANES = 2_000;

export interface SnapshotQuery {
  /** For the log and the metric of failures. */
  readonly name: string;
  readonly text: string;
  samplesOf(rows: readonly Row[]): readonly Sample[];
}

/** A row of any of the queries. */
interface Row {
  readonly label: string;
  readonly second?: string;
  readonly count: number;
  readonly age: number | null;
  /** Minor units. */
  readonly sum?: string;
}

/** The provider of a source, as `sourceOf` writes it: a connection is no label, because there are many. */
const providerOfSource = (source: string): string => `split_part(${source}, '/', 1)`;

const ageOf = (moment: string): string => `extract(epoch from now() - ${moment})::float8 as age`;

/** Samples of a count and of an age, with one label. A row without an age has nothing that waits. */
const countAndAge =
  (count: GaugeName, age: GaugeName, label?: string) =>
  (rows: readonly Row[]): readonly Sample[] =>
    rows.flatMap((row) => {
      const labels: Readonly<Record<string, string>> = label === undefined ? {} : { [label]: row.label };
      return [
        { gauge: count, labels, value: row.count },
        ...(row.age === null ? [] : [{ gauge: age, labels, value: row.age }]),
      ];
    });

export const SNAPSHOT_QUERIES: readonly SnapshotQuery[] = [
  {
    name: 'unknown-deposits',
    text: `select provider as label, count(*)::int as count, ${ageOf('min(created_at)')} from (
        select provider, created_at from deposit where state = 'submitted_unknown' order by created_at limit ${MOST_ROWS}) waiting
      group by provider`,
    samplesOf: countAndAge(
      'cashier_deposits_of_unknown_outcome',
      'cashier_oldest_deposit_of_unknown_outcome_seconds',
      'provider',
    ),
  },
  {
    name: 'open-withdrawals',
    text: `select state as label, count(*)::int as count, ${ageOf('min(created_at)')} from (
        select state, created_at from withdrawal where rank < 80 order by created_at limit ${MOST_ROWS}) waiting
      group by state`,
    samplesOf: countAndAge('cashier_withdrawals_open', 'cashier_oldest_open_withdrawal_seconds', 'state'),
  },
  {
    name: 'late-payouts',
    text: `select '' as label, count(*)::int as count, null as age from (
        select 1 from withdrawal where state = 'late_paid' limit ${MOST_ROWS}) waiting`,
    samplesOf: (rows) => rows.map(({ count }) => ({ gauge: 'cashier_late_payouts', labels: {}, value: count })),
  },
  {
    name: 'stopped-transfers',
    text: `select '' as label, count(*)::int as count, ${ageOf('min(changed_at)')} from (
        select changed_at from payout_transfer where state = 'stopped' order by operator_id, withdrawal_id limit ${MOST_ROWS}) stopped`,
    samplesOf: countAndAge('cashier_payout_transfers_stopped', 'cashier_oldest_stopped_payout_transfer_seconds'),
  },
  {
    name: 'payout-files',
    // An index search for each file that waits, the oldest first, however many transfers it has.
    text: `with recursive lane(name) as (${lanesOf('payout_transfer', 'file_id', `state = 'filed'`)})
      select why as label, count(*)::int as count, ${ageOf('min(since)')} from (
        select case when file.handed_at is null then 'not-handed-over' else 'no-answer' end as why,
          coalesce(file.handed_at, file.built_at) as since
        from (select name from lane where name is not null limit ${MOST_LANES}) lane
          cross join lateral (select operator_id from payout_transfer where state = 'filed' and file_id = lane.name limit 1) one
          join payout_file file on file.operator_id = one.operator_id and file.id = lane.name) waiting
      group by why`,
    samplesOf: countAndAge('cashier_payout_files_open', 'cashier_oldest_payout_file_seconds', 'why'),
  },
  {
    name: 'short-card-payouts',
    // The same rule as `completeRefunds`: a part was declined, and what is planned is less than what must arrive.
    text: `select '' as label, count(*)::int as count, ${ageOf('min(since)')} from (
        select since from (select operator_id, id, amount - fee as receives from withdrawal where rank < 80
            order by created_at limit ${MOST_ROWS}) open
          cross join lateral (select coalesce(sum(amount) filter (where state = 'planned'), 0) as planned,
              max(updated_at) filter (where state = 'declined') as since
            from payout_refund where operator_id = open.operator_id and withdrawal_id = open.id) refunds
        where since is not null and planned < receives) short`,
    samplesOf: countAndAge('cashier_card_payouts_short', 'cashier_oldest_short_card_payout_seconds'),
  },
  {
    name: 'coin-payouts',
    text: `select why as label, count(*)::int as count, ${ageOf('min(created_at)')} from (
        select created_at, case when state in ('refused', 'displaced') then 'checked' when reason in ('stuck', 'node-refused') then 'stuck'
            when state <> 'queued' or reason is null then 'on-the-way' when reason in ('low-balance', 'low-coin') then 'balance'
            when reason in (${QUOTED_DOUBTS}) then 'nodes' else 'limit' end as why
          from coin_payout where reported_at is null order by created_at limit ${MOST_ROWS}) waiting
      group by why`,
    samplesOf: countAndAge('cashier_coin_payouts_open', 'cashier_oldest_coin_payout_seconds', 'why'),
  },
  {
    name: 'coin-payout-fees',
    text: `select chain as label, count(*)::int as count, null as age from (
        select chain from coin_payout where fee_booked_at is null and state in ('confirmed', 'failed') limit ${MOST_ROWS}) unbooked
      group by chain`,
    samplesOf: (rows) =>
      rows.map(({ label, count }) => ({
        gauge: 'cashier_coin_payout_fees_unbooked',
        labels: { chain: label },
        value: count,
      })),
  },
  {
    name: 'hot-wallets',
    text: `select chain as label, max(is_low::int) as count, max(extract(epoch from now() - silent_since))::float8 as age
      from coin_wallet group by chain`,
    samplesOf: (rows) =>
      rows.flatMap(({ label: chain, count, age }): Sample[] => [
        { gauge: 'cashier_hot_wallet_low', labels: { chain }, value: count },
        { gauge: 'cashier_signer_silent_seconds', labels: { chain }, value: age ?? 0 },
      ]),
  },
  DOUBTED_WALLETS,
  SHARED_WALLETS,
  {
    name: 'open-refunds',
    text: `select '' as label, count(*)::int as count, ${ageOf('min(created_at)')} from (
        select created_at from refund where check_at is not null limit ${MOST_ROWS}) waiting`,
    samplesOf: countAndAge('cashier_refunds_open', 'cashier_oldest_open_refund_seconds'),
  },
  {
    name: 'suspense',
    text: `select currency as label, count(*)::int as count, sum(amount)::text as sum, ${ageOf('min(created_at)')} from (
        select currency, amount, created_at from payment where state = 'in_review' order by created_at limit ${MOST_ROWS}) waiting
      group by currency`,
    samplesOf: (rows) => [
      ...countAndAge('cashier_suspense_payments', 'cashier_oldest_suspense_seconds', 'currency')(rows),
      ...rows.map(({ label: currency, sum = '0' }): Sample => {
        return { gauge: 'cashier_suspense_amount', labels: { currency }, value: forDisplay(BigInt(sum), currency) };
      }),
    ],
  },
  {
    name: 'settlement-mismatches',
    // The id of a mismatch begins with its time.
    text: `select provider as label, count(*)::int as count, ${ageOf('min(time_of_id(id))')} from (
        select provider, id from settlement_mismatch where state in ('open', 'proposed') order by operator_id, id limit ${MOST_ROWS}) waiting
      group by provider`,
    samplesOf: countAndAge('cashier_settlement_mismatches', 'cashier_oldest_settlement_mismatch_seconds', 'provider'),
  },
  {
    name: 'unclosed-days',
    // An index search for each operator.
    text: `select '' as label, count(*)::int as count, ${ageOf(`min((last.day + 1)::timestamp at time zone 'UTC')`)}
      from operator cross join lateral (select day from day_close where operator_id = operator.id and state = 'closed'
        order by day desc limit 1) last`,
    samplesOf: (rows) =>
      rows.flatMap(({ age }) =>
        age === null ? [] : [{ gauge: 'cashier_unclosed_day_seconds', labels: {}, value: age }],
      ),
  },
  {
    name: 'pushes',
    text: `select '' as label, count(*)::int as count, ${ageOf('min(created_at)')} from (
        select created_at from outbox order by id limit ${MOST_ROWS}) waiting`,
    samplesOf: countAndAge('cashier_pushes_waiting', 'cashier_oldest_push_seconds'),
  },
  {
    name: 'webhooks',
    text: `select '' as label, count(*)::int as count, null as age from (
        select 1 from webhook_queue order by operator_id, delivery_id limit ${MOST_ROWS}) waiting`,
    samplesOf: (rows) => rows.map(({ count }) => ({ gauge: 'cashier_webhooks_waiting', labels: {}, value: count })),
  },
  {
    name: 'webhook-receivers',
    // An index search for each operator whose webhooks wait. The id of a webhook begins with its time.
    text: `with recursive lane(name) as (${lanesOf('webhook_queue', 'operator_id', 'true')}),
      receiver as (
        select case when operator.webhook_url is null then 'no-address'
            when operator.webhook_disabled_at is not null then 'switched-off'
            when circuit.paused_until > now() then 'paused' else 'active' end as state,
          (select delivery_id from webhook_queue where operator_id = lane.name order by delivery_id limit 1) as oldest
        from (select name from lane where name is not null limit ${MOST_LANES}) lane join operator on operator.id = lane.name
          left join webhook_circuit circuit on circuit.operator_id = operator.id and circuit.address = operator.webhook_url)
      select state as label, count(*)::int as count, max(extract(epoch from now() - time_of_id(oldest)))::float8 as age
      from receiver where oldest is not null group by state`,
    samplesOf: countAndAge('cashier_webhook_receivers', 'cashier_oldest_webhook_seconds', 'state'),
  },
  {
    name: 'wallet-calls',
    // The id of a call begins with its time. A call waits until its outcome is known, so the queue holds only such calls.
    text: `select '' as label, count(*)::int as count, ${ageOf('min(time_of_id(call_id))')} from (
        select call_id from operator_wallet_queue order by operator_id, call_id limit ${MOST_ROWS}) waiting`,
    samplesOf: countAndAge('cashier_wallet_calls_waiting', 'cashier_oldest_wallet_call_seconds'),
  },
  {
    name: 'callbacks',
    text: `with recursive lane(name) as (${lanesOf('inbox_queue', 'source', `status = 'new'`)})
      select ${providerOfSource('lane.name')} as label, sum(waiting.count)::int as count, ${ageOf('min(waiting.oldest)')} from lane cross join lateral (
        select count(*)::int as count, min(time_of_id(inbox_id)) as oldest from (
          select inbox_id from inbox_queue where source = lane.name and status = 'new' order by next_at limit ${MOST_ROWS}) queued
      ) waiting where lane.name is not null group by label`,
    samplesOf: countAndAge('cashier_callbacks_waiting', 'cashier_oldest_callback_seconds', 'provider'),
  },
  {
    name: 'callbacks-set-aside',
    // The name of an error is a class of the programs, never a text of a provider.
    text: `select ${providerOfSource('source')} as label, left(coalesce(last_error, 'Error'), 40) as second, count(*)::int as count, null as age from (
        select source, last_error from inbox_queue
        where status = 'dead' and inbox_id >= time_id_at(now() - interval '7 days') order by source, inbox_id desc limit ${MOST_ROWS}) aside
      group by label, second order by count desc limit 50`,
    samplesOf: (rows) =>
      rows.map(({ label: provider, second: error = 'Error', count: value }) => {
        return { gauge: 'cashier_callbacks_set_aside', labels: { provider, error }, value };
      }),
  },
  ...(['deposit', 'withdrawal'] as const).flatMap((type): SnapshotQuery[] => [
    {
      name: `parked-${type}-events`,
      text: `select provider as label, count(*)::int as count, null as age from (
          select provider from ${type}_event where status = 'parked' order by provider, body ->> 'providerRef' limit ${MOST_ROWS}) parked
        group by provider`,
      samplesOf: (rows) =>
        rows.map(({ label: provider, count: value }) => {
          return { gauge: 'cashier_parked_events', labels: { provider, type }, value };
        }),
    },
    {
      name: `retried-${type}-events`,
      text: `select '' as label, count(*)::int as count, ${ageOf('min(received_at)')} from (
          select received_at from ${type}_event where status = 'parked' and next_at is not null order by next_at limit ${MOST_ROWS}) tried`,
      samplesOf: ([row]) =>
        row === undefined || row.age === null
          ? []
          : [{ gauge: 'cashier_oldest_retried_event_seconds', labels: { type }, value: row.age }],
    },
  ]),
  {
    name: 'maintenance',
    text: `select kind as label, faults as count, ${ageOf('at')} from maintenance_run`,
    samplesOf: countAndAge('cashier_maintenance_faults', 'cashier_maintenance_age_seconds', 'kind'),
  },
];
