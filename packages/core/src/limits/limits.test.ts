import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountChips } from '../amount/amount-choices.ts';
import { CURRENCIES, decimalsOf, paidStep } from '../money/currencies.ts';
import { toDecimalString } from '../money/money.ts';
import { splitWithdrawal } from '../withdrawal/withdrawal-fee.ts';
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

  test('outside Russia the minimum is minNonRus, if set', () => {
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

  test('a method without a rule, or with an unreadable rule, has no limits', () => {
    expect(inr({ rule: undefined })).toMatchObject({ min: undefined, max: undefined });
    expect(inr({ rule: { min: 'ten', max: '' } })).toMatchObject({ min: undefined, max: undefined });
  });
});

describe('[AMT-4] messages and hint', () => {
  test('an error names the minimum or the maximum', () => {
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

  test('a text that is not an amount of the currency is invalid, whatever the limits', () => {
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

describe('[AMT-8] methods with their own rules', () => {
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

describe('[AMT-9] amounts that a provider accepts', () => {
  const limitsIn = (currency: string, rule: { min: string; max: string; decimals?: number }) =>
    methodLimits({ currency, rule });

  test('a fraction of a yen is refused, and limits are whole yen', () => {
    const limits = limitsIn('JPY', { min: '99.50', max: '1000.75' });
    expect(limits).toEqual({ currency: 'JPY', min: 100_00n, max: 1000_00n });
    expect(checkAmount('100', limits)).toBeUndefined();
    expect(checkAmount('100.00', limits)).toBeUndefined();
    expect(checkAmount('100.50', limits)?.key).toBe('form.amountInput.whole');
    expect(checkAmount('99.50', limits)?.key).toBe('form.amountInput.limit.min');
  });

  test('a dinar with thousandths accepts every amount that can be typed', () => {
    const limits = limitsIn('KWD', { min: '0.125', max: '10.999' });
    expect(limits).toEqual({ currency: 'KWD', min: 13n, max: 1099n });
    expect(checkAmount('0.13', limits)).toBeUndefined();
  });

  test('the catalogue’s decimals win over the currency’s', () => {
    expect(checkAmount('10.5', limitsIn('USD', { min: '1', max: '90', decimals: 0 }))?.key).toBe(
      'form.amountInput.whole',
    );
    expect(checkAmount('10.55', limitsIn('USD', { min: '1', max: '90', decimals: 1 }))?.key).toBe(
      'form.amountInput.whole',
    );
    expect(checkAmount('10.5', limitsIn('USD', { min: '1', max: '90', decimals: 1 }))).toBeUndefined();
    expect(checkAmount('10.5', limitsIn('JPY', { min: '1', max: '90', decimals: 2 }))).toBeUndefined();
  });

  test('a maximum below one whole unit accepts no amount', () => {
    const limits = limitsIn('JPY', { min: '0', max: '0.5' });
    for (const amount of ['0.5', '1', '100']) expect(checkAmount(amount, limits), amount).toBeDefined();
  });

  test('every accepted amount is a multiple of the step and within the limits, in every currency', () => {
    const amount = fc.bigInt({ min: 0n, max: 10_000_00n });
    fc.assert(
      fc.property(fc.constantFrom(...CURRENCIES.map(({ code }) => code)), amount, amount, amount, (code, a, b, c) => {
        const [low = 0n, middle = 0n, high = 0n] = [a, b, c].sort((x, y) => (x < y ? -1 : 1));
        const write = (minor: bigint) => toDecimalString(minor, decimalsOf(code));
        const limits = limitsIn(code, { min: write(low), max: write(high) });
        if (checkAmount(write(middle), limits) !== undefined) return;
        expect(middle % paidStep(code)).toBe(0n);
        expect(middle >= low && middle <= high).toBe(true);
      }),
    );
  });

  test('no chip is finer than the provider’s step', () => {
    const limits = limitsIn('KRW', { min: '1', max: '100000' });
    const chips = amountChips({ limits, country: 'KR', fixedAmounts: ['99.50', '100.00', '2500'] });
    expect(chips).toEqual(['100', '2500']);
  });

  test('[WD-2] the amount that a withdrawal pays out is payable, too', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 9n }), (units) => {
        const { fee, receives } = splitWithdrawal(units * 100n, 'JPY', { fixed: '0.5', percent: '1.7' });
        expect([fee % 100n, receives % 100n, fee + receives]).toEqual([0n, 0n, units * 100n]);
      }),
    );
  });
});
