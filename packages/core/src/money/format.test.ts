import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CURRENCIES } from './currencies.ts';
import { formatMoney, formatNumber, formatWireAmount } from './format.ts';
import { SPECIFIED_LOCALES } from './locales.fixture.ts';
import { numberSymbols, toNumberLocale } from './number-locale.ts';

const money = (currency: string, minor: bigint) => ({ currency, minor });
/** Shows the invisible no-break spaces as plain spaces. */
const plain = (text: string | undefined): string | undefined => text?.replace(/[\u00a0\u202f]/g, ' ');

test.each([
  ['USD', 150_000n, 'en', '$1,500.00'],
  ['EUR', 150_000n, 'de', '1.500,00 €'],
  ['BRL', 150_000n, 'pt', 'R$ 1.500,00'],
  ['INR', 10_000_000n, 'en-IN', '₹1,00,000.00'],
  ['RUB', 123_456_789n, 'ru', '1 234 567,89 ₽'],
  ['AED', 150_000n, 'en', 'AED 1,500.00'],
  ['MXN', 150_000n, 'mx', '$1,500.00'],
  ['USD', -1n, 'en', '-$0.01'],
] as const)('[AMT-9] %s %s in %s is %s', (currency, minor, locale, text) => {
  expect(plain(formatMoney(money(currency, minor), locale))).toBe(text);
});

test('[AMT-9] crypto amounts, which Intl does not know, have their code at the end and their significant decimals', () => {
  expect(plain(formatMoney(money('USDT', 12_500_000_000n), 'en'))).toBe('125.00 USDT');
  expect(plain(formatMoney(money('BTC', 1n), 'de'))).toBe('0,00000001 BTC');
  expect(plain(formatMoney(money('QGC', 100n), 'en'))).toBe('1.00 QSC');
});

test('an amount longer than a float can hold is written digit for digit', () => {
  expect(formatNumber(money('USD', 900_719_925_474_099_301n), 'en')).toBe('9,007,199,254,740,993.01');
});

test('[AMT-9] the alias mx and every unknown locale become es-MX', () => {
  expect(toNumberLocale('mx')).toBe('es-MX');
  expect(toNumberLocale(undefined)).toBe('es-MX');
  expect(toNumberLocale('not a locale')).toBe('es-MX');
  expect(toNumberLocale('xx')).toBe('es-MX');
  expect(toNumberLocale('hi-Latn-IN')).toBe('hi-Latn-IN');
});

test('whole amounts lose their decimals only when asked, and only when whole', () => {
  expect(formatMoney(money('INR', 50_000n), 'en', { trimWhole: true })).toBe('₹500');
  expect(formatMoney(money('INR', 50_050n), 'en', { trimWhole: true })).toBe('₹500.50');
});

test('[UI-2] in right-to-left locales an amount begins with Intl’s mark, so that its symbol stays on one side', () => {
  expect(formatMoney(money('INR', 30_000n), 'ar')).toBe('\u200f300.00\u00a0₹');
  expect(formatMoney(money('INR', -30_000n), 'ar')).toBe('\u200f\u200e-300.00\u00a0₹');
  expect(formatMoney(money('USD', 30_000n), 'ur')).toBe('\u200e$300.00');
  expect(formatMoney(money('USD', -30_000n), 'ur')).toBe('\u200e-$300.00');
  expect(formatMoney(money('USD', -30_000n), 'hi')).toBe('-$300.00');
});

test('[UI-2] in right-to-left locales a symbol of letters and other signs stays together', () => {
  expect(formatMoney(money('BRL', 15_000n), 'ar')).toBe('\u200f150.00\u00a0\u200eR$\u200e');
  expect(formatMoney(money('BRL', 15_000n), 'ur')).toBe('\u200eR$150.00');
  expect(formatMoney(money('BRL', 15_000n), 'de')).toBe('150,00\u00a0R$');
});

test('[UI-2] an isolated amount is wrapped in direction isolates', () => {
  expect(formatMoney(money('USD', 100n), 'ar', { isolate: true })).toMatch(/^\u2068.*\u2069$/);
});

test('[AMT-9] every currency is written in every locale with its symbol and exactly its digits', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...CURRENCIES),
      fc.constantFrom(...SPECIFIED_LOCALES),
      fc.bigInt({ min: 0n, max: 10n ** 20n }),
      ({ code, symbol, decimals, kind }, locale, minor) => {
        const text = formatMoney(money(code, minor), locale);
        expect(text).toContain(symbol);
        const { digits } = numberSymbols(locale);
        const read = [...text.replace(symbol, '')].map((char) => digits.indexOf(char)).filter((digit) => digit >= 0);
        const written = BigInt(read.join(''));
        const shownDecimals = kind === 'crypto' ? undefined : decimals;
        if (shownDecimals === undefined)
          expect(`${minor}`.startsWith(`${written}`) || minor === 0n || written === 0n).toBe(true);
        else expect(written).toBe(minor);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a canonical amount of the wire is formatted, any other text is not', () => {
  expect(formatWireAmount({ amount: '25.00', currency: 'USD' }, 'en')).toBe('$25.00');
  expect(formatWireAmount({ amount: '1e3', currency: 'USD' }, 'en')).toBeUndefined();
});

test('[UI-1] amounts use the digits of our sentences in every language, unless the locale asks for others', () => {
  for (const locale of SPECIFIED_LOCALES) {
    const text = formatWireAmount({ amount: '1234567.89', currency: 'INR' }, locale) ?? '';
    expect(text.replace(/[^\p{Nd}]/gu, ''), locale).toBe('123456789');
  }
  expect(formatWireAmount({ amount: '1500.00', currency: 'BDT' }, 'bn')).toBe('1,500.00৳');
  expect(formatWireAmount({ amount: '1500.00', currency: 'BDT' }, 'bn-u-nu-beng')).toBe('১,৫০০.০০৳');
});
