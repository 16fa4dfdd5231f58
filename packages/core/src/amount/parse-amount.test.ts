import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CURRENCIES } from '../money/currencies.ts';
import { formatDecimal, formatWireAmount } from '../money/format.ts';
import { SPECIFIED_LOCALES } from '../money/locales.fixture.ts';
import { toDecimalString } from '../money/money.ts';
import { numberSymbols } from '../money/number-locale.ts';
import { parseAmount } from './parse-amount.ts';

const read = (text: string, locale = 'en', decimals = 2) => {
  const result = parseAmount(text, { locale, decimals });
  return result.ok ? result.decimal : result.error;
};

describe('parsing a pasted amount', () => {
  test.each([
    ['25', '25'],
    ['25.5', '25.5'],
    ['25,5', '25.5'],
    ['1 234,56', '1234.56'],
    ['1\u00a0234,56', '1234.56'],
    ['1\u202f234,56', '1234.56'],
    ["1'234.56", '1234.56'],
    ['1\u2019234.56', '1234.56'],
    ['1,234.56', '1234.56'],
    ['1.234,56', '1234.56'],
    ['1.234.567,89', '1234567.89'],
    ['1,23,456.78', '123456.78'],
    ['12.', '12'],
    ['.5', '0.5'],
    ['0.10', '0.10'],
    ['007', '7'],
    [' 25 \n', '25'],
    ['\u200f25.50\u200e', '25.50'],
  ])('[AMT-2] %j is %s', (text, decimal) => {
    expect(read(text)).toBe(decimal);
  });

  test.each([
    ['١٢٣٤٫٥٦', '1234.56'],
    ['١٬٢٣٤٫٥٦', '1234.56'],
    ['١٬٢٣٤', '1234'],
    ['۱۲۳۴٫۵', '1234.5'],
    ['১২৩৪.৫৬', '1234.56'],
    ['१२३४.५६', '1234.56'],
    ['١٢،٥', '12.5'],
  ])('[AMT-2] digits of other scripts: %s is %s', (text, decimal) => {
    expect(read(text)).toBe(decimal);
  });

  test.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['-5', 'negative'],
    ['\u22125', 'negative'],
    ['5-', 'negative'],
    ['1e9', 'malformed'],
    ['1E9', 'malformed'],
    ['+5', 'malformed'],
    ['$5', 'malformed'],
    ['abc', 'malformed'],
    ['0x1F', 'malformed'],
    ['.', 'malformed'],
    [',,', 'malformed'],
    ['1,2,3', 'malformed'],
    ['1,23.4,5', 'malformed'],
    ['1234,567.89', 'malformed'],
    ['1,,234.50', 'malformed'],
    ['5²', 'malformed'],
    ['᠕', 'malformed'],
    ['1.234', 'too-many-decimals'],
    ['0,123', 'too-many-decimals'],
    ['9'.repeat(31), 'too-long'],
    ['1'.repeat(81), 'too-long'],
  ])('[AMT-2] %j is refused as %s', (text, error) => {
    expect(read(text)).toBe(error);
  });

  test('[AMT-2] an ambiguous amount is refused, never guessed', () => {
    expect(read('1,234', 'en')).toBe('ambiguous');
    expect(read('1.234', 'de')).toBe('ambiguous');
    expect(read('1,234', 'en', 8)).toBe('ambiguous');
    expect(read('1,234,567', 'en', 8)).toBe('ambiguous');
    expect(read('1.234.567', 'en', 8)).toBe('ambiguous');
  });

  test('[AMT-2] the locale’s own decimal separator is the decimal point, even before three digits', () => {
    expect(read('1.234', 'en', 8)).toBe('1.234');
    expect(read('1,234', 'de', 8)).toBe('1.234');
    expect(read('0,123', 'en', 8)).toBe('0.123');
    expect(read('1,2345', 'en', 8)).toBe('1.2345');
  });

  test('[AMT-2] of several separators the last is the decimal point, in every locale', () => {
    for (const locale of SPECIFIED_LOCALES) {
      expect(read('1,234.50', locale)).toBe('1234.50');
      expect(read('1.234,50', locale)).toBe('1234.50');
      expect(read('1,234,567.50', locale)).toBe('1234567.50');
    }
  });
});

