-- Rows of a cashier in use on the baseline: at least one in every table, and payments in their typical states.
-- Every statement obeys the rules of the database, so that the ledger audit finds no fault. Migration
-- tests start with these rows.
-- Like the baseline, this file does not change. Rows for a later table or column belong in a file named after its migration.

insert into operator (id, partner_key, name, allowed_origins, webhook_url, webhook_secrets, debts_paid_by_deposits) values
  ('acme', 'acme-key', 'Acme Ltd', '{https://www.acme.example}', 'https://www.acme.example/hook', '{secret-new,secret-old}', true),
  ('bare', 'bare-key', 'Bare Ltd', '{}', null, '{}', false);
insert into clock_move (since, ahead_seconds) values (now(), 0);
insert into operator_api_key (operator_id, key_hash, label) values ('acme', sha256('key'), 'back end');
insert into catalogue_settings (operator_id, version, settings, staff) values ('acme', 1, '{"methods": []}', 'sam');
insert into own_texts (operator_id, locale, version, texts, staff) values ('acme', 'en', 1, '{"empty.hint": "Ask our chat"}', 'sam');
insert into bonus_settings (operator_id, version, bonuses, staff) values ('acme', 1, '[]', 'sam');
insert into bonus_engine_problem (operator_id, why, question_id, user_id, fields)
  values ('acme', 'status 503', gen_random_uuid(), 'ann', '[]');
insert into setting_change (operator_id, setting, by, before, after) values ('acme', 'operator.name', 'sam', '"Acme"', '"Acme Ltd"');
insert into user_policy (operator_id, user_id, version, deposits_blocked, block_reason, blocked_by, blocked_at)
  values ('acme', 'ann', 2, true, 'asked for it', 'sam', now());
insert into user_note (operator_id, user_id, note, by) values ('acme', 'ann', 'Called about a card', 'sam');
insert into approval_threshold (operator_id, currency, one, two, day) values ('acme', 'INR', 5000, 500000, null);
insert into provider_connection (operator_id, provider, name, mode, enabled, first_enabled_at, sealed, wrapped_key, key_id, shown)
  values ('acme', 'stripe', 'main', 'live', true, now(), '\x01', '\x02', '2026-01', '{}');
insert into routing_policy (operator_id, version, routes, staff) values ('acme', 1, '[]', 'sam');
insert into routing_health (operator_id, account, outcomes, demotions, probes_accepted, changed_at)
  values ('acme', 'installation/stripe', 'aaf', 0, 0, now());
insert into provider_quarantine values ('acme', 'paystack', 'installation', gen_random_uuid(), 'proven', 1, now(), now());

-- Books one journal: `lines` are [owner, asset, kind of account, amount].
create function pg_temp.book(kind text, source text, ref text, lines jsonb, deposit uuid default null, withdrawal uuid default null,
  words text default null) returns void language sql as $$
  insert into account (operator_id, owner, asset, kind, balance)
  select 'acme', line ->> 0, line ->> 1, line ->> 2,
    case when line ->> 2 in ('user', 'user_additional', 'user_hold', 'wallet_transit', 'reversal_debt', 'bonus') then 0 end
  from jsonb_array_elements(lines) line on conflict do nothing;
  with entry as (
    insert into journal (operator_id, kind, deposit_id, withdrawal_id, ext_source, ext_ref, note, payment_id, refund_id, dispute_id,
      payout_id)
    values ('acme', $1, deposit, withdrawal, source, ref, words,
      coalesce((select id from payment where provider = source and provider_ref = ref), (select payment_id from refund where id::text = ref)),
      (select id from refund where id::text = ref), (select dispute.id from dispute join payment on payment.id = payment_id
        where payment.provider_ref = ref and $1 in ('deposit_reversal', 'suspense_out')),
      (select id from payout where withdrawal_id = withdrawal and (words = 'post' or $1 like 'withdrawal%'))) returning id)
  insert into posting (operator_id, journal_id, account_id, asset, amount)
  select 'acme', entry.id, account.id, line ->> 1, (line ->> 3)::bigint from entry, jsonb_array_elements(lines) line
  join account on account.operator_id = 'acme' and account.owner = line ->> 0 and account.asset = line ->> 1
    and account.kind = line ->> 2;
$$;

-- Deposits.
-- Deposit 1 is credited with a bonus. Deposit 2 is crypto and being confirmed. Deposit 3 is reversed by a chargeback.
-- Deposit 4 was paid late and is under review. Deposit 5 is refunded. Deposit 6 buys a coin box.
-- Deposit 7 was paid late and credited by staff. Deposit 8 waits for its payment. The outcome of deposit 9 is unknown.
-- Deposits 10 to 14 have the other states. Deposit 3 is older, so its chargeback is of a later month.
with one as (select *, ('d0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id from (values (1, 'ana', 'upi', 'sandbox', 'INR', 50000), (2, 'ana', 'usdt_tron', 'crypto', 'USDT', 1000000),
  (3, 'ben', 'card', 'sandbox', 'INR', 30000), (4, 'ana', 'upi', 'sandbox', 'INR', 7000), (5, 'ana', 'upi', 'sandbox', 'INR', 20000),
  (6, 'cara', 'card', 'sandbox', 'INR', 10000), (7, 'ana', 'upi', 'sandbox', 'INR', 8000), (8, 'ana', 'p2p', 'sandbox', 'INR', 9000),
  (9, 'ana', 'card', 'sandbox', 'INR', 4000), (10, 'dan', 'card', 'sandbox', 'INR', 4000), (11, 'dan', 'card', 'sandbox', 'INR', 4000),
  (12, 'dan', 'card', 'sandbox', 'INR', 4000), (13, 'dan', 'card', 'sandbox', 'INR', 4000), (14, 'dan', 'card', 'sandbox', 'INR', 4000))
  as one(n, user_id, method, provider, currency, amount)
), taken as (
  insert into deposit_key (operator_id, user_id, client_key, deposit_id) select 'acme', user_id, id, id from one
)
insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, provider_ref, currency, amount,
  country, state, rank, request, lifetime_s, created_at, expires_at, open_amount, bonus, box)
