/**
 * Late payouts where the operator's own wallet keeps the balance. The provider reports a payout after the amount has gone back to the
 * wallet, or after the withdrawal never got an amount.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { accountBalance } from '../ledger/ledger.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, reportOf } from '../payments/testing/payments.fixture.ts';
import { failureOf, openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import { ReviewError } from '../reviews/review-decision.ts';
import { intent, reportOn } from '../withdrawals/withdrawals.fixture.ts';
import {
  askUntilAnswered,
  askWellBehaved,
  type Behaviour,
  type FakeWallet,
  givenToOperator,
  ledgerOf,
  nothingHere,
  setWalletMode,
  useWallet,
  withWalletPayments,
} from './fake-wallet.fixture.ts';

let database: Database;
let bench: Bench;
let wallet: FakeWallet;
withWalletPayments((made) => {
  ({ database, bench, wallet } = made);
});
beforeEach(() => useWallet(database, wallet));

/** Of a withdrawal of 400.00 INR: what arrives, and the fee. */
const ARRIVES = 38_900n;
const FEE = 1_100n;

type End = 'cancelled' | 'declined' | 'expired';
const ends: readonly End[] = ['cancelled', 'declined', 'expired'];

interface Released {
  readonly caller: Caller;
  readonly userId: string;
  readonly id: string;
}

const quiet = (): Promise<void> => askWellBehaved(database, bench, wallet);

const paid = (id: string) => bench.payments.withdrawals.apply(reportOn(id, { paidMinor: ARRIVES }));
const declined = (id: string) => bench.payments.withdrawals.apply(reportOn(id, { outcome: 'declined' }));
const cameBack = (id: string) =>
  bench.payments.withdrawals.apply(reportOn(id, { outcome: 'returned', paidMinor: ARRIVES }));
const decide = (id: string, decision: 'charge' | 'bear') =>
  bench.payments.settleLatePayout({ operatorId: 'op', id }, decision, 'eve');

/** A user with 500.00 in the wallet, of which a withdrawal of 400.00 is held here. */
async function held(): Promise<Released> {
  const { caller, userId, depositId } = await openDepositOf(bench);
  await bench.payments.apply(reportOf(depositId));
  await bench.payments.runDueWork();
  const { request } = intent(caller, { amount: '400.00' });
  await bench.payments.withdrawals.create({ caller, request });
  expect(wallet.balanceOf(userId)).toBe(10_000n);
  return { caller, userId, id: request.withdrawalId };
}

/** A withdrawal that has ended. Its release is answered, unless the wallet misbehaves. */
async function released(how: End): Promise<Released> {
  const withdrawal = await held();
  const { caller, id } = withdrawal;
  const { withdrawals } = bench.payments;
  if (how === 'cancelled') await withdrawals.cancel(caller, id);
  if (how === 'declined') {
    await withdrawals.confirm(caller, id);
    await declined(id);
  }
  if (how === 'expired') {
    await database.query({ text: `update withdrawal set expires_at = now() where id = $1`, values: [id] });
  }
  await bench.payments.runDueWork();
  return withdrawal;
}

const callsOf = async (id: string): Promise<string[]> => {
  const rows = await database.query<{ text: string }>({
    text: `select type || ' ' || reason || ' ' || state as text from operator_wallet_call where withdrawal_id = $1 order by id`,
    values: [id],
  });
  return rows.map(({ text }) => text);
};

const systemAccounts = async (): Promise<Record<'suspense' | 'withdrawal_fee' | 'operator_clearing', bigint>> => {
  const of = (kind: 'suspense' | 'withdrawal_fee' | 'operator_clearing') =>
    accountBalance(database, 'op', { owner: '', asset: 'INR', kind });
  return {
    suspense: await of('suspense'),
    withdrawal_fee: await of('withdrawal_fee'),
    operator_clearing: await of('operator_clearing'),
  };
};

