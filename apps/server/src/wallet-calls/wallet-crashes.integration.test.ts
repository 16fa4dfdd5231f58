/** A server that dies between any two steps, and another that goes on: the operator's book and the ledger stay equal (SRV-2). */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type Failpoint, walletFailpoints } from '../payment-ports/failpoints.ts';
import { ann, type Bench, commandOf, createBench, reportOf } from '../payments/testing/payments.fixture.ts';
import { CARD, reportOn } from '../withdrawals/withdrawals.fixture.ts';
import {
  endPauses,
  type FakeWallet,
  givenToOperator,
  ledgerOf,
  nothingHere,
  useWallet,
  withWalletPayments,
} from './fake-wallet.fixture.ts';

let database: Database;
let wallet: FakeWallet;
withWalletPayments((made) => {
  ({ database, wallet } = made);
});

class Crash extends Error {
  override readonly name = 'Crash';
}

/** Payments that die at the n-th pass of a failpoint. Afterwards nothing works there any more. */
function dyingBench(at: Failpoint, nth: number): Bench & { readonly hasDied: () => boolean } {
  let passes = 0;
  let isDead = false;
  const bench = createBench(database, {
    failpoint(name) {
      if (name === at) {
        passes += 1;
        if (passes === nth) isDead = true;
      }
      if (isDead) throw new Crash(name);
    },
  });
  return { ...bench, hasDied: () => isDead };
}

const steps: readonly Failpoint[] = [
  'credit-uncommitted',
  ...walletFailpoints,
  'withdrawal-before-insert',
  'withdrawal-uncommitted',
  'withdrawal-held',
  'confirm-uncommitted',
  'withdrawal-confirmed',
  'withdrawal-answered',
  'settle-uncommitted',
  'withdrawal-cancel-uncommitted',
  'withdrawal-cancelled',
  'refund-begun',
  'refund-answered',
];

test.each(steps.flatMap((step) => [1, 2, 3].map((nth) => [step, nth] as const)))(
  '[SRV-2] [WD-2] a crash at %s (pass %i) neither makes nor loses money',
  async (step, nth) => {
    await useWallet(database, wallet);
    const dying = dyingBench(step, nth);
    let bench: Bench & { readonly hasDied?: () => boolean } = dying;
    /** Does one thing; after a crash another server does it again. */
    const attempt = async (work: (payments: Bench['payments']) => Promise<unknown>): Promise<void> => {
      for (let tries = 0; tries < 3; tries += 1) {
        const outcome = await work(bench.payments).catch((error: unknown) => error);
        if (bench.hasDied?.() !== true) {
          if (outcome instanceof Error) throw outcome;
          return;
        }
        bench = createBench(database);
        await endLeases();
        await bench.payments.runDueWork();
      }
    };
    const endLeases = async (): Promise<void> => {
      await endPauses(database);
      for (const text of [
        'update withdrawal set busy_until = null where busy_until is not null',
        'update withdrawal set check_at = now() where check_at is not null',
        'update refund set check_at = now() where check_at is not null',
      ])
        await database.query({ text });
    };
    const settle = async (): Promise<void> => {
      for (let rounds = 0; rounds < 3; rounds += 1) {
        await endLeases();
        await attempt((payments) => payments.runDueWork());
      }
    };

    const caller = { ...ann, userId: `crash-${randomUUID()}` };
    const { userId } = caller;
    const [spent, refunded] = [randomUUID(), randomUUID()];
    for (const depositId of [spent, refunded]) {
      await attempt((payments) => payments.createDeposit(commandOf({ depositId }, caller)));
      const report = reportOf(depositId);
      await attempt((payments) => payments.apply(report));
    }
    await settle();
    const request = (withdrawalId: string, amount: string) => ({
      caller,
      request: {
        withdrawalId,
        amount,
        currency: 'INR',
        paymentMethod: 'payout_card',
        fields: CARD,
        accountType: 'main' as const,
      },
    });
    const [paid, cancelled] = [randomUUID(), randomUUID()];
    await attempt((payments) => payments.withdrawals.create(request(paid, '400.00')));
    await settle();
    await attempt((payments) => payments.withdrawals.confirm(caller, paid));
    await attempt((payments) => payments.withdrawals.create(request(cancelled, '100.00')));
    await attempt((payments) => payments.withdrawals.cancel(caller, cancelled));
    await settle();
    const payout = reportOn(paid, { paidMinor: 38_900n });
    await attempt((payments) => payments.withdrawals.apply(payout));
    const refund = { operatorId: 'op', depositId: refunded, refundId: randomUUID(), staff: 'sam' };
    await attempt((payments) => payments.refundDeposit(refund));
    await settle();
    const sent = reportOf(refunded, { outcome: 'reversed' });
    await attempt((payments) => payments.apply(sent));
    const reversed = reportOf(spent, { outcome: 'reversed' });
    await attempt((payments) => payments.apply(reversed));
    await settle();

    // A later pass may not exist, but a step that is never reached would prove nothing.
    if (nth === 1) expect(dying.hasDied()).toBe(true);
    const moved = [...wallet.executed.values()].filter((call) => call.userId === userId);
    const sums = moved.map((call) => `${call.type} ${'reason' in call ? call.reason : ''}`).sort();
    expect(sums).toEqual([
      'credit deposit',
      'credit deposit',
      'debit chargeback',
      'debit refund',
      'debit withdrawal',
      'debit withdrawal',
      'release withdrawal',
    ]);
    // 1000.00 in, 400.00 paid out, 500.00 refunded, and 500.00 charged back by force.
    expect(wallet.balanceOf(userId)).toBe(-40_000n);
    expect(await givenToOperator(database, userId)).toBe(-40_000n);
    expect(await ledgerOf(database, userId)).toEqual(nothingHere);
    expect((await auditLedger(database)).faults).toEqual([]);
  },
);