select id, 'acme', user_id, id, sha256(n::text::bytea), method, provider, case when n <> 9 then 'pay-' || n end, currency, amount, 'IN',
  'created', 10, '{"fields": {}}', 1800, case n when 3 then now() - interval '40 days' else now() end, now() + interval '30 minutes', currency = 'USDT',
  case when n = 1 then '{"percent": 10}'::jsonb end,
  case when n = 6 then '{"boxId": "small", "gold": "1000", "sweep": "500", "isCounted": true}'::jsonb end
from one;
insert into deposit_key (operator_id, user_id, client_key, deposit_id) values ('acme', 'ana', 'd0000000-0000-4000-8000-0000000000ff', null);
insert into provider_request (operator_id, deposit_id, request) select operator_id, id, 'amount=50000' from deposit where provider_ref = 'pay-1';
insert into deposit_attempt (operator_id, deposit_id, n, id, provider, outcome, code, ended_at)
select operator_id, id, 1, id, provider, 'failed', 'unavailable', now() from deposit where id = 'd0000000-0000-4000-8000-000000000009';
insert into deposit_note (operator_id, deposit_id, n, note) select operator_id, id, 1, 'receipt 4711' from deposit where provider_ref = 'pay-8';

insert into deposit_event (provider, event_id, body, body_hash, deposit_id, status, outcome)
select 'sandbox', 'event-' || n, body, sha256(body::text::bytea), ('d0000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'applied', 'moved'
from (select n, jsonb_build_object('outcome', 'paid', 'paidMinor', amount::text, 'providerRef', 'pay-' || n) as body
  from (values (1, 50000), (3, 30000), (4, 7000), (5, 20000), (6, 10000), (7, 8000)) as paid(n, amount)) reported;
insert into deposit_event (provider, event_id, body, body_hash, deposit_id, status, outcome, next_at) values
  ('sandbox', 'event-3-back', '{"outcome": "reversed", "providerRef": "pay-3"}', sha256('back'),
    'd0000000-0000-4000-8000-000000000003', 'applied', 'moved', null),
  ('sandbox', 'event-3-again', '{"outcome": "reversed", "providerRef": "pay-3"}', sha256('again'),
    'd0000000-0000-4000-8000-000000000003', 'applied', 'moved', null),
  ('sandbox', 'event-stray', '{"outcome": "paid", "paidMinor": "1", "providerRef": "pay-0"}', sha256('stray'), null, 'parked',
    'unknown-payment', now() + interval '1 hour');
insert into report_dismissal (operator_id, provider, event_id, decided_by, reason)
  values ('acme', 'sandbox', 'event-stray', 'sam', 'a test of the provider');

insert into payment (id, operator_id, deposit_id, provider, provider_ref, origin, state, currency, amount, reason, review, review_since)
select ('ba000000-0000-4000-8000-00000000000' || n)::uuid, operator_id, id, provider, provider_ref, 'deposit',
  case when n in (4, 7) then 'in_review' else 'credited' end, currency, amount,
  case when n in (4, 7) then 'late' end, case when n in (4, 7) then 1 end, case when n in (4, 7) then now() end
from deposit join (values (1), (3), (4), (5), (6), (7)) as paid(n) on provider_ref = 'pay-' || n;
update payment set state = 'credited' where provider_ref = 'pay-7';
update deposit set (paid, credited, paid_debt, charged_fee, review, reviews, review_since) = (
  select paid, credited, paid_debt, charged_fee, review, reviews, review_since from payment_summary where deposit_id = deposit.id);

insert into sweepstake_box (operator_id, box_id, price, price_currency, gold, sweep, stock, taken)
  values ('acme', 'small', 10000, 'INR', 1000, 500, 10, 1);

select pg_temp.book('deposit_credit', 'sandbox', 'pay-1', '[["sandbox", "INR", "provider_clearing", -50000],
  ["ana", "INR", "user", 50000], ["", "INR", "bonus_expense", -5000], ["ana", "INR", "bonus", 5000]]',
  'd0000000-0000-4000-8000-000000000001');
select pg_temp.book('deposit_credit', 'sandbox', 'pay-3', '[["sandbox", "INR", "provider_clearing", -30000],
  ["ben", "INR", "user", 30000]]', 'd0000000-0000-4000-8000-000000000003');
select pg_temp.book('deposit_credit', 'sandbox', 'pay-5', '[["sandbox", "INR", "provider_clearing", -20000],
  ["ana", "INR", "user", 20000]]', 'd0000000-0000-4000-8000-000000000005');
select pg_temp.book('deposit_credit', 'sandbox', 'pay-6', '[["sandbox", "INR", "provider_clearing", -10000],
  ["", "INR", "coin_sales", 10000], ["", "GC", "coin_issue", -1000], ["cara", "GC", "user", 1000],
  ["", "SC", "coin_issue", -500], ["cara", "SC", "user", 500]]', 'd0000000-0000-4000-8000-000000000006');
