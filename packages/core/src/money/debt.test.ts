import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditedToBalance, debtPayment, payDebtFirst, splitReversal } from './debt.ts';

test('[SRV-2] a reversal takes the available balance, and the rest becomes a debt', () => {
  expect(splitReversal(500n, 700n)).toEqual({ taken: 500n, owed: 0n });
  expect(splitReversal(500n, 500n)).toEqual({ taken: 500n, owed: 0n });
  expect(splitReversal(500n, 120n)).toEqual({ taken: 120n, owed: 380n });
  expect(splitReversal(500n, 0n)).toEqual({ taken: 0n, owed: 500n });
});

test('[DEP-15] [SRV-2] only the part of a deposit that paid no debt reaches the balance', () => {
  expect(creditedToBalance('1500.00', { paidDebt: '400.50' }, 'INR')).toBe('1099.50');
  expect(creditedToBalance('1500', { paidDebt: '1500.00' }, 'INR')).toBe('0.00');
  expect(creditedToBalance('0.5', { paidDebt: '0.1' }, 'BTC')).toBe('0.40000000');
  expect(creditedToBalance('1500.00', { paidDebt: '400.50', fee: '22.50' }, 'INR')).toBe('1077.00');
  expect(creditedToBalance('1500.00', { fee: '22.50' }, 'INR')).toBe('1477.50');
  expect(creditedToBalance('1500.00', {}, 'INR')).toBe('1500.00');
  expect(creditedToBalance('1500.00', { paidDebt: 'much' }, 'INR')).toBeUndefined();
});

test('[SRV-2] a credit pays the debt first, and never more than the debt', () => {
  expect(payDebtFirst(500n, 0n)).toEqual({ toDebt: 0n, toUser: 500n });
  expect(payDebtFirst(500n, 120n)).toEqual({ toDebt: 120n, toUser: 380n });
  expect(payDebtFirst(500n, 900n)).toEqual({ toDebt: 500n, toUser: 0n });
});

test.each([
  [900n, undefined, undefined, { kind: 'pays', amount: 900n }],
  [900n, undefined, 200n, { kind: 'pays', amount: 200n }],
  [900n, undefined, 2_000n, { kind: 'pays', amount: 900n }],
  [900n, 300n, 300n, { kind: 'pays', amount: 300n }],
  [900n, 900n, undefined, { kind: 'pays', amount: 900n }],
  [900n, 901n, 2_000n, { kind: 'not-owed' }],
  [0n, undefined, undefined, { kind: 'not-owed' }],
  [900n, 300n, 299n, { kind: 'not-there' }],
  [900n, undefined, 0n, { kind: 'not-there' }],
] as const)(
  '[SRV-2] settling a debt of %s with a requested %s of the available %s: %o',
  (debt, asked, available, settlement) => {
    expect(debtPayment(debt, { asked, available })).toEqual(settlement);
  },
);

test('[SRV-2] after any reversals and credits no balance and no debt is negative, and their difference is the money', () => {
  const step = fc.tuple(fc.constantFrom('take', 'give'), fc.bigInt({ min: 0n, max: 1_000n }));
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let [balance, debt, net] = [0n, 0n, 0n];
      for (const [kind, amount] of steps) {
        if (kind === 'take') {
          const { taken, owed } = splitReversal(amount, balance);
          [balance, debt, net] = [balance - taken, debt + owed, net - amount];
        } else {
          const { toDebt, toUser } = payDebtFirst(amount, debt);
          [balance, debt, net] = [balance + toUser, debt - toDebt, net + amount];
        }
        expect(balance >= 0n && debt >= 0n).toBe(true);
        expect(balance - debt).toBe(net);
      }
    }),
  );
});
