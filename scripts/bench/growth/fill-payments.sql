-- Deposits $first to $last of $deposits, in the order of time over $months months, with everything that happened to them. About ten
-- postings for each deposit: its credit, withdrawals, and transfers between the user and the operator.
-- Triggers and foreign keys are off, so that the fill takes minutes instead of hours. The audit checks the rows afterwards.
set local session_replication_role = replica;
set local synchronous_commit = off;
set local work_mem = '256MB';

create temp table made on commit drop as
select drawn.*, person.operator_id, person.user_id, 'ref-' || n as provider_ref,
  case when outcome = 'expired' then null else gen_random_uuid() end as payment_id,
  outcome in ('credited', 'reversed', 'refunded') as is_credited,
  least(created + interval '3 minutes', now()) as paid_at,
  provider = 'sandbox' and n % 6 = 0 as is_crypto
from (
  select n, gen_random_uuid() as id,
    floor($users * power(random(), 1.5))::int as u,
    now() - interval '30 days' * $months * (1 - n / $deposits::float8) as created,
    (5 + floor(random() * 195))::bigint * 100 as amount,
    (array['sandbox', 'sandbox', 'acquirer', 'wallet'])[1 + n % 4] as provider,
    (array['card', 'upi', 'card', 'bank'])[1 + n % 4] as method,
    case when n > $deposits * 0.999 then 'awaiting_payment'
      when n > $deposits * 0.98 and n % 50 = 0 then 'late_paid'
      when r < 0.10 then 'expired' when r < 0.13 then 'declined' when r < 0.15 then 'cancelled'
      when r < 0.153 then 'reversed' when r < 0.16 then 'refunded' else 'credited' end as outcome
  from (select n, random() as r from generate_series($first, $last) n) numbers) drawn
join bench.person on person.u = drawn.u;
update made set payment_id = null where outcome in ('declined', 'cancelled', 'awaiting_payment');
analyze made;

insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, country, currency, amount, state, rank, cause,
  reason, created_at, updated_at, lifetime_s, expires_at, provider, provider_ref, request, response, remote_status, txid, blockchain,
  crypto_currency, confirmations, required_confirmations, paid, credited, review, review_since, reviews)
select made.id, operator_id, user_id, made.id, sha256(uuid_send(made.id)), method, 'IN', 'USD', amount, state, rank, 'report',
  case when outcome in ('expired', 'declined') then 'transaction.reason.expired' end, created, paid_at, 1800,
  case when outcome = 'awaiting_payment' then now() + interval '1 day' else created + interval '30 minutes' end,
  provider, provider_ref, jsonb_build_object('fields', '{}'::jsonb, 'language', 'en', 'returnUrl', 'https://play.example/cashier/return'),
  jsonb_build_object('type', 'redirect', 'depositId', made.id, 'apiResponse', jsonb_build_object('type', 'redirect',
    'source', 'https://pay.' || provider || '.example/pay/' || provider_ref,
    'data', case when is_crypto then jsonb_build_object('depositAddress', 'T' || md5(n::text)) else '{}'::jsonb end)),
  'paid', case when is_crypto then md5('tx' || n) || md5('id' || n) end, case when is_crypto then 'tron' end,
  case when is_crypto then 'USDT' end, case when is_crypto then 20 end, case when is_crypto then 20 end,
  case when payment_id is not null then amount end, case when is_credited then amount end,
  case when outcome = 'late_paid' then 'late' end, case when outcome = 'late_paid' then paid_at end,
  case when outcome = 'late_paid' then 1 else 0 end
from made join deposit_state on state = outcome;
insert into deposit_key (operator_id, user_id, client_key, deposit_id, at) select operator_id, user_id, id, id, created from made;
insert into provider_request (operator_id, deposit_id, request, at)
select operator_id, id, 'amount=' || amount || '&currency=USD&merchantReference=' || id || '&returnUrl=https%3A%2F%2Fplay.example', created from made;
insert into deposit_history (operator_id, deposit_id, n, from_state, to_state, cause, at)
select operator_id, id, 1, null, 'created', 'create', created from made
union all select operator_id, id, 2, 'created', 'awaiting_payment', 'provider-answer', created from made
union all select operator_id, id, 3, 'awaiting_payment', case when is_credited then 'credited' when outcome = 'late_paid' then 'expired' else outcome end,
  'report', paid_at from made where outcome <> 'awaiting_payment'