select pg_temp.book('suspense_in', 'sandbox', 'pay-4', '[["sandbox", "INR", "provider_clearing", -7000],
  ["", "INR", "suspense", 7000]]', 'd0000000-0000-4000-8000-000000000004');
select pg_temp.book('suspense_in', 'sandbox', 'pay-7', '[["sandbox", "INR", "provider_clearing", -8000],
  ["", "INR", "suspense", 8000]]', 'd0000000-0000-4000-8000-000000000007');
select pg_temp.book('deposit_credit', 'sandbox', 'pay-7', '[["", "INR", "suspense", -8000], ["ana", "INR", "user", 8000]]',
  'd0000000-0000-4000-8000-000000000007');

update deposit set state = 'awaiting_payment', cause = 'submit', response = '{"apiResponse": {"data": {"depositAddress": "TAddress1"}}}'
  where provider_ref <> 'pay-10';
update deposit set state = 'submitted_unknown', cause = 'submit', check_at = now() where provider_ref is null;
update deposit set state = 'expired', cause = 'expiry' where provider_ref in ('pay-4', 'pay-7');
update deposit set state = 'late_paid', cause = 'report' where provider_ref in ('pay-4', 'pay-7');
update deposit set state = 'credited', cause = 'staff' where provider_ref = 'pay-7';
insert into review_decision (operator_id, review_id, decision, staff)
  values ('acme', 'deposit-d0000000-0000-4000-8000-000000000007-1', 'credit', 'sam');
update deposit set state = 'credited', cause = 'report'
  where provider_ref in ('pay-1', 'pay-3', 'pay-5', 'pay-6');
update deposit set state = 'confirming', cause = 'report', txid = 'tx-1', blockchain = 'tron', crypto_currency = 'USDT',
  confirmations = 3, required_confirmations = 20, received = 1000000 where provider_ref = 'pay-2';
update deposit set cause = 'report', state = case provider_ref when 'pay-11' then 'detected' when 'pay-12' then 'declined'
  when 'pay-13' then 'cancelled' else 'expired' end where provider_ref in ('pay-11', 'pay-12', 'pay-13', 'pay-14');

-- ben spends a part. Then a chargeback takes the rest and leaves a debt, and staff settle a part of it.
insert into operator_transfer (operator_id, transfer_id, user_id, currency, amount, from_account, to_account) values
  ('acme', 'a0000000-0000-4000-8000-000000000001', 'ana', 'INR', 6000, 'main', 'additional'),
  ('acme', 'a0000000-0000-4000-8000-000000000002', 'ben', 'INR', 10000, 'main', 'operator');
select pg_temp.book('operator_transfer', 'operator:acme', 'a0000000-0000-4000-8000-000000000001',
  '[["ana", "INR", "user", -6000], ["ana", "INR", "user_additional", 6000]]');
select pg_temp.book('operator_transfer', 'operator:acme', 'a0000000-0000-4000-8000-000000000002',
  '[["ben", "INR", "user", -10000], ["", "INR", "operator_clearing", 10000]]');
insert into dispute (id, operator_id, deposit_id, payment_id, provider, event_id, state, currency, amount)
select 'ab000000-0000-4000-8000-000000000001', operator_id, deposit_id, id, provider, 'event-3-back', 'open', currency, amount
from payment where provider_ref = 'pay-3';
update payment set state = 'charged_back' where provider_ref = 'pay-3';
select pg_temp.book('deposit_reversal', 'sandbox', 'pay-3', '[["sandbox", "INR", "provider_clearing", 30000],
  ["ben", "INR", "user", -20000], ["ben", "INR", "reversal_debt", -10000]]', 'd0000000-0000-4000-8000-000000000003');
update deposit set state = 'reversed', cause = 'report' where provider_ref = 'pay-3';
-- The provider returned the money once and took it again.
insert into payment (id, operator_id, deposit_id, provider, provider_ref, origin, state, currency, amount, reason, review, review_since)
select 'ba000000-0000-4000-8000-0000000000bb', operator_id, deposit_id, provider, 'pay-3:back', 'returned', 'in_review', currency, amount,
  'returned', 1, now() from payment where provider_ref = 'pay-3';
update dispute set state = 'won' where event_id = 'event-3-back';
select pg_temp.book('suspense_in', 'sandbox', 'pay-3:back', '[["sandbox", "INR", "provider_clearing", -30000],
  ["", "INR", "suspense", 30000]]', 'd0000000-0000-4000-8000-000000000003', null, 'returned');
insert into dispute (id, operator_id, deposit_id, payment_id, provider, event_id, state, currency, amount)
select 'ab000000-0000-4000-8000-000000000002', operator_id, deposit_id, id, provider, 'event-3-again', 'open', currency, amount
from payment where provider_ref = 'pay-3:back';
update payment set state = 'charged_back' where provider_ref = 'pay-3:back';
update deposit set reviews = 1 where provider_ref = 'pay-3';
select pg_temp.book('suspense_out', 'sandbox', 'pay-3:back', '[["sandbox", "INR", "provider_clearing", 30000],
  ["", "INR", "suspense", -30000]]', 'd0000000-0000-4000-8000-000000000003', null, 'taken back: event-3-again');
insert into debt_settlement (operator_id, decision_id, account_id, paid_from, amount, debt, decided_by, reason)
select 'acme', 'b0000000-0000-4000-8000-000000000001', id, 'operator', 4000, 10000, 'sam', 'goodwill'
from account where owner = 'ben' and kind = 'user';
select pg_temp.book('debt_settlement', 'operator:acme', 'b0000000-0000-4000-8000-000000000001',
  '[["", "INR", "operator_clearing", -4000], ["ben", "INR", "reversal_debt", 4000]]');
