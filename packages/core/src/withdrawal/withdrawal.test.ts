import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toDecimalString } from '../money/money.ts';
import { checkWithdrawalAmount } from './withdrawal-amount.ts';
import {
  canUserCancelWithdrawal,
  endedState,
  holdEffectOf,
  isWithdrawalState,
  judgeWithdrawalMove,
  statusOfWithdrawalState,
  WITHDRAWAL_STATES,
  type WithdrawalState,
  withdrawalRank,
} from './withdrawal-lifecycle.ts';

test('[SRV-3] the rank rises along every allowed transition', () => {
  for (const from of WITHDRAWAL_STATES) {
    for (const to of WITHDRAWAL_STATES) {
      if (judgeWithdrawalMove(from, to) === 'move') expect(withdrawalRank(to)).toBeGreaterThan(withdrawalRank(from));
    }
  }
  expect(judgeWithdrawalMove('paid', 'submitted')).toBe('stale');
  expect(judgeWithdrawalMove('cancelled', 'paid')).toBe('forbidden');
  expect(judgeWithdrawalMove('declined', 'cancelled')).toBe('forbidden');
  expect(judgeWithdrawalMove('submitted', 'cancelled')).toBe('forbidden');
  expect(judgeWithdrawalMove('paid', 'paid')).toBe('same');
});

test('[WD-2] [SRV-2] for any reports, the hold is posted or released at most once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...WITHDRAWAL_STATES), { maxLength: 30 }), (report) => {
      let state: WithdrawalState = 'checking';
      let settled = 0;
      for (const to of report) {
        if (judgeWithdrawalMove(state, to) !== 'move') continue;
        state = to;
        if (['post', 'release'].includes(holdEffectOf(to))) settled += 1;
      }
      expect(settled).toBeLessThanOrEqual(1);
    }),
  );
});

test('[WD-2] only an unsubmitted withdrawal can be cancelled, and only a paid one is processed', () => {
  expect(WITHDRAWAL_STATES.filter(canUserCancelWithdrawal)).toEqual(['checking', 'held', 'awaiting_approval']);
  expect(WITHDRAWAL_STATES.filter((state) => statusOfWithdrawalState(state) === 'processed')).toEqual([
    'paid',
    'late_settled',
  ]);
  // A late payout is neither an end nor a success before staff have decided.
  expect(statusOfWithdrawalState('late_paid')).toBe('accepted');
  expect(['submitted_unknown', 'submitted'].filter(isWithdrawalState).map(statusOfWithdrawalState)).toEqual([
    'accepted',
    'accepted',
  ]);
  expect(isWithdrawalState('constructor')).toBe(false);
});

test('[WD-2] a withdrawal whose amount is not known yet gives nothing back when it ends', () => {
  expect(endedState('checking', 'cancelled')).toBe('refused');
  expect(endedState('held', 'cancelled')).toBe('cancelled');
  expect(endedState('awaiting_approval', 'expired')).toBe('expired');
  expect(holdEffectOf('refused')).toBe('none');
});

test('[WD-3] an amount above the balance is refused', () => {
  const limits = { currency: 'USD', min: 1000n, max: undefined };
  expect(checkWithdrawalAmount('50.01', limits, '50.00')).toEqual({
    key: 'form.amountInput.limit.balance',
    params: { amount: '50.00', currency: 'USD' },
  });
  expect(checkWithdrawalAmount('50.00', limits, '50.00')).toBeUndefined();
  expect(checkWithdrawalAmount('9.99', limits, '50.00')?.key).toBe('form.amountInput.limit.min');
  expect(checkWithdrawalAmount(undefined, limits, '50.00')?.key).toBe('form.amountInput.invalid');
  expect(checkWithdrawalAmount('10', limits, 'unknown')?.key).toBe('form.amountInput.limit.balance');
  const amount = fc.bigInt({ min: 0n, max: 10n ** 9n });
  fc.assert(
    fc.property(amount, amount, (asked, balance) => {
      const error = checkWithdrawalAmount(
        toDecimalString(asked, 2),
        { ...limits, min: undefined },
        toDecimalString(balance, 2),
      );
      expect(error === undefined).toBe(asked > 0n && asked <= balance);
    }),
  );
});