union all select operator_id, id, 4, 'credited', outcome, 'report', paid_at from made where outcome in ('reversed', 'refunded')
union all select operator_id, id, 4, 'expired', outcome, 'report', paid_at from made where outcome = 'late_paid';

insert into payment (id, operator_id, deposit_id, provider, provider_ref, origin, state, currency, amount, credited_at, reason, review,
  review_since, created_at, updated_at)
select payment_id, operator_id, id, provider, provider_ref, 'deposit',
  case outcome when 'late_paid' then 'in_review' when 'reversed' then 'charged_back' else outcome end, 'USD', amount,
  case when is_credited then paid_at end, case when outcome = 'late_paid' then 'late' end, case when outcome = 'late_paid' then 1 end,
  case when outcome = 'late_paid' then paid_at end, paid_at, paid_at
from made where payment_id is not null;
create temp table reported on commit drop as
select time_id(paid_at) as body_id, provider, 'evt-' || n as event_id, jsonb_build_object('provider', provider, 'eventId', 'evt-' || n, 'depositId', id, 'providerRef',
    provider_ref, 'outcome', 'paid', 'paidMinor', amount::text, 'currency', 'USD', 'at', paid_at)
    || case when is_crypto then jsonb_build_object('chain', jsonb_build_object('txid', md5('tx' || n) || md5('id' || n))) else '{}' end as body,
  id, 'credited' as outcome, paid_at
from made where payment_id is not null
union all select time_id(paid_at), provider, 'evt-back-' || n, jsonb_build_object('provider', provider, 'eventId', 'evt-back-' || n,
  'outcome', 'reversed', 'providerRef', provider_ref), id, 'reversed', paid_at from made where outcome = 'reversed';
insert into event_body (id, body) select body_id, body from reported;
insert into deposit_event (provider, event_id, body_id, body_hash, reported, paid, currency, txid, deposit_id, status, outcome, received_at)
select provider, event_id, body_id, sha256(uuid_send(id)), body ->> 'outcome', (body ->> 'paidMinor')::numeric, body ->> 'currency',
  body #>> '{chain,txid}', id, 'applied', outcome, paid_at from reported;
create temp table arrived on commit drop as
select time_id(paid_at) as id, provider as source, 'msg-' || n as message_id, paid_at as received_at, convert_to(json_build_object('id', 'evt-' || n, 'type', 'payment.paid', 'created',
    paid_at, 'data', json_build_object('payment', provider_ref, 'merchantReference', id, 'amount', json_build_object('value', amount,
    'currency', 'USD'), 'paid', json_build_object('value', amount, 'currency', 'USD')))::text, 'UTF8') as raw
from made where payment_id is not null;
insert into webhook_inbox (id, source, message_id, raw, received_at) select id, source, message_id, raw, received_at from arrived;
insert into inbox_key (source, message_id, body_hash, inbox_id) select source, message_id, sha256(raw), id from arrived;
insert into dispute (id, operator_id, deposit_id, payment_id, provider, event_id, state, currency, amount, created_at)
select gen_random_uuid(), operator_id, id, payment_id, provider, 'evt-back-' || n, 'open', 'USD', amount, paid_at from made where outcome = 'reversed';
insert into refund (id, operator_id, refund_id, deposit_id, payment_id, origin, amount, currency, staff, state, confirmed_at, created_at)
select refunded, operator_id, refunded, id, payment_id, 'operator', amount, 'USD', 'sam', 'succeeded', paid_at, paid_at
from (select made.*, gen_random_uuid() as refunded from made where outcome = 'refunded') of;

-- Withdrawals of users whose deposit was credited: four fifths of its amount.
create temp table sent on commit drop as
select n, gen_random_uuid() as id, gen_random_uuid() as payout_id, operator_id, user_id, amount * 4 / 5 as amount, 100 as fee,
  'out-' || n as provider_ref, provider, least(created + interval '2 days', now()) as created,
  case when n % 20 = 0 then 'declined' else 'paid' end as outcome
from made where outcome = 'credited' and random() < 0.21;
insert into withdrawal (id, operator_id, user_id, client_key, fingerprint, payment_method, country, account_type, currency, amount, fee,
  state, rank, cause, created_at, updated_at, expires_at, provider, provider_ref, request, submissions)
select id, operator_id, user_id, id, sha256(uuid_send(id)), 'bank', 'IN', 'main', 'USD', amount, fee, state, rank, 'report', created,
  created, created + interval '1 hour', provider, provider_ref, '{"fields": {}}', 1