update account set frozen_at = now() - interval '1 hour' where owner = 'ben' and kind = 'user';
insert into account_release (operator_id, decision_id, account_id, frozen_since, debt, decided_by, reason)
select 'acme', 'b0000000-0000-4000-8000-000000000002', id, frozen_at, 10000, 'sam', 'will pay' from account where frozen_at is not null;
update account set frozen_at = null where owner = 'ben' and kind = 'user';
update account set frozen_at = now() where owner = 'ben' and kind = 'user';

-- A refund of d5, and one of d1 that the provider has not answered yet.
insert into refund (id, operator_id, refund_id, deposit_id, payment_id, origin, amount, currency, staff, state, check_at)
select id, 'acme', id, deposit_id, payment_id, 'operator', amount, 'INR', 'sam', state, check_at from (values
  ('e0000000-0000-4000-8000-000000000001'::uuid, 'd0000000-0000-4000-8000-000000000005'::uuid,
    'ba000000-0000-4000-8000-000000000005'::uuid, 20000, 'requested', null::timestamptz),
  ('e0000000-0000-4000-8000-000000000002', 'd0000000-0000-4000-8000-000000000001', 'ba000000-0000-4000-8000-000000000001', 1000,
    'requested', now())) as asked(id, deposit_id, payment_id, amount, state, check_at);
update refund set state = 'succeeded' where deposit_id = 'd0000000-0000-4000-8000-000000000005';
update payment set state = 'refunded' where provider_ref = 'pay-5';
select pg_temp.book('hold', 'hold', 'e0000000-0000-4000-8000-000000000001',
  '[["ana", "INR", "user", -20000], ["ana", "INR", "user_hold", 20000]]', 'd0000000-0000-4000-8000-000000000005');
select pg_temp.book('hold_end', 'hold', 'e0000000-0000-4000-8000-000000000001',
  '[["ana", "INR", "user_hold", -20000], ["sandbox", "INR", "provider_clearing", 20000]]', 'd0000000-0000-4000-8000-000000000005',
  null, 'post');
select pg_temp.book('hold', 'hold', 'e0000000-0000-4000-8000-000000000002',
  '[["ana", "INR", "user", -1000], ["ana", "INR", "user_hold", 1000]]', 'd0000000-0000-4000-8000-000000000001');
update deposit set state = 'refunded', cause = 'report' where provider_ref = 'pay-5';

-- cara plays her sweep coins and redeems some.
insert into coin_play (operator_id, play_id, user_id, asset, staked, won) values ('acme', 'play-1', 'cara', 'SC', 500, 600);
select pg_temp.book('coin_play', 'play', 'acme:play-1', '[["cara", "SC", "user", 100], ["", "SC", "coin_play", -100]]');

-- Withdrawals.
-- Withdrawal 1 is approved and paid. Withdrawal 2 is not confirmed yet and is paid out in another currency.
-- Withdrawal 3 is from the additional account and declined. Withdrawal 4 was paid after it had expired and is under review.
-- Withdrawal 5 redeems sweep coins and is paid. Withdrawal 6 waits for approval. Withdrawals 7 and 8 are at the provider.
insert into withdrawal (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, provider_ref, currency, amount, fee,
  country, account_type, state, rank, request, expires_at, payout_currency, payout_amount, payout_rate)
select ('f0000000-0000-4000-8000-00000000000' || n)::uuid, 'acme', user_id, ('f0000000-0000-4000-8000-00000000000' || n)::uuid,
  sha256(n::text::bytea), 'bank', 'sandbox', case when n <> 2 then 'out-' || n end, currency, amount, 100, 'IN', account, 'held', 10,
  '{"fields": {"account": "12345678"}}', now() + interval '1 hour', payout, case when payout is not null then 500000 end,
  case when payout is not null then '0.01' end
from (values (1, 'ana', 'INR', 10000, 'main', null), (2, 'ana', 'INR', 5000, 'main', 'USDT'), (3, 'ana', 'INR', 3000, 'additional', null),
  (4, 'ana', 'INR', 2000, 'main', null), (5, 'cara', 'SC', 300, 'main', 'USDT'), (6, 'ana', 'INR', 6000, 'main', null),
  (7, 'ana', 'INR', 1000, 'main', null), (8, 'ana', 'INR', 1000, 'main', null))
  as one(n, user_id, currency, amount, account, payout);
insert into withdrawal_key (operator_id, user_id, client_key, withdrawal_id)
select operator_id, user_id, client_key, id from withdrawal
union all select 'acme', 'ana', 'f0000000-0000-4000-8000-0000000000ff', null;
select pg_temp.book('hold', 'hold', id::text, jsonb_build_array(
  jsonb_build_array(user_id, currency, case account_type when 'main' then 'user' else 'user_additional' end, -amount),
  jsonb_build_array(user_id, currency, 'user_hold', amount)), null, id)
from withdrawal order by id;

update withdrawal set approvals_needed = 1, approval_because = 'amount', approval_since = now() where provider_ref in ('out-1', 'out-6');
update withdrawal set state = 'awaiting_approval', cause = 'user' where provider_ref in ('out-1', 'out-6');
insert into withdrawal_decision (operator_id, decision_id, withdrawal_id, decision, decided_by) values
  ('acme', 'b0000000-0000-4000-8000-000000000003', 'f0000000-0000-4000-8000-000000000001', 'approve', 'sam');
update withdrawal set state = 'submitted_unknown', cause = 'staff', submissions = 1, request = '{"fields": {}}'
  where provider_ref in ('out-1', 'out-3', 'out-5', 'out-7', 'out-8');
