import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SPECIFIED_LOCALES } from '../money/locales.fixture.ts';
import { toDecimalString } from '../money/money.ts';
import { editAmount, groupTyped, typeAmount, typedKey, typingRules } from './type-amount.ts';

const usd = typingRules('USD', 'en', 100_000n);
const eur = typingRules('EUR', 'de');

describe('typing into the amount field', () => {
  test.each([
    ['12', '12'],
    ['12.', '12.'],
    ['12.3', '12.3'],
    ['12.345', '12.34'],
    ['.5', '0.5'],
    ['.', '0.'],
    ['1,500', '1500'],
    ['1.2.3', '1.23'],
    ['00', '0'],
    ['000', '0'],
    ['05', '5'],
    ['0.5', '0.5'],
    ['100', '100'],
    ['-5', '5'],
    ['1e3', '13'],
    ['abc', ''],
    ['١٢', '12'],
  ])('[AMT-1] %j becomes %j', (text, shown) => {
    expect(typeAmount(text, usd)).toBe(shown);
  });

  test('[AMT-1] the decimal separator is the locale’s', () => {
    expect(typeAmount('1,5', eur)).toBe('1,5');
    expect(typeAmount('1٫5', typingRules('USD', 'ar-EG-u-nu-arab'))).toBe('1٫5');
  });

  test('[AMT-1] every decimal key types the locale’s separator, and the field’s grouping stays', () => {
    for (const locale of SPECIFIED_LOCALES) {
      const rules = typingRules('USD', locale);
      for (const key of '.,٫،．，。') {
        expect(typeAmount(`12${typedKey(key, rules)}50`, rules), `${locale} ${key}`).toBe(`12${rules.separator}50`);
      }
      expect(typeAmount(groupTyped('1500', locale, rules), rules)).toBe('1500');
    }
  });

  test('[AMT-1] fiat has two decimals, crypto has eight', () => {
    expect(typeAmount('1.123456789', usd)).toBe('1.12');
    expect(typeAmount('1.123456789', typingRules('BTC', 'en'))).toBe('1.12345678');
  });

  test('[AMT-1] at most one integer digit more than the maximum has', () => {
    expect(usd.maxIntegerDigits).toBe(5);
    expect(typeAmount('123456.78', usd)).toBe('12345.78');
    expect(typingRules('BTC', 'en', 100_000_000n).maxIntegerDigits).toBe(2);
    expect(typeAmount('9'.repeat(50), typingRules('USD', 'en'))).toHaveLength(15);
  });
});

describe('the text of the amount field', () => {
  test('[AMT-1] typing the shown text again changes nothing', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SPECIFIED_LOCALES),
        fc.string({ unit: fc.constantFrom(...'0123456789.,٫ -e٣') }),
        (where, text) => {
          const rules = typingRules('USD', where);
          const shown = typeAmount(text, rules);
          expect(typeAmount(shown, rules)).toBe(shown);
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('[AMT-2] grouping a typed amount never changes its value, in any locale, even for whole amounts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SPECIFIED_LOCALES),
        fc.bigInt({ min: 0n, max: 10n ** 17n - 1n }),
        fc.boolean(),
        (where, minor, isWhole) => {
          const rules = typingRules('USD', where);
          const decimal = isWhole ? `${minor / 100n}` : toDecimalString(minor, 2);
          const shown = editAmount(decimal, rules);
          expect(typeAmount(groupTyped(shown, where, rules), rules)).toBe(shown);
        },
      ),
      { numRuns: 4000 },
    );
    expect(groupTyped('1500.5', 'en', usd)).toBe('1,500.5');
    expect(groupTyped('100000', 'en-IN', typingRules('INR', 'en-IN'))).toBe('1,00,000');
    expect(groupTyped('12.', 'en', usd)).toBe('12.');
    expect(groupTyped('', 'en', usd)).toBe('');
  });
});
