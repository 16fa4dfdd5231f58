import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toDecimalString } from '../money/money.ts';
import { checkAmount, checkLimits } from './check-amount.ts';
import { limitsHint, methodLimits, ONRAMP_LIMITS_MISSING_KEY, onrampCryptoLimits } from './limits.ts';

const rule = { min: '300', max: '50000', minNonRus: '500' };
const inr = (more: Partial<Parameters<typeof methodLimits>[0]> = {}) =>
  methodLimits({ currency: 'INR', rule, ...more });

describe('[AMT-3] limits of a method', () => {
  test('come from its amount rule', () => {
    expect(inr()).toEqual({ currency: 'INR', min: 30_000n, max: 5_000_000n });
    expect(inr({ country: 'RU' }).min).toBe(30_000n);
  });

  test('outside Russia the minimum is minNonRus, where there is one', () => {
    expect(inr({ country: 'IN' }).min).toBe(50_000n);
    expect(inr({ country: 'IN', rule: { min: '300', max: '500' } }).min).toBe(30_000n);
  });

  test('are rounded to the currency’s decimals without widening', () => {
    expect(inr({ rule: { min: '10.001', max: '99.999' } })).toMatchObject({ min: 1001n, max: 9999n });
    const btc = methodLimits({ currency: 'BTC', rule: { min: '0.000000015', max: '1.000000019' } });
    expect(btc).toMatchObject({ min: 2n, max: 100_000_001n });
  });

  test('the server’s limits replace both when its min or max is not zero', () => {
    expect(inr({ server: { min: '1', max: '2' } })).toMatchObject({ min: 100n, max: 200n });
    expect(inr({ server: { min: '0', max: '2' } })).toMatchObject({ min: undefined, max: 200n });
    expect(inr({ server: { min: '0.00', max: '0' } })).toMatchObject({ min: 30_000n, max: 5_000_000n });
  });

  test('a method without a rule, or with an unreadable one, has no bounds', () => {
    expect(inr({ rule: undefined })).toMatchObject({ min: undefined, max: undefined });
    expect(inr({ rule: { min: 'ten', max: '' } })).toMatchObject({ min: undefined, max: undefined });
  });
});

describe('[AMT-4] messages and hint', () => {
  test('the minimum names its amount, the maximum too', () => {
    expect(checkAmount('299.99', inr())).toEqual({
      key: 'form.amountInput.limit.min',
      params: { amount: '300.00', currency: 'INR' },
    });
    expect(checkAmount('50000.01', inr())).toMatchObject({ key: 'form.amountInput.limit.max' });
    expect(checkAmount('300', inr())).toBeUndefined();
    expect(checkAmount('50000.00', inr())).toBeUndefined();
  });

  test('the hint shows from and to', () => {
    expect(limitsHint(inr())).toEqual({ from: '300.00', to: '50000.00', currency: 'INR' });
    expect(limitsHint(inr({ rule: { min: '5', max: '0' } }))).toEqual({ from: '5.00', to: undefined, currency: 'INR' });
    expect(limitsHint(inr({ rule: undefined }))).toBeUndefined();
  });

  test('what is no amount of the currency is invalid, whatever the limits', () => {
    for (const text of [undefined, '', '1.001', '-1', '1e3', 'abc', '1,5', '٥']) {
      expect(checkAmount(text, inr({ rule: undefined }))?.key).toBe('form.amountInput.invalid');
    }
    expect(checkAmount('0', inr({ rule: undefined }))?.key).toBe('form.amountInput.invalid');
    expect(checkAmount('0.01', inr({ rule: undefined }))).toBeUndefined();
  });

  test('an amount passes exactly when it lies between the limits', () => {
    const bound = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(bound, bound, fc.bigInt({ min: 0n, max: 10n ** 12n }), (min, max, minor) => {
        const passes = checkAmount(toDecimalString(minor, 2), { currency: 'USD', min, max }) === undefined;
        expect(passes).toBe(minor >= min && minor <= max);
        expect(checkLimits(minor, { currency: 'USD', min, max }) === undefined).toBe(passes);
      }),
    );
  });
});

describe('[AMT-8] methods with rules of their own', () => {
  test('p2p_market: its own pattern and message come first', () => {
    const pattern = { test: (text: string) => /00$/.test(text), errorKey: 'p2p_market.amount' };
    expect(checkAmount('301', inr(), pattern)).toEqual({ key: 'p2p_market.amount', params: {} });
    expect(checkAmount('100', inr(), pattern)?.key).toBe('form.amountInput.limit.min');
    expect(checkAmount('300', inr(), pattern)).toBeUndefined();
  });

  test('on-ramp crypto: the deposit limits, else at least 1; no answer means no limits yet', () => {
    expect(onrampCryptoLimits('USDT', { min: '10', max: '500' })).toMatchObject({
      min: 1_000_000_000n,
      max: 50_000_000_000n,
    });
    expect(onrampCryptoLimits('USDT', { min: '0', max: '0' })).toMatchObject({ min: 100_000_000n, max: undefined });
    expect(onrampCryptoLimits('USDT', undefined)).toBeUndefined();
    expect(onrampCryptoLimits('USDT', null)).toBeUndefined();
    expect(ONRAMP_LIMITS_MISSING_KEY).toBe('deposit.onramp.error.currency');
  });
});