insert into payout (operator_id, id, withdrawal_id, provider, provider_ref, currency, amount, state)
select operator_id, ('e1000000-0000-4000-8000-00000000000' || right(provider_ref, 1))::uuid, id, provider, provider_ref,
  coalesce(payout_currency, currency), coalesce(payout_amount, amount - fee),
  case when provider_ref = 'out-4' then 'paid' else 'requested' end
from withdrawal where provider_ref in ('out-1', 'out-3', 'out-4', 'out-5', 'out-7', 'out-8');
update payout set state = 'accepted' where provider_ref = 'out-8';
update payout set state = 'declined' where provider_ref = 'out-3';
update payout set state = 'paid' where provider_ref in ('out-1', 'out-5');
update withdrawal set state = 'submitted', cause = 'report' where provider_ref = 'out-8';
update withdrawal set state = 'declined', cause = 'report', reason = 'account-closed', decline_cause = 'account-closed',
  decline_message = 'The account is closed.' where provider_ref = 'out-3';
update withdrawal set state = 'paid', cause = 'report' where provider_ref in ('out-1', 'out-5');
update withdrawal set state = 'expired', cause = 'expiry' where provider_ref = 'out-4';
update withdrawal set state = 'late_paid', cause = 'report' where provider_ref = 'out-4';
select pg_temp.book('hold_end', 'hold', 'f0000000-0000-4000-8000-000000000001', '[["ana", "INR", "user_hold", -10000],
  ["sandbox", "INR", "provider_clearing", 9900], ["", "INR", "withdrawal_fee", 100]]', null, 'f0000000-0000-4000-8000-000000000001',
  'post');
select pg_temp.book('hold_end', 'hold', 'f0000000-0000-4000-8000-000000000003', '[["ana", "INR", "user_hold", -3000],
  ["ana", "INR", "user_additional", 3000]]', null, 'f0000000-0000-4000-8000-000000000003', 'void');
select pg_temp.book('hold_end', 'hold', 'f0000000-0000-4000-8000-000000000004', '[["ana", "INR", "user_hold", -2000],
  ["ana", "INR", "user", 2000]]', null, 'f0000000-0000-4000-8000-000000000004', 'void');
select pg_temp.book('withdrawal_late_paid', 'sandbox', 'out-4', '[["", "INR", "suspense", -1900],
  ["sandbox", "INR", "provider_clearing", 1900]]', null, 'f0000000-0000-4000-8000-000000000004');
select pg_temp.book('hold_end', 'hold', 'f0000000-0000-4000-8000-000000000005', '[["cara", "SC", "user_hold", -300],
  ["", "SC", "coin_issue", 200], ["", "SC", "withdrawal_fee", 100], ["sandbox", "USDT", "provider_clearing", 500000],
  ["", "USDT", "coin_redemption", -500000]]', null, 'f0000000-0000-4000-8000-000000000005', 'post');
insert into withdrawal_event (provider, event_id, body, body_hash, withdrawal_id, status, outcome) values
  ('sandbox', 'out-event-1', '{"outcome": "paid", "paidMinor": "9900", "currency": "INR"}', sha256('out'), 'f0000000-0000-4000-8000-000000000001', 'applied', 'moved'),
  ('sandbox', 'out-event-4', '{"outcome": "paid", "paidMinor": "1900", "currency": "INR"}', sha256('out'), 'f0000000-0000-4000-8000-000000000004', 'applied', 'moved'),
  ('sandbox', 'out-event-5', '{"outcome": "paid", "paidMinor": "500000", "currency": "USDT"}', sha256('out'), 'f0000000-0000-4000-8000-000000000005', 'applied', 'moved');
insert into withdrawal_code (operator_id, withdrawal_id, channel, code_hash, expires_at)
  values ('acme', 'f0000000-0000-4000-8000-000000000002', 'sms', sha256('code'), now() + interval '10 minutes');
insert into wrong_code (operator_id, user_id, tried_at) values ('acme', 'ana', array[now()]);
-- A payout to the card that paid. Its hold is still there.
insert into paid_card (id, operator_id, user_id, provider, provider_card, brand, last4)
  values ('ca000000-0000-4000-8000-000000000001', 'acme', 'ana', 'sandbox', 'card-1', 'Visa', '4242');
insert into payment_card (operator_id, payment_id, card_id)
  values ('acme', 'ba000000-0000-4000-8000-000000000001', 'ca000000-0000-4000-8000-000000000001');
insert into payout_refund (operator_id, id, withdrawal_id, payment_id, amount, position)
  values ('acme', 'cb000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-000000000007',
    'ba000000-0000-4000-8000-000000000001', 900, 1);
insert into payout_account (operator_id, user_id, payment_method, sealed, key_id, fingerprint)
  values ('acme', 'ana', 'bank', 'sealed', 'key-1', sha256('account'));
insert into withdrawal_destination (operator_id, mark, withdrawal_id)
  values ('acme', sha256('12345678'), 'f0000000-0000-4000-8000-000000000001');

insert into operator_wallet_call (operator_id, type, reason, user_id, currency, amount, deposit_id, state)
  values ('acme', 'credit', 'deposit', 'ana', 'INR', 100, 'd0000000-0000-4000-8000-000000000001', 'waiting');
insert into operator_wallet_queue (operator_id, call_id, payment_id) select operator_id, id, deposit_id from operator_wallet_call;
select pg_temp.book('wallet_out', 'operator-wallet', id::text, '[["ana", "INR", "user", -100], ["ana", "INR", "wallet_transit", 100]]')
  from operator_wallet_call;

