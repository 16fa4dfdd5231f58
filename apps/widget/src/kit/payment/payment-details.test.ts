import { describe, expect, test } from 'vitest';
import { paymentAmount, paymentTiming } from './payment-details.ts';

const report = { amount: '1500.00', currency: 'INR', created: '2026-01-01T00:00:00Z', lifetime: 900 };

describe('[DEP-5] the exact amount', () => {
  test('is the provider’s, with its own last digits', () => {
    expect(paymentAmount({ payment_amount: '1503.20', payment_currency: 'INR' }, report)).toEqual({
      amount: '1503.20',
      currency: 'INR',
    });
  });

  test('comes from the requisites if the answer has no other, and at last from the deposit', () => {
    const requisites = [{ name: 'amount', title: 'Amount', value: '1503.20' }];
    expect(paymentAmount({ requisites }, report)).toEqual({ amount: '1503.20', currency: 'INR' });
    expect(paymentAmount({}, report)).toEqual({ amount: '1500.00', currency: 'INR' });
  });

  test('never combines the number of one side with the currency of the other', () => {
    expect(paymentAmount({ payment_currency: 'USDT' }, report)).toEqual({ amount: '1500.00', currency: 'INR' });
    expect(paymentAmount({ payment_amount: '18.05' }, undefined)).toBeUndefined();
    expect(paymentAmount({}, undefined)).toBeUndefined();
  });
});

describe('[DEP-5] when the time began', () => {
  test('comes from the provider; the countdown has the default lifetime', () => {
    expect(paymentTiming({ created: '2026-01-02T00:00:00Z' }, report)).toEqual({
      created: '2026-01-02T00:00:00Z',
      lifetimeS: undefined,
    });
    expect(paymentTiming({ created: '2026-01-02T00:00:00Z', lifetime: 60, timeout_minutes: 9 }, report).lifetimeS).toBe(
      60,
    );
    expect(paymentTiming({ created: '2026-01-02T00:00:00Z', timeout_minutes: 15 }, report).lifetimeS).toBe(900);
  });

  test('comes from the server’s deposit if the provider’s is unreadable', () => {
    for (const created of [undefined, '', 'soon']) {
      expect(paymentTiming({ ...(created === undefined ? {} : { created }) }, report)).toEqual({
        created: report.created,
        lifetimeS: 900,
      });
    }
    expect(paymentTiming(undefined, undefined)).toEqual({ created: undefined, lifetimeS: undefined });
  });
});
