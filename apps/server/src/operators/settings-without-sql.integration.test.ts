/**
 * No setting of an operator needs SQL (SRV-1). Each column of its tables of settings names the endpoint that writes it, or why it is no
 * setting. A new table or a new column without an entry here fails.
 */
import { operatorEndpoints } from '@opencashier/contract/operator';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';

/** An endpoint by its id, or a sentence that begins with "no setting". */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  operator: {
    id: 'no setting: its name in the database',
    partner_key: 'no setting: part of the widget’s address, which never changes',
    name: 'change-settings',
    allowed_origins: 'change-settings',
    created_at: 'no setting: a fact',
    settings: 'change-settings',
    webhook_url: 'change-settings',
    webhook_secrets: 'no setting over the network: the command rotate-webhook-secret prints a new one',
    webhook_old_secrets_until: 'no setting over the network: the command rotate-webhook-secret sets it',
    webhook_disabled_at: 'replay-webhook-delivery',
    deposits_open: 'change-settings',
    withdrawals_open: 'change-settings',
    debug_allowed: 'change-settings',
    wallet_mode: 'no setting over the network: the command set-wallet checks that nothing is in transit',
    wallet_url: 'no setting over the network: the command set-wallet changes it',
    approvals_by_different_keys: 'put-approval-settings',
    approval_hours: 'put-approval-settings',
    debts_paid_by_deposits: 'put-debt-settings',
    accounts_released_when_paid: 'put-debt-settings',
  },
  operator_api_key: {
    id: 'no setting: a fact',
    operator_id: 'no setting: whose it is',
    key_hash: 'no setting over the network: the commands keys add and rotate-key print a new key',
    label: 'no setting over the network: the command keys add',
    created_at: 'no setting: a fact',
    revoked_at: 'no setting over the network: the commands keys revoke and rotate-key',
  },
  approval_threshold: {
    operator_id: 'no setting: whose it is',
    currency: 'put-approval-settings',
    one: 'put-approval-settings',
    two: 'put-approval-settings',
    day: 'put-approval-settings',
  },
  user_policy: {
    operator_id: 'no setting: whose it is',
    user_id: 'change-user',
    version: 'no setting: counts the changes',
    deposits_blocked: 'change-user',
    withdrawals_blocked: 'change-user',
    block_reason: 'change-user',
    blocked_by: 'change-user',
    blocked_at: 'no setting: a fact',
    limits: 'change-user',
  },
  user_note: {
    operator_id: 'no setting: whose it is',
    id: 'no setting: a fact',
    user_id: 'add-user-note',
    note: 'add-user-note',
    by: 'add-user-note',
    key_id: 'no setting: a fact',
    at: 'no setting: a fact',
  },
  catalogue_settings: {
    operator_id: 'no setting: whose it is',
    version: 'no setting: counts the changes',
    settings: 'put-catalogue',
    staff: 'put-catalogue',
    updated_at: 'no setting: a fact',
  },
  own_texts: {
    operator_id: 'no setting: whose it is',
    locale: 'put-texts',
    version: 'no setting: counts the changes',
    texts: 'put-texts',
    staff: 'put-texts',
    updated_at: 'no setting: a fact',
  },
  bonus_settings: {
    operator_id: 'no setting: whose it is',
    version: 'no setting: counts the changes',
    bonuses: 'put-bonus-settings',
    staff: 'put-bonus-settings',
    updated_at: 'no setting: a fact',
  },
  provider_connection: {
    operator_id: 'no setting: whose it is',
    id: 'no setting: a fact',
    version: 'no setting: counts the changes',
    provider: 'create-connection',
    name: 'create-connection',
    mode: 'create-connection',
    currencies: 'update-connection',
    enabled: 'update-connection',
    first_enabled_at: 'no setting: a fact',
    options: 'update-connection',
    sealed: 'rotate-connection',
    wrapped_key: 'rotate-connection',
    key_id: 'no setting over the network: the command connections rewrap moves to a new master key',
    shown: 'rotate-connection',
    old_secrets_until: 'rotate-connection',
    tested_at: 'test-connection',
    test_result: 'test-connection',
    created_at: 'no setting: a fact',
    updated_at: 'no setting: a fact',
  },
  routing_policy: {
    operator_id: 'no setting: whose it is',
    version: 'no setting: counts the changes',
    routes: 'put-routes',
    staff: 'put-routes',
    updated_at: 'no setting: a fact',
  },
  settlement_mapping: {
    operator_id: 'no setting: whose it is',
    provider: 'put-settlement-mapping',
    name: 'put-settlement-mapping',
    mapping: 'put-settlement-mapping',
    by: 'put-settlement-mapping',
    key_id: 'no setting: a fact',
    changed_at: 'no setting: a fact',
  },
  sweepstake_box: {
    operator_id: 'no setting: whose it is',
    box_id: 'put-box',
    group_name: 'put-box',
    position: 'put-box',
    badge: 'put-box',
    price: 'put-box',
    price_currency: 'put-box',
    gold: 'put-box',
    sweep: 'put-box',
    stock: 'put-box',
    taken: 'no setting: counts the sales',
    available_from: 'put-box',
    available_until: 'put-box',
    updated_at: 'no setting: a fact',
  },
};

