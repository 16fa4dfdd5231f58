import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_REFUNDS, planRefunds, refundableSum } from './plan-refunds.ts';

const rests = (...list: bigint[]) => list.map((rest, index) => ({ paymentId: `p${index}`, rest }));

test('[WD-2] a payout uses the payments in their order, and of the last one only what is missing', () => {
  expect(planRefunds(rests(30n, 0n, 50n, 20n), 60n)).toEqual([
    { paymentId: 'p0', amount: 30n },
    { paymentId: 'p2', amount: 30n },
  ]);
});

test('[WD-2] more than the payments have is not planned at all', () => {
  expect(planRefunds(rests(30n, 20n), 51n)).toBeUndefined();
  expect(planRefunds([], 1n)).toBeUndefined();
  expect(planRefunds(rests(5n), 0n)).toBeUndefined();
});

test('[WD-2] the refunds add up to the amount, and none is above the rest of its payment', () => {
  const payments = fc.array(fc.bigInt(-5n, 10_000n), { maxLength: 15 }).map((list) => rests(...list));
  fc.assert(
    fc.property(payments, fc.bigInt(1n, 60_000n), (list, amount) => {
      const planned = planRefunds(list, amount);
      // A payout is possible exactly up to the sum that the form shows.
      expect(planned !== undefined).toBe(amount <= refundableSum(list));
      if (planned === undefined) return;
      expect(planned.reduce((sum, part) => sum + part.amount, 0n)).toBe(amount);
      expect(planned.length).toBeLessThanOrEqual(MAX_REFUNDS);
      expect(new Set(planned.map(({ paymentId }) => paymentId)).size).toBe(planned.length);
      for (const { paymentId, amount: part } of planned) {
        expect(part).toBeGreaterThan(0n);
        expect(part).toBeLessThanOrEqual(list.find((one) => one.paymentId === paymentId)?.rest ?? 0n);
      }
    }),
  );
});