insert into debt_claim (operator_id, decision_id, account_id, call_id, decided_by, reason)
  select 'acme', 'b0000000-0000-4000-8000-000000000003', id, gen_random_uuid(), 'sam', 'asks again' from account
  where owner = 'ben' and kind = 'user';

insert into webhook_inbox (source, message_id, raw) values ('sandbox', 'message-1', 'one'), ('sandbox', 'message-2', 'two');
insert into inbox_key (source, message_id, body_hash, inbox_id) select source, message_id, sha256(raw), id from webhook_inbox;
insert into inbox_queue (source, message_id, inbox_id) select source, message_id, id from webhook_inbox where message_id = 'message-2';
insert into outbox (topic, operator_id, user_id, name, body) values ('push', 'acme', 'ana', 'deposit', '{}');
insert into webhook_delivery (operator_id, type, deposit_id, body, status, delivered_at) values
  ('acme', 'deposit.processed', 'd0000000-0000-4000-8000-000000000001', '{}', 'delivered', now());
insert into webhook_attempt (operator_id, delivery_id, n, status, duration_ms)
  select operator_id, id, 1, 200, 30 from webhook_delivery;
insert into webhook_delivery (operator_id, type, withdrawal_id, body, useless_at) values
  ('acme', 'withdrawal.code', 'f0000000-0000-4000-8000-000000000002', '{}', now() + interval '10 minutes');
insert into webhook_queue (operator_id, delivery_id, sealed, useless_at)
  select operator_id, id, 'sealed', useless_at from webhook_delivery where status = 'pending';
insert into webhook_listener (operator_id, until) values ('acme', now()); insert into webhook_circuit (operator_id, address, failures) values ('acme', 'https://www.acme.example/hook', 2);

insert into payment_session (id, operator_id, user_id, amount, currency)
  values ('c0000000-0000-4000-8000-000000000002', 'acme', 'ana', 500, 'INR');
insert into captcha_use (lot_hash, operator_id, user_id, client_key)
  values (sha256('lot'), 'acme', 'ana', 'd0000000-0000-4000-8000-000000000001');
insert into bounce (token_hash, operator_id, form, language, expires_at)
  values (sha256('token'), 'acme', '{"action": "https://pay.example"}', 'en', now() + interval '10 minutes');
insert into telemetry_event (operator_id, source, key, number_value) values ('acme', 'rum', 'load', 812);

insert into crypto_chain (chain, account, scanned_height, scanned_hash, tip_height, tip_at) values ('tron', 'account-1', 100, 'hash-100', 103, now());
insert into crypto_series (chain, account, branch) values ('tron', 'account-1', 1);
insert into crypto_address (chain, address, deposit_id, account, branch, index, coin, contract, watched_until) values
  ('tron', 'TAddress1', 'd0000000-0000-4000-8000-000000000002', 'account-1', 1, 0, 'USDT', 'TContract', now() + interval '30 days');
insert into crypto_output (chain, txid, address, contract, raw, height, block_hash, told)
  values ('tron', 'tx-1', 'TAddress1', 'TContract', 1000000, 100, 'hash-100', 'seen');
insert into crypto_balance (chain, address, contract, raw, height, last_height) select chain, address, contract, raw, 100, 100 from crypto_output;
insert into coin_wallet (chain, wallet, answered_at, doubt, doubted_since, doubt_next) values ('ethereum', '0xWallet', now(), 'used-elsewhere', now(), 7);
insert into coin_wallet_acceptance (chain, wallet, slot, doubt, doubted_since, doubt_next, reason, proposed_by) select chain, wallet, 7, doubt, doubted_since, doubt_next, 'swept', 'ann' from coin_wallet;
insert into coin_payout (operator_id, withdrawal_id, chain, wallet, coin, contract, address, minor, raw)
  values ('acme', 'f0000000-0000-4000-8000-000000000002', 'ethereum', '0xWallet', 'USDT', '0xContract', '0xPayee', 500000, 5000);
insert into coin_payout_decision (operator_id, withdrawal_id, decision, state, by) select operator_id, withdrawal_id, 'again', state, 'ann' from coin_payout;
update coin_payout set state = 'prepared', prepared_at = now();
insert into coin_slot (chain, wallet, slot, operator_id, withdrawal_id)
  values ('ethereum', '0xWallet', '7', 'acme', 'f0000000-0000-4000-8000-000000000002');
insert into coin_transaction (operator_id, withdrawal_id, version, unsigned, fee_rate, most_fee)
  values ('acme', 'f0000000-0000-4000-8000-000000000002', 1, '0x02', 1000000000, 21000000000000);
insert into coin_transaction_take (operator_id, withdrawal_id, version, by) select operator_id, withdrawal_id, version, 'ann' from coin_transaction;

insert into sandbox_payment (ref, deposit_id, payment_method, amount_minor, currency, return_url, scenario, form_token, facts,
  created_at, expires_at)
  values ('pay-1', 'd0000000-0000-4000-8000-000000000001', 'upi', 50000, 'INR', 'https://cashier.example/return', 'paid', 'token', '[]',
    now(), now() + interval '30 minutes');
insert into sandbox_payout (ref, withdrawal_id, receives_minor, currency, scenario, facts, created_at)
  values ('out-1', 'f0000000-0000-4000-8000-000000000001', 9900, 'INR', 'paid', '[]', now());