const isFrozen = async (userId: string): Promise<boolean> => {
  const frozen = await database.query({
    text: `select 1 from account where owner = $1 and kind = 'user' and frozen_at is not null`,
    values: [userId],
  });
  return frozen.length > 0;
};

/** The wallet, the calls and the ledger say the same about a user who has nothing here. */
async function expectEverythingAt({ userId }: Released, minor: bigint): Promise<void> {
  expect(wallet.balanceOf(userId)).toBe(minor);
  expect(await givenToOperator(database, userId)).toBe(minor);
  expect(await ledgerOf(database, userId)).toEqual(nothingHere);
}

describe.each(ends)('[WD-2] a payout after the withdrawal was %s', (how) => {
  test('leaves the wallet alone until staff decide', async () => {
    const before = await systemAccounts();
    const withdrawal = await released(how);
    expect(await paid(withdrawal.id)).toEqual({ outcome: 'moved', id: withdrawal.id });
    // Repeats and later contradictions change nothing.
    expect(await paid(withdrawal.id)).toMatchObject({ outcome: 'unchanged' });
    expect(await declined(withdrawal.id)).toMatchObject({ outcome: 'unchanged' });
    await quiet();
    expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal done', 'release withdrawal done']);
    expect((await systemAccounts()).suspense - before.suspense).toBe(-ARRIVES);
    expect(await bench.payments.withdrawals.status(withdrawal.caller, withdrawal.id)).toMatchObject({
      status: 3,
      canCancel: false,
      reason: 'withdrawal.reason.late',
    });
    await expectEverythingAt(withdrawal, 50_000n);
  });

  test.each<Behaviour>(['answer', 'lost', 'late', 'broken', 'lie', 'garbage'])(
    'is charged by one forced debit after the release, also when both meet "%s"',
    async (behaviour) => {
      const before = await systemAccounts();
      wallet.script.push('answer', 'answer', behaviour);
      const withdrawal = await released(how);
      expect(await paid(withdrawal.id)).toMatchObject({ outcome: 'moved' });
      await decide(withdrawal.id, 'charge');
      // The user owes the amount until the wallet has given it, and can withdraw nothing meanwhile.
      expect((await ledgerOf(database, withdrawal.userId)).reversal_debt).toBe(-40_000n);
      expect(await isFrozen(withdrawal.userId)).toBe(true);
      wallet.script.push(behaviour);
      await askUntilAnswered(database, bench);
      await quiet();
      expect(await callsOf(withdrawal.id)).toEqual([
        'debit withdrawal done',
        'release withdrawal done',
        'debit late-payout done',
      ]);
      const forced = [...wallet.executed.values()].filter(
        (call) => call.userId === withdrawal.userId && 'reason' in call && call.reason === 'late-payout',
      );
      expect(forced).toMatchObject([{ type: 'debit', forced: true, amount: '400.00', withdrawalId: withdrawal.id }]);
      const after = await systemAccounts();
      expect(after.suspense).toBe(before.suspense);
      expect(after.withdrawal_fee - before.withdrawal_fee).toBe(FEE);
      expect(await bench.payments.withdrawals.status(withdrawal.caller, withdrawal.id)).toMatchObject({ status: 1 });
      expect(await isFrozen(withdrawal.userId)).toBe(false);
      await expectEverythingAt(withdrawal, 10_000n);
    },
  );

  test('is charged below zero if the user has lost the released amount meanwhile', async () => {
    const withdrawal = await released(how);
    wallet.balances.set(`${withdrawal.userId} INR`, 0n);
    await paid(withdrawal.id);
    await decide(withdrawal.id, 'charge');
    await quiet();
    expect(wallet.balanceOf(withdrawal.userId)).toBe(-40_000n);
    expect(await ledgerOf(database, withdrawal.userId)).toEqual(nothingHere);
  });

  test('that the wallet does not give stays a debt, and blocks the next withdrawal before the wallet is asked', async () => {
    const withdrawal = await released(how);
    await paid(withdrawal.id);
    wallet.declines = { code: 'blocked' };
    await decide(withdrawal.id, 'charge');
    await quiet();
    expect(await callsOf(withdrawal.id)).toContain('debit late-payout declined');
    expect(await ledgerOf(database, withdrawal.userId)).toEqual({ ...nothingHere, reversal_debt: -40_000n });
    expect(await isFrozen(withdrawal.userId)).toBe(true);
    const asked = wallet.calls.length;
    const next = bench.payments.withdrawals.create(intent(withdrawal.caller, { amount: '100.00' }));
    expect((await failureOf(next)).code).toBe('method-unavailable');
    expect(wallet.calls).toHaveLength(asked);
  });

  test('is borne by the operator, and the wallet keeps the amount', async () => {
    const before = await systemAccounts();
    const withdrawal = await released(how);
    const held = await systemAccounts();
    await paid(withdrawal.id);
    await decide(withdrawal.id, 'bear');
    await quiet();
    const after = await systemAccounts();
    expect(after.suspense).toBe(before.suspense);
    expect(after.operator_clearing - held.operator_clearing).toBe(-ARRIVES);
    expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal done', 'release withdrawal done']);
    await expectEverythingAt(withdrawal, 50_000n);
  });

  test('that comes back before the decision moves nothing at the wallet, and nobody can decide any more', async () => {
    const before = await systemAccounts();
    const withdrawal = await released(how);
    await paid(withdrawal.id);
    expect(await cameBack(withdrawal.id)).toMatchObject({ outcome: 'moved' });
    await expect(decide(withdrawal.id, 'charge')).rejects.toBeInstanceOf(ReviewError);
    await quiet();
    expect((await systemAccounts()).suspense).toBe(before.suspense);
    expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal done', 'release withdrawal done']);
    await expectEverythingAt(withdrawal, 50_000n);
  });
});