/** Tables that hold what happened. */
const FACTS = new Set([
  'account',
  'account_release',
  'audit_point',
  'audit_sum',
  'bank_message',
  'bank_message_queue',
  'bank_message_step',
  'bank_step_brought_back',
  'bank_step_set_aside',
  'bonus_change',
  'bonus_engine_problem',
  'catalogue_change',
  'coin_play',
  'day_close',
  'day_close_key',
  'debt_claim',
  'debt_settlement',
  'archived_balance',
  'archived_journal',
  'archived_line_sum',
  'archived_match',
  'archived_settlement',
  'archived_month',
  'deposit',
  'deposit_attempt',
  'operator_wallet_call',
  'operator_wallet_queue',
  'deposit_history',
  'deposit_key',
  'deposit_note',
  'dispute',
  'event_body',
  'journal',
  'journal_key',
  'later_month',
  'operator_transfer',
  'own_texts_change',
  'paid_card',
  'payment',
  'payment_card',
  'payment_session',
  'coin_payout',
  'coin_slot',
  'coin_transaction',
  'coin_transaction_take',
  'coin_payout_decision',
  'coin_wallet_acceptance',
  'payout',
  'payout_account',
  'payout_file',
  'payout_file_line',
  'payout_file_take',
  'payout_transfer',
  'payout_refund',
  'playthrough',
  'posting',
  'provider_quarantine',
  'provider_request',
  'refund',
  'report_dismissal',
  'review_decision',
  'routing_change',
  'routing_decision',
  'routing_health',
  'setting_change',
  'chain_balance',
  'chain_change',
  'chain_sum',
  'settlement_batch',
  'settlement_batch_before',
  'settlement_booking',
  'settlement_file',
  'settlement_line',
  'settlement_match',
  'settlement_mismatch',
  'settlement_take_back',
  'telemetry_event',
  'webhook_attempt',
  'webhook_circuit',
  'webhook_delivery',
  'webhook_listener',
  'webhook_queue',
  'withdrawal',
  'withdrawal_code',
  'withdrawal_decision',
  'withdrawal_destination',
  'withdrawal_history',
  'withdrawal_key',
  'wrong_code',
]);

let database: Database;
withOperator((opened) => {
  database = opened;
});
let columns: readonly { readonly table: string; readonly column: string }[];
beforeAll(async () => {
  columns = await database.query({
    text: `select relname as table, attname as column from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0
        and not attisdropped order by relname, attnum`,
  });
});

test('[SRV-1] each column of a table of settings names the endpoint that writes it', () => {
  for (const [table, mapped] of Object.entries(SETTINGS)) {
    const found = columns.filter((one) => one.table === table).map(({ column }) => column);
    expect(Object.keys(mapped).toSorted(), table).toEqual(found.toSorted());
  }
});

test('[SRV-1] each of these endpoints exists and writes', () => {
  const endpoints = Object.values(operatorEndpoints).flatMap((group) => Object.values(group));
  const writing = new Set<string>(endpoints.filter(({ method }) => method !== 'GET').map(({ id }) => id));
  const named = new Set(Object.values(SETTINGS).flatMap((mapped) => Object.values(mapped)));
  const unknown = [...named].filter((name) => !name.startsWith('no setting') && !writing.has(name));
  expect(unknown).toEqual([]);
});

test('[SRV-1] each table of an operator is one of settings or of facts', () => {
  const ofOperators = new Set(columns.filter(({ column }) => column === 'operator_id').map(({ table }) => table));
  const unknown = [...ofOperators].filter((table) => !(table in SETTINGS) && !FACTS.has(table));
  // The queues of the whole service name an operator too. Their columns are no settings.
  expect(unknown.toSorted()).toEqual(['bounce', 'captcha_use', 'outbox']);
});
