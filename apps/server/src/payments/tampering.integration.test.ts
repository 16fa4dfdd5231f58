/**
 * Attacks through a direct database connection. The database refuses them. With the triggers off, the audit finds
 * them.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';
import { freezeUser } from '../ledger/ledger.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { AUDIT_GUARDS, LEDGER_GUARDS } from '../ledger/ledger-guards.ts';
import { intent, reportOn, richUser } from '../withdrawals/withdrawals.fixture.ts';
import { payments } from './testing/payment-tampering-cases.fixture.ts';
import { type Bench, createBench, reportOf } from './testing/payments.fixture.ts';
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
import { openDepositOf, withPayments } from './testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

let scene: Scene;
let made: Promise<Scene> | undefined;
beforeEach(async () => {
  made ??= makeScene();
  scene = await made;
});

async function makeScene(): Promise<Scene> {
  const own = createBench(database);
  const open = await openDepositOf(own);
  const credited = await openDepositOf(own);
  await own.payments.apply(reportOf(credited.depositId));
  const holder = await richUser(database);
  const command = intent(holder);
  await own.payments.withdrawals.create(command);
  const receiver = await richUser(database);
  const paidOut = intent(receiver).request;
  await own.payments.withdrawals.create({ caller: receiver, request: paidOut });
  await own.payments.withdrawals.confirm(receiver, paidOut.withdrawalId);
  await own.payments.withdrawals.apply(reportOn(paidOut.withdrawalId));
  const frozen = await richUser(database);
  await richUser(database, 100n, 'additional');
  await database.transaction((transaction) => freezeUser(transaction, 'op', frozen.userId, 'INR'));
  return {
    open: open.depositId,
    payer: open.userId,
    credited: credited.depositId,
    userId: credited.userId,
    held: command.request.withdrawalId,
    paidOut: paidOut.withdrawalId,
    receiver: receiver.userId,
    holder,
    frozen,
  };
}

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

class Undo extends Error {}

/** Runs statements as the owner of the tables, with the triggers off and no trace of that. */
async function auditAfter(statements: readonly string[], isSwitchedOnAgain = true) {
  let found: Awaited<ReturnType<typeof auditLedger>> | undefined;
  const tables = Object.keys({ ...LEDGER_GUARDS, ...AUDIT_GUARDS });
  await database
    .transaction(async (transaction) => {
      for (const table of tables) await transaction.query({ text: `alter table ${table} disable trigger user` });
      await run(transaction, statements);
      if (isSwitchedOnAgain) {
        await transaction.query({ text: 'set constraints all immediate' });
        for (const table of tables) await transaction.query({ text: `alter table ${table} enable trigger user` });
      }
      found = await auditLedger(transaction);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  if (found === undefined) throw new Error('The audit stored no result');
  return found;
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
/** Tables that are empty in this test. */
const EMPTY = [
  'account_release',
  'debt_settlement',
  'operator_transfer',
  'review_decision',
  'withdrawal_decision',
  'coin_play',
  'journal_kind',
  'report_dismissal',
  'webhook_inbox',
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