test('[WD-2] several staff decide at once: the wallet is asked for one forced debit', async () => {
  const withdrawal = await released('declined');
  await paid(withdrawal.id);
  const decisions = await Promise.allSettled(
    Array.from({ length: 5 }, (_, nth) => decide(withdrawal.id, nth % 2 === 0 ? 'charge' : 'bear')),
  );
  expect(decisions.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await quiet();
  const forced = (await callsOf(withdrawal.id)).filter((call) => call.startsWith('debit late-payout'));
  expect(forced.length).toBeLessThanOrEqual(1);
  await expectEverythingAt(withdrawal, forced.length === 1 ? 10_000n : 50_000n);
});

test('[WD-2] a charged payout that comes back later is kept for staff, and the wallet is not asked', async () => {
  const withdrawal = await released('declined');
  await paid(withdrawal.id);
  await decide(withdrawal.id, 'charge');
  await quiet();
  const asked = wallet.calls.length;
  expect(await cameBack(withdrawal.id)).toMatchObject({ outcome: 'unmatched' });
  await quiet();
  expect(wallet.calls).toHaveLength(asked);
  await expectEverythingAt(withdrawal, 10_000n);
});

test('[WD-2] a payout and a cancel at the same moment: paid once, or late, and never released and paid out', async () => {
  for (let round = 0; round < 4; round += 1) {
    const withdrawal = await held();
    const { withdrawals } = bench.payments;
    await Promise.all([failureOf(withdrawals.cancel(withdrawal.caller, withdrawal.id)), paid(withdrawal.id)]);
    await quiet();
    const { status } = await withdrawals.status(withdrawal.caller, withdrawal.id);
    if (status === 1) expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal done']);
    else expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal done', 'release withdrawal done']);
    expect([1, 3]).toContain(status);
    await expectEverythingAt(withdrawal, status === 1 ? 10_000n : 50_000n);
  }
});

describe('[WD-2] a late "failed"', () => {
  test.each([
    ['declined', 'unchanged'],
    // The provider was never asked, so its event contradicts the row, and staff must know.
    ['cancelled', 'unmatched'],
    ['expired', 'unmatched'],
  ] as const)('after the withdrawal was %s is %s, and sends no second release', async (how, outcome) => {
    const withdrawal = await released(how);
    expect(await declined(withdrawal.id)).toMatchObject({ outcome });
    await quiet();
    expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal done', 'release withdrawal done']);
    await expectEverythingAt(withdrawal, 50_000n);
  });

  test('after the payout was paid gives nothing back', async () => {
    const withdrawal = await held();
    await bench.payments.withdrawals.confirm(withdrawal.caller, withdrawal.id);
    await paid(withdrawal.id);
    expect(await declined(withdrawal.id)).toMatchObject({ outcome: 'unchanged' });
    await quiet();
    expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal done']);
    await expectEverythingAt(withdrawal, 10_000n);
  });

  test('after the payout was paid and came back sends one credit', async () => {
    const withdrawal = await held();
    await bench.payments.withdrawals.confirm(withdrawal.caller, withdrawal.id);
    await paid(withdrawal.id);
    await cameBack(withdrawal.id);
    await declined(withdrawal.id);
    await paid(withdrawal.id);
    await cameBack(withdrawal.id);
    await quiet();
    expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal done', 'credit withdrawal-returned done']);
    await expectEverythingAt(withdrawal, 50_000n);
  });
});

describe('[WD-2] a report about a withdrawal whose debit is not known', () => {
  /** A withdrawal that the wallet has not answered. */
  async function checking(): Promise<Released> {
    const { caller, userId, depositId } = await openDepositOf(bench);
    await bench.payments.apply(reportOf(depositId));
    await bench.payments.runDueWork();
    wallet.always = 'late';
    const { request } = intent(caller, { amount: '400.00' });
    expect((await bench.payments.withdrawals.create({ caller, request })).status).toBe(3);
    return { caller, userId, id: request.withdrawalId };
  }

  test.each(['paid', 'declined'] as const)('%s books nothing, and the debit is still asked for', async (outcome) => {
    const withdrawal = await checking();
    const before = await systemAccounts();
    await (outcome === 'paid' ? paid(withdrawal.id) : declined(withdrawal.id));
    expect(await systemAccounts()).toEqual(before);
    expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal waiting']);
    expect((await bench.payments.withdrawals.status(withdrawal.caller, withdrawal.id)).status).toBe(3);
  });

  test('paid, after the user cancelled, is kept for staff; the amount still goes back once', async () => {
    const withdrawal = await checking();
    await bench.payments.withdrawals.cancel(withdrawal.caller, withdrawal.id);
    expect(await paid(withdrawal.id)).toMatchObject({ outcome: 'unmatched' });
    await quiet();
    expect(await paid(withdrawal.id)).toMatchObject({ outcome: 'unmatched' });
    expect(await callsOf(withdrawal.id)).toEqual(['debit withdrawal done', 'release withdrawal done']);
    await expectEverythingAt(withdrawal, 50_000n);
  });
});

test('[WD-2] a late payout of an operator that only passes deposits through by now is charged to the operator', async () => {
  const withdrawal = await released('declined');
  await setWalletMode(database, 'pass-through');
  const before = await systemAccounts();
  await paid(withdrawal.id);
  await decide(withdrawal.id, 'charge');
  expect(await callsOf(withdrawal.id)).toContain('debit late-payout booked');
  const after = await systemAccounts();
  expect(after.operator_clearing - before.operator_clearing).toBe(-40_000n);
  expect(after.suspense).toBe(before.suspense);
  expect(await isFrozen(withdrawal.userId)).toBe(false);
  expect(await ledgerOf(database, withdrawal.userId)).toEqual(nothingHere);
  const settled = await bench.payments.withdrawals.status(withdrawal.caller, withdrawal.id);
  expect(settled).toMatchObject({ status: 1 });
});