from sent join withdrawal_state on state = outcome;
insert into withdrawal_key (operator_id, user_id, client_key, withdrawal_id, at) select operator_id, user_id, id, id, created from sent;
insert into withdrawal_history (operator_id, withdrawal_id, n, from_state, to_state, cause, at)
select operator_id, id, 1, null, 'held', 'create', created from sent
union all select operator_id, id, 2, 'held', 'submitted_unknown', 'user', created from sent
union all select operator_id, id, 3, 'submitted_unknown', 'submitted', 'provider-answer', created from sent
union all select operator_id, id, 4, 'submitted', outcome, 'report', created from sent;
insert into withdrawal_destination (operator_id, mark, created_at, withdrawal_id)
select operator_id, sha256(convert_to(user_id, 'UTF8')), created, id from sent;
insert into payout (operator_id, id, withdrawal_id, provider, provider_ref, currency, amount, state, created_at, updated_at)
select operator_id, payout_id, id, provider, provider_ref, 'USD', amount - fee, outcome, created, created from sent;
create temp table sent_report on commit drop as
select time_id(created) as body_id, provider, 'out-evt-' || n as event_id, jsonb_build_object('provider', provider, 'eventId', 'out-evt-' || n,
  'withdrawalId', id, 'outcome', outcome, 'paidMinor', (amount - fee)::text, 'currency', 'USD') as body, id, outcome, created from sent;
insert into event_body (id, body) select body_id, body from sent_report;
insert into withdrawal_event (provider, event_id, body_id, body_hash, reported, paid, currency, withdrawal_id, status, outcome, received_at)
select provider, event_id, body_id, sha256(uuid_send(id)), body ->> 'outcome', (body ->> 'paidMinor')::numeric, body ->> 'currency', id,
  'applied', outcome, created from sent_report;

-- Transfers to the operator and back: a user's play, in pairs, so that no balance falls below zero.
create temp table moved on commit drop as
select gen_random_uuid() as id, operator_id, user_id, j % 2 = 1 as is_to_user, case j % 2 when 1 then 500 else 400 end as amount,
  least(created + interval '1 hour' * j, now()) as at
from made cross join generate_series(1, 4) j where outcome = 'credited';
insert into operator_transfer (operator_id, transfer_id, user_id, currency, amount, from_account, to_account, created_at)
select operator_id, id, user_id, 'USD', amount, case when is_to_user then 'operator' else 'main' end,
  case when is_to_user then 'main' else 'operator' end, at from moved;

-- Journals, each with its lines: up to three accounts by owner and kind, and their amounts.
create temp table booked on commit drop as
select time_id(at) as id, kind, operator_id, deposit_id, withdrawal_id, payment_id, refund_id, dispute_id, payout_id, source, ref,
  note, at, lines
from (
  select 'deposit_credit' as kind, operator_id, id as deposit_id, null::uuid as withdrawal_id, payment_id, null::uuid as refund_id,
    null::uuid as dispute_id, null::uuid as payout_id, provider as source, provider_ref as ref, null as note, paid_at as at,
    array[(provider, 'provider_clearing', -amount)::bench.line, (user_id, 'user', amount)::bench.line] as lines
  from made where is_credited
  union all select 'suspense_in', operator_id, id, null, payment_id, null, null, null, provider, provider_ref, null, paid_at,
    array[(provider, 'provider_clearing', -amount)::bench.line, ('', 'suspense', amount)::bench.line] from made where outcome = 'late_paid'
  union all select 'deposit_reversal', made.operator_id, made.id, null, made.payment_id, null, dispute.id, null, made.provider,
    made.provider_ref, null, paid_at,
    array[(made.provider, 'provider_clearing', made.amount)::bench.line, (user_id, 'user', -made.amount)::bench.line]
  from made join dispute on dispute.deposit_id = made.id where outcome = 'reversed'
  union all select each.kind, made.operator_id, made.id, null, made.payment_id, refund.id, null, null, 'hold', refund.id::text, each.note,
    paid_at, case each.kind when 'hold'
      then array[(user_id, 'user', -made.amount)::bench.line, (user_id, 'user_hold', made.amount)::bench.line]
      else array[(user_id, 'user_hold', -made.amount)::bench.line, (provider, 'provider_clearing', made.amount)::bench.line] end
  from made join refund on refund.deposit_id = made.id cross join (values ('hold', null), ('hold_end', 'post')) each(kind, note)
  where outcome = 'refunded'
  union all select 'hold', operator_id, null, id, null, null, null, null, 'hold', id::text, null, created,
    array[(user_id, 'user', -amount)::bench.line, (user_id, 'user_hold', amount)::bench.line] from sent
  union all select 'hold_end', operator_id, null, id, null, null, null, case outcome when 'paid' then payout_id end, 'hold', id::text,
    case outcome when 'paid' then 'post' else 'void' end, created, case outcome when 'paid'
      then array[(user_id, 'user_hold', -amount)::bench.line, (provider, 'provider_clearing', amount - fee)::bench.line,
        ('', 'withdrawal_fee', fee)::bench.line]
      else array[(user_id, 'user_hold', -amount)::bench.line, (user_id, 'user', amount)::bench.line] end from sent
  union all select 'operator_transfer', operator_id, null, null, null, null, null, null, 'operator:' || operator_id, id::text,
    case when is_to_user then 'operator to main' else 'main to operator' end, at,
    array[(user_id, 'user', case when is_to_user then amount else -amount end)::bench.line,
      ('', 'operator_clearing', case when is_to_user then -amount else amount end)::bench.line] from moved
) every;
insert into journal (id, operator_id, kind, deposit_id, withdrawal_id, payment_id, refund_id, dispute_id, payout_id, ext_source, ext_ref,
  note, at)
