/**
 * Attacks through a direct database connection. The database refuses them. With the triggers off, the audit finds
 * them.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { switchTriggersOff, withoutTriggers } from '../ledger/without-triggers.fixture.ts';
import { payments } from './testing/payment-tampering-cases.fixture.ts';
import type { Bench } from './testing/payments.fixture.ts';
import { payouts } from './testing/payout-tampering-cases.fixture.ts';
import {
  balances,
  credits,
  frozen,
  histories,
  holds,
  journals,
  type Scene,
} from './testing/tampering-cases.fixture.ts';
import { makeScene } from './testing/tampering-scene.fixture.ts';
import { withPayments } from './testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

let scene: Scene;
let made: Promise<Scene> | undefined;
beforeEach(async () => {
  made ??= makeScene(database);
  scene = await made;
});

async function run(transaction: Transaction, statements: readonly string[]): Promise<void> {
  for (const text of statements) await transaction.query({ text });
}

describe.each([
  ['balances', balances],
  ['credits', credits],
  ['journals', journals],
  ['payments', payments],
  ['payouts', payouts],
  ['holds', holds],
  ['frozen accounts', frozen],
  ['histories', histories],
])('[SRV-2] the database refuses, of %s,', (_kind, cases) => {
  test.each(cases)('%s', async (_what, rule, statements) => {
    const refused = await database
      .transaction((transaction) => run(transaction, statements(scene)))
      .then(() => 'accepted', constraintOf);
    expect(refused).toBe(rule);
  });
});

/** Audits after statements that ran with the triggers off. */
function auditAfter(statements: readonly string[], isSwitchedOnAgain = true) {
  return rolledBack(database, async (transaction) => {
    if (isSwitchedOnAgain) await withoutTriggers(transaction, statements);
    else {
      await switchTriggersOff(transaction);
      await run(transaction, statements);
    }
    return auditLedger(transaction);
  });
}

/** Cases that leave nothing for the audit to compare, such as an unused journal kind or an early check. */
const LEAVES_NOTHING = [
  'a new journal kind',
  'postings added after an early run of the commit checks',
  'a backdated journal',
  'a changed destination of a held withdrawal',
  'a hold ended for more than was held',
  // Keys and checks of the tables refuse these cases without triggers.
  'a deleted payment',
  'a payment reported twice',
  'a second credited payment of origin deposit',
  'a forbidden move of a payment',
  'a second payout of a withdrawal',
  'a deleted payout',
];
/** Tables that are empty in this test, and tables of allowed moves: without them the database refuses every move. */
const EMPTY = [
  'archived_balance',
  'archived_journal',
  'archived_line_sum',
  'archived_match',
  'archived_settlement',
  'archived_month',
  'archived_partition',
  'audit_point',
  'audit_sum',
  'bonus_change',
  'catalogue_change',
  'day_close',
  'day_close_key',
  'deposit_attempt',
  'deposit_state',
  'deposit_transition',
  'later_month',
  'own_texts_change',
  'paid_card',
  'payment_card',
  'payment_transition',
  'payout_refund',
  'payout_transition',
  'coin_payout',
  'coin_payout_transition',
  'coin_transaction',
  'coin_transaction_take',
  'coin_payout_decision',
  'coin_wallet_acceptance',
  'playthrough',
  'refund_transition',
  'setting_change',
  'user_note',
  'user_policy',
  'withdrawal_transition',
  'account_release',
  'debt_claim',
  'debt_settlement',
  'operator_transfer',
  'operator_wallet_call',
  'review_decision',
  'routing_change',
  'routing_decision',
  'routing_policy',
  'chain_balance',
  'chain_sum_correction',
  'shared_acceptance',
  'shared_balance',
  'settlement_batch',
  'settlement_batch_before',
  'settlement_booking',
  'settlement_file',
  'settlement_line',
  'settlement_match',
  'settlement_mismatch',
  'settlement_take_back',
  'bank_message',
  'bank_message_queue',
  'bank_message_step',
  'bank_step_brought_back',
  'bank_step_set_aside',
  'payout_file',
  'payout_file_line',
  'payout_file_take',
  'payout_transfer',
  'withdrawal_decision',
  'coin_play',
  'journal_kind',
  'report_dismissal',
  'webhook_inbox',
  'inbox_key',
  'withdrawal_code',
].map((table) => `all of ${table} gone`);

const seen = [...balances, ...credits, ...journals, ...payments, ...payouts, ...holds, ...frozen, ...histories].filter(
  ([what]) => !LEAVES_NOTHING.includes(what) && !EMPTY.includes(what),
);

describe('[SRV-2] with the triggers off, the audit finds', () => {
  test.each(seen)('%s', async (_what, _rule, statements) => {
    const audit = await auditAfter(statements(scene));
    expect(audit.isSound).toBe(false);
    expect(audit.faults.filter(({ rule }) => rule === 'trigger_switched_off')).toEqual([]);
  });

  test('that triggers are off or missing', async () => {
    const off = await auditAfter([], false);
    expect(off.faults).toContainEqual({ rule: 'trigger_switched_off', subject: 'trigger journal_agrees on journal' });
    const gone = await auditAfter(['drop trigger postings_booked on posting']);
    expect(gone.faults).toEqual([{ rule: 'trigger_missing', subject: 'trigger postings_booked on posting' }]);
    expect((await auditAfter([])).faults).toEqual([]);
    expect(bench.logs).toEqual([]);
  });
});