describe('[AMT-2] an amount may have its currency beside it', () => {
  const readIn = (text: string, currency: string, locale = 'en') => {
    const result = parseAmount(text, { locale, decimals: 2, currency });
    return result.ok ? result.decimal : result.error;
  };

  test.each([
    ['$1,234.56', 'USD', '1234.56'],
    ['25 USD', 'USD', '25'],
    ['usd 25', 'USD', '25'],
    ['US$ 25.50', 'USD', '25.50'],
    ['USD $25', 'USD', '25'],
    ['$.50', 'USD', '0.50'],
    ['1.234,56 €', 'EUR', '1234.56'],
    ['€25', 'EUR', '25'],
    ['Rs.500', 'INR', '500'],
    ['Rs. 1,23,456.50', 'INR', '123456.50'],
    ['R$ 12,50', 'BRL', '12.50'],
    ['500 руб.', 'RUB', '500'],
    ['￥1,234.00', 'JPY', '1234.00'],
    ['₨ 25', 'PKR', '25'],
    ["1500 so'm", 'UZS', '1500'],
    ['\u200f25.00\u00a0USD\u200e', 'USD', '25.00'],
    ['12.50 SC', 'SC', '12.50'],
  ])('%j in a field of %s is %s', (text, currency, decimal) => {
    expect(readIn(text, currency)).toBe(decimal);
  });

  test.each([
    ['25 USD', 'EUR', 'malformed'],
    ['€25', 'USD', 'malformed'],
    ['Rs 25', 'ZAR', 'malformed'],
    ['USD', 'USD', 'malformed'],
    [' ', 'USD', 'empty'],
    ['-$25', 'USD', 'malformed'],
    ['$-25', 'USD', 'negative'],
    ['25USDT', 'USD', 'malformed'],
    ['$1,234', 'USD', 'ambiguous'],
    ['$5²', 'USD', 'malformed'],
    ['½ USD', 'USD', 'malformed'],
  ])('%j in a field of %s is refused as %s', (text, currency, error) => {
    expect(readIn(text, currency)).toBe(error);
  });

  test('every currency is read back in the form of every locale', () => {
    for (const { code, kind } of CURRENCIES.filter(({ kind }) => kind === 'fiat' || kind === 'crypto')) {
      for (const locale of SPECIFIED_LOCALES) {
        const text = formatWireAmount({ amount: '1234.5', currency: code }, locale) ?? '';
        expect(readIn(kind === 'crypto' ? `1234.50 ${code}` : text, code, locale), `${locale}: ${text}`).toBe(
          '1234.50',
        );
      }
    }
  });
});

describe('properties over every locale of the specification', () => {
  const locale = fc.constantFrom(...SPECIFIED_LOCALES);
  const minor = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 10n ** 6n }));

  test('[AMT-2] an amount formatted with its decimals is read back exactly', () => {
    fc.assert(
      fc.property(locale, minor, (where, value) => {
        const decimal = toDecimalString(value, 2);
        expect(read(formatDecimal(decimal, where, 2, 2), where)).toBe(decimal);
      }),
      { numRuns: 5000 },
    );
  });

  test('[AMT-2] a crypto amount is read back exactly, with any number of shown decimals', () => {
    fc.assert(
      fc.property(locale, minor, (where, value) => {
        const shown = formatDecimal(toDecimalString(value, 8), where, 2, 8);
        const result = read(shown, where, 8);
        expect(result.padEnd(result.indexOf('.') + 9, '0')).toBe(toDecimalString(value, 8));
      }),
      { numRuns: 4000 },
    );
  });

  test('[AMT-2] a whole amount formatted without decimals is read back exactly or refused, never as another amount', () => {
    fc.assert(
      fc.property(locale, fc.bigInt({ min: 0n, max: 10n ** 15n }), (where, value) => {
        const result = read(formatDecimal(`${value}`, where, 0, 0), where);
        expect([`${value}`, 'ambiguous', 'too-many-decimals']).toContain(result);
      }),
      { numRuns: 4000 },
    );
  });

  test('[AMT-2] an accepted amount has exactly the digits of the text, and its last separator or none as the point', () => {
    const randomText = fc
      .array(
        fc.constantFrom('0', '1', '9', '٣', '৪', ',', '.', '٫', '٬', ' ', '\u00a0', "'", '\u2019', '-', 'e', '\u200f'),
        {
          maxLength: 14,
        },
      )
      .map((chars) => chars.join(''));
    fc.assert(
      fc.property(locale, randomText, fc.constantFrom(2, 8), (where, text, decimals) => {
        const result = parseAmount(text, { locale: where, decimals });
        if (!result.ok) return;
        expect(text).not.toMatch(/[-e]/);
        expect(result.decimal).toMatch(/^(0|[1-9]\d*)(\.\d+)?$/);
        const digits = text.replace(/٣/g, '3').replace(/৪/g, '4').replace(/\D/g, '');
        expect(result.decimal.replace('.', '').replace(/^0+/, '')).toBe(digits.replace(/^0+/, ''));
        const fraction = result.decimal.split('.')[1] ?? '';
        const after =
          text
            .split(/[.,٫٬]/)
            .at(-1)
            ?.replace(/[\s'\u2019\u200f]/g, '') ?? '';
        if (fraction !== '') expect(fraction).toHaveLength(after.length);
      }),
      { numRuns: 5000 },
    );
  });

  test('decimal and group separator differ in every locale', () => {
    for (const where of SPECIFIED_LOCALES) {
      const { group, decimal } = numberSymbols(where);
      expect(group).not.toBe(decimal);
    }
  });
});