select id, operator_id, kind, deposit_id, withdrawal_id, payment_id, refund_id, dispute_id, payout_id, source, ref, note, at
from booked order by at;
insert into journal_key (operator_id, source, ref, kind, journal_id)
select journal.operator_id, key.source, key.ref, key.kind, journal.id
from booked join journal on journal.operator_id = booked.operator_id and journal.id = booked.id
cross join lateral journal_keys(journal) key;
insert into posting (operator_id, journal_id, account_id, asset, amount)
select booked.operator_id, booked.id, account.id, 'USD', line.amount
from booked cross join unnest(booked.lines) line
join account on account.operator_id = booked.operator_id and account.owner = line.owner and account.asset = 'USD' and account.kind = line.kind;

-- A webhook for each payment that ended. One of 200 was never delivered.
create temp table told on commit drop as
select time_id(at) as id, operator_id, type, deposit_id, withdrawal_id, body, at,
  case when random() < 0.005 then 'exhausted' else 'delivered' end as status
from (
  select operator_id, 'deposit.' || case outcome when 'credited' then 'processed' when 'late_paid' then 'under_review' else outcome end as type,
    id as deposit_id, null::uuid as withdrawal_id, json_build_object('type', 'deposit.processed', 'timestamp', paid_at, 'data',
      json_build_object('depositId', id, 'userId', user_id, 'amount', '25.00', 'currency', 'USD', 'paymentMethod', method, 'status',
      'accepted'))::text as body, paid_at as at
  from made where outcome <> 'awaiting_payment'
  union all select operator_id, 'withdrawal.' || outcome, null, id, json_build_object('type', 'withdrawal.paid', 'timestamp', created, 'data',
    json_build_object('withdrawalId', id, 'userId', user_id, 'amount', '25.00', 'currency', 'USD', 'status', 'accepted'))::text, created
  from sent) every;
insert into webhook_delivery (id, operator_id, type, deposit_id, withdrawal_id, body, status, created_at, delivered_at)
select id, operator_id, type, deposit_id, withdrawal_id, body, status, at, case status when 'delivered' then at end from told;
insert into webhook_attempt (operator_id, delivery_id, n, at, status, duration_ms) select operator_id, id, 1, at, 200, 40 from told;

-- The triggers would note the months of journals and webhooks that are later than their payments.
insert into later_month (operator_id, payment_id, month)
select operator_id, payment_id, month from (
  select made.operator_id, made.id as payment_id, date_trunc('month', entry.at at time zone 'UTC')::date as month, made.created
    from made join (select deposit_id, at from booked union all select deposit_id, at from told) entry on entry.deposit_id = made.id
  union select sent.operator_id, sent.id, date_trunc('month', entry.at at time zone 'UTC')::date, sent.created
    from sent join (select withdrawal_id, at from booked union all select withdrawal_id, at from told) entry on entry.withdrawal_id = sent.id) about
where month <> date_trunc('month', created at time zone 'UTC')::date;