insert into sandbox_callback (ref, event_id, body, is_forged, due_at) values ('pay-1', 'event-1', '{}', false, now());
insert into sandbox_callback (payout_ref, event_id, body, is_forged, due_at) values ('out-1', 'out-event-1', '{}', false, now());

drop function pg_temp.book(text, text, text, jsonb, uuid, uuid, text);

-- Points of audits. No journal is as old.
insert into audit_point (operator_id, until, journals, postings, digest) values ('acme', '2000-01-01Z', 0, 0, sha256(''));
insert into audit_sum (operator_id, account_id, until, sum) select 'acme', min(id), '2000-01-01Z', 0 from account;

insert into archived_partition (name, parent, since, until, file, rows, sha256, is_kept, finished_at)
  values ('webhook_inbox_2020_01', 'webhook_inbox', '2020-01-01Z', '2020-02-01Z', 'webhook_inbox_2020_01.jsonl', 0, sha256(''), false, now());

-- A month of the ledger that has left: one journal, which stays, and the sums of its accounts.
insert into archived_partition (name, parent, since, until, file, rows, sha256, is_kept, finished_at)
  select parent || '_1999_12', parent, '1999-12-01Z', '2000-01-01Z', parent || '_1999_12.jsonl', 1, sha256(''), false, now()
  from unnest('{journal,posting}'::text[]) parent;
insert into account (operator_id, owner, asset, kind) values ('acme', '', 'NZD', 'conversion'), ('acme', '', 'NZD', 'withdrawal_fee');
insert into archived_balance (operator_id, account_id, until, sum, lowered_at)
  select operator_id, id, '2000-01-01Z', case kind when 'conversion' then -5 else 5 end, case kind when 'conversion' then timestamptz '1999-12-15Z' end
  from account where asset = 'NZD';
insert into audit_sum (operator_id, account_id, until, sum) select operator_id, account_id, until, sum from archived_balance;
insert into archived_journal (operator_id, id, kind, ext_source, ext_ref, at, lines)
  select 'acme', time_id('1999-12-15Z'), 'hold_end', 'hold', 'of-1999', '1999-12-15Z', jsonb_agg(jsonb_build_array(account_id, 'NZD', sum) order by account_id)
  from archived_balance;
-- The digest as ledger/archived-months.ts makes it.
insert into archived_month (operator_id, until, since, journals, postings, digest)
  select 'acme', '2000-01-01Z', '1999-12-01Z', 1, 2, sha256(convert_to(jsonb_build_array(null::text, 1, 2,
    (select encode(sha256(convert_to(string_agg(jsonb_build_array(account_id, sum, extract(epoch from lowered_at))::text, ''
      order by account_id), 'UTF8')), 'hex') from archived_balance), null::text,
    (select encode(sha256(convert_to(jsonb_build_array(id, kind, deposit_id, withdrawal_id, payment_id, refund_id, dispute_id, payout_id,
      ext_source, ext_ref, note, extract(epoch from at), lines)::text, 'UTF8')), 'hex') from archived_journal))::text, 'UTF8'));

insert into settlement_mapping (operator_id, provider, name, mapping, by) values ('acme', 'sandbox', 'payouts', '{"format": "camt.053"}', 'sam');
insert into settlement_file (operator_id, id, provider, source, mapping, name, hash, state, lines, first_day, last_day, totals,
    matched, by)
  values ('acme', 'a5000000-0000-4000-8000-000000000001', 'sandbox', 'provider', 'payouts', 'may.csv', sha256('may'), 'reading', 1,
    current_date, current_date, '[{"currency": "INR", "amount": "50000", "fees": "900"}]', 1, 'sam');
insert into settlement_line (operator_id, file_id, n, kind, reference_list, name, currency, amount, fee, day)
  select operator_id, id, 2, 'payment', '{pay-1}', 'pay-1', 'INR', 50000, 900, current_date from settlement_file;
update settlement_file set state = 'done', done_at = now();
insert into settlement_match (operator_id, line_id, entry_kind, entry_id, by, amount)
  select operator_id, id, 'payment', 'a5000000-0000-4000-8000-000000000002', 'reference', amount from settlement_line;
insert into settlement_batch (operator_id, provider, reference, currency, amount, day, file_id)
  select operator_id, provider, 'po-1', 'INR', 49100, current_date, id from settlement_file; insert into settlement_batch_before (operator_id, batch_id, file_id, amount, day) select operator_id, id, file_id, 49000, day from settlement_batch; insert into settlement_take_back (operator_id, id, file_id, reason, proposed_by) select operator_id, 'a5000000-0000-4000-8000-000000000007', id, 'a test file', 'sam' from settlement_file;
insert into settlement_mismatch (operator_id, id, file_id, class, state, provider, entry_kind, entry_id, currency, expected, found, day)
  select operator_id, 'a5000000-0000-4000-8000-000000000003', id, 'missing-there', 'proposed', provider, 'payment',
    'a5000000-0000-4000-8000-000000000004', 'INR', 100, 0, current_date from settlement_file;
insert into settlement_booking (operator_id, kind, provider, file_id, mismatch_id, account, currency, amount, reason, proposed_by)
  select operator_id, 'mismatch', provider, file_id, id, 'none', currency, 0, 'comes with the next file', 'sam' from settlement_mismatch;
insert into chain_balance (operator_id, file_id, chain, currency, found, expected, booked, may_be_in, may_be_out, first_height, last_height,
  addresses) select operator_id, id, 'ethereum', 'ETH', 100, 100, 100, 0, 0, 99, 100, 1 from settlement_file;
