import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDecimal } from '../money/money.ts';
import { amountChips, prefilledAmount } from './amount-choices.ts';
import { randomBelow, sessionAmount } from './session-amount.ts';

const limits = (currency: string, min?: bigint, max?: bigint) => ({ currency, min, max });

describe('chips', () => {
  test('[AMT-5] the chips are the first five amounts of the ladder within the limits', () => {
    expect(amountChips({ limits: limits('INR', 30_000n, 5_000_000n), country: 'IN' })).toEqual([
      '500',
      '1000',
      '3000',
      '5000',
      '10000',
    ]);
    expect(amountChips({ limits: limits('USD', 20_000_000n), country: 'US' })).toEqual(['250000']);
    expect(amountChips({ limits: limits('USD'), country: 'US' })).toEqual(['5', '10', '25', '50', '75']);
    expect(amountChips({ limits: limits('USD', 600n, 700n), country: 'US' })).toEqual([]);
  });

  test('[AMT-5] Russia has its own five chips, except for crypto', () => {
    expect(amountChips({ limits: limits('RUB', 100n), country: 'RU' })).toEqual([
      '5000',
      '7500',
      '10000',
      '25000',
      '50000',
    ]);
    expect(amountChips({ limits: limits('RUB', 100n, 1_000_000n), country: 'ru' })).toEqual(['5000', '7500', '10000']);
    expect(amountChips({ limits: limits('USDT', 1_000_000_000n), country: 'RU' })[0]).toBe('10');
  });

  test('[AMT-5] [AMT-6] the server’s amounts replace the ladder, within the limits', () => {
    const input = { limits: limits('RUB', 10_000n, 100_000n), country: 'RU' };
    expect(amountChips({ ...input, fixedAmounts: ['150.00', '99', '200.50', '150', '1001', 'x'] })).toEqual([
      '150',
      '200.5',
    ]);
    expect(amountChips({ ...input, fixedAmounts: [], limits: limits('RUB') })).toHaveLength(5);
  });

  test('[AMT-5] every chip is an amount within the limits, and the chips rise', () => {
    const bound = fc.option(fc.bigInt({ min: 1n, max: 10n ** 9n }), { nil: undefined });
    fc.assert(
      fc.property(bound, bound, fc.constantFrom('RU', 'IN', undefined), (min, max, country) => {
        const minors = amountChips({ limits: limits('USD', min, max), country }).map((chip) => {
          const result = parseDecimal(chip, 2);
          return result.ok ? result.minor : -1n;
        });
        expect(minors.length).toBeLessThanOrEqual(5);
        expect(minors.every((minor) => minor >= (min ?? 1n) && minor <= (max ?? minor))).toBe(true);
        expect(minors.every((minor, index) => index === 0 || minor > (minors[index - 1] ?? minor))).toBe(true);
      }),
    );
  });
});

test('[AMT-6] a prefilled amount has the decimals of its currency', () => {
  expect(prefilledAmount('500', 'INR')).toBe('500.00');
  expect(prefilledAmount(12.5, 'USD')).toBe('12.50');
  expect(prefilledAmount('0.001', 'BTC')).toBe('0.00100000');
  expect(prefilledAmount('12.345', 'USD')).toBe('12.35');
  expect([prefilledAmount('x', 'USD'), prefilledAmount('0', 'USD'), prefilledAmount(null, 'USD')]).toEqual(
    Array(3).fill(undefined),
  );
});

describe('the amount of a payment session', () => {
  const first = () => 0n;
  const last = (bound: bigint) => bound - 1n;

  test('[AMT-7] is the typed amount', () => {
    expect(sessionAmount('500.5', limits('INR', 30_000n, 5_000_000n), last)).toBe('500.50');
    expect(sessionAmount('1', limits('INR', 30_000n, 5_000_000n), last)).toBe('1.00');
  });

  test('[AMT-7] is random within the limits if the minimum was typed', () => {
    expect(sessionAmount('300', limits('INR', 30_000n, 5_000_000n), first)).toBe('300.00');
    expect(sessionAmount('300.00', limits('INR', 30_000n, 5_000_000n), last)).toBe('50000.00');
    expect(sessionAmount('300', limits('INR', 30_000n, undefined), last)).toBe('300.00');
  });

  test('[AMT-7] no session starts until an amount above zero is typed', () => {
    expect([sessionAmount('0', limits('USD'), last), sessionAmount(undefined, limits('USD'), last)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('[AMT-7] never leaves the limits, whatever the random source returns', () => {
    const source = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 25n }),
        fc.bigInt({ min: 0n, max: 10n ** 25n }),
        source,
        (min, width, value) => {
          const drawn = randomBelow(() => value)(width + 1n);
          expect(drawn >= 0n && drawn <= width).toBe(true);
          const text = `${min / 100n}.${String(min % 100n).padStart(2, '0')}`;
          const session = sessionAmount(
            text,
            limits('USD', min, min + width),
            randomBelow(() => value),
          );
          const result = parseDecimal(session ?? '', 2);
          expect(result.ok && result.minor >= min && result.minor <= min + width).toBe(true);
        },
      ),
    );
    expect(randomBelow(() => 1 - Number.EPSILON)(10n)).toBe(9n);
    expect(randomBelow(() => 0.55)(10n)).toBe(5n);
  });
});
