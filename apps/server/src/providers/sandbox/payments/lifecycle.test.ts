import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCallback, reportOf } from './callback-body.ts';
import { cancel, decide, factAt, isOpen, openPayment } from './lifecycle.ts';
import type { NewPayment } from './payment.ts';
import { type Decision, decisions } from './scenarios.ts';

const NOW = 1_767_225_600_000;
const request: NewPayment = {
  depositId: '7d9f0f0e-6d3b-4a39-9d0f-0a2d2f0d9a11',
  paymentMethod: 'card',
  amountMinor: 2_500n,
  currency: 'USD',
  returnUrl: 'https://cashier.example/return',
  flow: 'redirect',
};
const open = (amountMinor = 2_500n, currency = 'USD') => openPayment({ ...request, amountMinor, currency }, NOW);

function decided(decision: Decision, payLessMinor?: bigint) {
  const change = decide(open().payment, decision, NOW + 1_000, payLessMinor);
  if (change === undefined) throw new Error('The payment was not open');
  return change;
}

describe('a payment with a page', () => {
  test('is open until it expires, and reports the expiry once', () => {
    const { payment, callbacks } = open();
    expect(isOpen(payment, NOW + 599_999)).toBe(true);
    expect(isOpen(payment, NOW + 600_000)).toBe(false);
    expect(factAt(payment, NOW + 600_000)?.outcome).toBe('expired');
    expect(callbacks.map((one) => one.dueAt)).toEqual([NOW + 600_000]);
  });

  test.each([
    ['approve', 'paid', 2_500n],
    ['decline', 'declined', undefined],
    ['approve-later', 'pending', undefined],
    ['pay-less', 'paid', 700n],
  ] as const)('is after %s %s', (decision, outcome, paidMinor) => {
    const { payment } = decided(decision, 700n);
    expect(factAt(payment, NOW + 1_000)).toMatchObject({ outcome, ...(paidMinor === undefined ? {} : { paidMinor }) });
  });

  test('is paid ten seconds after “approve later” and never expires', () => {
    const { payment, callbacks } = decided('approve-later');
    expect(factAt(payment, NOW + 10_999)?.outcome).toBe('pending');
    expect(factAt(payment, NOW + 11_000)?.outcome).toBe('paid');
    expect(factAt(payment, NOW + 86_400_000)?.outcome).toBe('paid');
    expect(callbacks.map((one) => one.dueAt - NOW)).toEqual([1_000, 11_000]);
  });

  test('expires after “abandon”, without a callback', () => {
    const { payment, callbacks } = decided('abandon');
    expect(callbacks).toEqual([]);
    expect(factAt(payment, NOW + 1_000)).toBeUndefined();
    expect(factAt(payment, NOW + 600_000)?.outcome).toBe('expired');
  });

  test('is decided once', () => {
    fc.assert(
      fc.property(fc.constantFrom(...decisions), fc.constantFrom(...decisions), (first, second) => {
        expect(decide(decided(first, 700n).payment, second, NOW + 2_000, 900n)).toBeUndefined();
      }),
    );
  });

  test('is declined whatever is chosen, when its amount ends in 10', () => {
    const change = decide(open(2_510n).payment, 'approve', NOW);
    expect(change?.payment.facts.map((fact) => fact.outcome)).toEqual(['declined']);
  });

  test('can be cancelled before it is decided and not after', () => {
    expect(cancel(open().payment, NOW)?.payment.facts.map((fact) => fact.outcome)).toEqual(['cancelled']);
    expect(cancel(decided('approve-later').payment, NOW + 2_000)).toBeUndefined();
    expect(cancel(open(2_506n).payment, NOW)).toBeUndefined();
    expect(cancel(open().payment, NOW + 600_000)).toBeUndefined();
  });
});

describe('the reports of the sandbox', () => {
  test('a callback and an inquiry give the same report, for every amount and currency', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 17n }),
        fc.constantFrom('USD', 'BTC', 'INR'),
        fc.constantFrom(...decisions),
        (amountMinor, currency, decision) => {
          const opened = open(amountMinor, currency);
          const change = decide(opened.payment, decision, NOW, 1n) ?? opened;
          for (const callback of change.callbacks) {
            const fact = change.payment.facts.find((one) => one.eventId === callback.eventId);
            if (fact === undefined) throw new Error('A callback without a fact');
            expect(readCallback(Buffer.from(callback.body))).toEqual(reportOf(change.payment, fact));
          }
        },
      ),
    );
  });

  test('half of an amount is rounded down', () => {
    expect(open(2_507n).payment.facts[0]?.paidMinor).toBe(1_253n);
    expect(open(7n, 'BTC').payment.facts[0]?.paidMinor).toBe(3n);
  });

  test('the forged callback has the id and the body of the genuine one and is sent first', () => {
    const [forged, genuine] = open(2_511n).callbacks;
    expect([forged?.isForged, genuine?.isForged]).toEqual([true, false]);
    expect(forged?.eventId).toBe(genuine?.eventId);
    expect(forged?.dueAt).toBeLessThan(genuine?.dueAt ?? 0);
  });

  test.each(['', '[]', '{"id":"evt_1"}', 'null'])('a body of %j is refused', (body) => {
    expect(() => readCallback(Buffer.from(body))).toThrow();
  });

  test('a paid report without an amount, or with a malformed one, is refused', () => {
    const [callback] = decided('approve').callbacks;
    const body = JSON.parse(callback?.body ?? '');
    const withPaid = (paid: unknown): Uint8Array =>
      Buffer.from(JSON.stringify({ ...body, data: { ...body.data, paid } }));
    expect(() => readCallback(withPaid(undefined))).toThrow(RangeError);
    expect(() => readCallback(withPaid({ value: '25.001', currency: 'USD' }))).toThrow(RangeError);
    expect(() => readCallback(withPaid({ value: '-25.00', currency: 'USD' }))).toThrow(RangeError);
  });
});