insert into shared_balance (chain, currency, found, expected, accepted, difference, first_height, last_height) values ('ton', 'TON', 5, 5, 0, 0, 9, 9);
insert into crypto_coin (chain, coin) values ('ton', 'TON'); insert into settlement_file (operator_id, id, provider, source, mapping, name, hash, state, lines, first_day, last_day, totals, matched, by, done_at) values ('acme', 'a5000000-0000-4000-8000-000000000009', 'sandbox', 'provider', 'payouts', 'old.csv', sha256('old'), 'done', 1, '1999-12-15', '1999-12-15', '[{"currency": "INR", "amount": "700", "fees": "0"}]', 1, 'sam', '1999-12-16Z'); insert into archived_partition (name, parent, since, until, file, rows, sha256, is_kept, finished_at) select parent || '_1999_12', parent, '1999-12-01Z', '2000-01-01Z', parent || '_1999_12.jsonl', 1, sha256(''), false, now() from unnest('{settlement_line,settlement_match}'::text[]) parent; insert into archived_line_sum (operator_id, file_id, until, currency, lines, amount, fee) values ('acme', 'a5000000-0000-4000-8000-000000000009', '2000-01-01Z', 'INR', 1, 700, 0); insert into archived_match (operator_id, entry_id, entry_kind, until, lines, amount) values ('acme', 'a5000000-0000-4000-8000-000000000008', 'payment', '2000-01-01Z', 1, 700); insert into archived_settlement (operator_id, since, until, lines, matches, digest) select operator_id, '1999-12-01Z', until, 1, 1, sha256(convert_to(jsonb_build_array(null::text, 1, 1, encode(sha256(convert_to(jsonb_build_array(file_id, currency, lines, amount, fee)::text, 'UTF8')), 'hex'), (select encode(sha256(convert_to(jsonb_build_array(entry_id, entry_kind, lines, amount)::text, 'UTF8')), 'hex') from archived_match))::text, 'UTF8')) from archived_line_sum; insert into shared_acceptance (chain, currency, difference, reason, proposed_by) values ('ton', 'TON', -5, 'swept', 'sam');
insert into chain_sum (operator_id, chain, wallet, contract) values ('acme', 'tron', '', ''); insert into chain_sum_point (chain, contract, unit) values ('tron', '', 1); insert into chain_sum_correction (chain, wrong, read_again, by) values ('tron', '[]', 1, 'sam'); update crypto_output set told = 'gone'; update crypto_output set told = 'seen';
insert into routing_decision (operator_id, deposit_id, policy_version, shadow, decision) select operator_id, id, 1, false, '{"order": []}' from deposit order by id limit 1;
insert into day_close_key (operator_id, id, public_key, sealed, data_key)
  values ('acme', 'a6000000-0000-4000-8000-000000000001', decode(repeat('01', 44), 'hex'), '\x02', 'key');
insert into day_close (operator_id, day, as_of, totals, proposed_by) values ('acme', current_date - 2, now(), '{}', 'sam');
update day_close set state = 'closed', decided_by = 'max', decided_at = now(), document = '{}', hash = sha256('{}'),
  signature = decode(repeat('03', 64), 'hex'), signing_key = 'a6000000-0000-4000-8000-000000000001';
insert into payout_transfer (operator_id, withdrawal_id, connection_id, currency, amount, due_at, payee, payee_key)
  select 'acme', 'f0000000-0000-4000-8000-000000000006', id, 'EUR', 5900, now(), 'sealed', 'key-1' from provider_connection
  where operator_id = 'acme' limit 1;
insert into payout_file (operator_id, id, connection_id, version, transfers, currency, total, execution_day, is_instant, hash, sealed, key_id)
  select operator_id, 'a6000000-0000-4000-8000-000000000001', connection_id, 'pain.001.001.09', 1, currency, amount, current_date, false,
    sha256('file'), 'sealed', 'key-1' from payout_transfer;
insert into payout_file_line (operator_id, file_id, n, withdrawal_id, amount) select operator_id, 'a6000000-0000-4000-8000-000000000001', 1, withdrawal_id, amount from payout_transfer;
insert into payout_file_take (operator_id, file_id, by) select operator_id, id, 'ann' from payout_file;
update payout_transfer set state = 'filed', file_id = 'a6000000-0000-4000-8000-000000000001', due_at = null;
insert into bank_message (operator_id, kind, name, hash, found, changed, by) values ('acme', 'camt.053', 'statement.xml', sha256('statement'), 1, 0, 'sam');
with step as (insert into bank_message_step (operator_id, message_id, n, withdrawal_id, state) select operator_id, id, 1, withdrawal_id, 'paid'
    from bank_message join payout_transfer using (operator_id) returning *), queued as (insert into bank_message_queue (operator_id, message_id) select operator_id, message_id from step)
  insert into bank_step_set_aside (operator_id, message_id, n, withdrawal_id, state, cause) select operator_id, message_id, 2, withdrawal_id, 'returned', '23514' from step; update bank_step_set_aside set outcome = 'dismissed', ended_by = 'sam', ended_at = now(), note = 'wrong', stood_state = 'filed', stood_reason = 'AM04', stood_file_id = 'a6000000-0000-4000-8000-000000000001', stood_files = 1; insert into bank_step_brought_back (operator_id, message_id, n, dismissed_by, dismissed_note, dismissed_at, by, note) select operator_id, message_id, n, ended_by, note, ended_at, 'max', 'right' from bank_step_set_aside; update bank_step_set_aside set outcome = null, ended_by = null, ended_at = null, note = null, stood_state = null, stood_reason = null, stood_file_id = null, stood_files = null;
insert into maintenance_run (kind, faults) values ('audit', 0);
