import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupIban, ibanError, ibanOf, isIban } from './iban.ts';
import { IBAN_LENGTHS, SEPA_COUNTRIES } from './iban-countries.ts';

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const SIGNS = [...CAPITALS, ...DIGITS];
const country = fc.constantFrom(...IBAN_LENGTHS.keys());
const account = (length: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...SIGNS), { minLength: length, maxLength: length }).map((signs) => signs.join(''));
const lengthOf = (code: string): number => IBAN_LENGTHS.get(code) ?? 0;
const iban = country.chain((code) => account(lengthOf(code) - 4).map((own) => ibanOf(code, own)));

describe('[FORM-4] an IBAN', () => {
  // The examples of the IBAN registry, for every length.
  test.each([
    'NO93 8601 1117 947',
    'BE68 5390 0754 7034',
    'NL91 ABNA 0417 1643 00',
    'AT61 1904 3002 3457 3201',
    'CH93 0076 2011 6238 5295 7',
    'DE89 3704 0044 0532 0130 00',
    'GB29 NWBK 6016 1331 9268 19',
    'AE07 0331 2345 6789 0123 456',
    'ES91 2100 0418 4502 0005 1332',
    'PT50 0002 0123 1234 5678 9015 4',
    'TR33 0006 1005 1978 6457 8413 26',
    'FR14 2004 1010 0505 0001 3M02 606',
    'AZ21 NABZ 0000 0000 1370 1000 1944',
    'BR18 0036 0305 0000 1000 9795 493C 1',
    'KW81 CBKU 0000 0000 0000 1234 5601 01',
    'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
    'LC55 HEMM 0001 0001 0012 0012 0002 3015',
  ])('of the registry is valid: %s', (text) => {
    expect(ibanError(text)).toBeUndefined();
    expect(ibanError(text.replaceAll(' ', '').toLowerCase())).toBeUndefined();
  });

  test('of a wrong length is refused, even with valid check digits', () => {
    const short = ibanOf('DE', '37040044053201300');
    const long = ibanOf('DE', '3704004405320130000');
    for (const text of [short, long]) expect(ibanError(text), text).toBe('paymentMethods.regex_error.iban');
  });

  test.each(['US', 'AU', 'ZZ', 'RE', 'JE'])('of %s, a country without its own IBANs, is refused', (code) => {
    expect(ibanError(ibanOf(code, '370400440532013000'))).toBe('form.iban.country');
  });

  test.each(['', ' ', 'D', 'x', 'constructor', '12345678901234567890'])('%j is not an IBAN', (text) => {
    expect(ibanError(text)).toBe('form.iban.country');
  });

  test.each(['DE8937040044053201300-', 'DEX9370400440532013000', 'DE89３７０４00440532013000'])(
    '%s is not an IBAN',
    (text) => {
      expect(ibanError(text)).toBe('form.iban.invalid');
    },
  );

  test('of every country passes only with its own length', () => {
    fc.assert(
      fc.property(
        country,
        fc.integer({ min: 1, max: 36 }),
        fc.infiniteStream(fc.constantFrom(...SIGNS)),
        (code, length, signs) => {
          const own = Array.from({ length }, () => signs.next().value ?? '0').join('');
          expect(isIban(ibanOf(code, own))).toBe(length + 4 === lengthOf(code));
        },
      ),
    );
  });

  // A digit for a letter, or a letter for a digit, shifts the rest. One in 97 of these errors is not found.
  test('finds every wrong digit, and every wrong letter, after the country', () => {
    const isDigit = (sign: string | undefined): boolean => /\d/.test(sign ?? '');
    fc.assert(
      fc.property(iban, fc.nat(), fc.constantFrom(...SIGNS), (right, place, sign) => {
        const at = 2 + (place % (right.length - 2));
        fc.pre(right[at] !== sign && isDigit(right[at]) === isDigit(sign));
        expect(ibanError(right.slice(0, at) + sign + right.slice(at + 1))).toBe('form.iban.invalid');
      }),
    );
  });

  test('of a country outside the registry never passes', () => {
    const letter = fc.constantFrom(...CAPITALS);
    fc.assert(
      fc.property(letter, letter, fc.integer({ min: 11, max: 30 }).chain(account), (one, two, own) => {
        fc.pre(!IBAN_LENGTHS.has(one + two));
        expect(ibanError(ibanOf(one + two, own))).toBe('form.iban.country');
      }),
    );
  });

  test('is grouped in fours on paper, and can be read in that form', () => {
    fc.assert(
      fc.property(iban, (right) => {
        expect(groupIban(right).replaceAll(' ', '')).toBe(right);
        expect(isIban(groupIban(right))).toBe(true);
      }),
    );
  });
});

describe('[FORM-4] an IBAN for SEPA', () => {
  test('a valid IBAN passes exactly when its country is in SEPA', () => {
    fc.assert(
      fc.property(iban, (right) => {
        const isMember = SEPA_COUNTRIES.has(right.slice(0, 2));
        expect(ibanError(right, true)).toBe(isMember ? undefined : 'form.iban.sepa');
      }),
    );
  });

  test.each(['TR33 0006 1005 1978 6457 8413 26', 'KZ86 125K ZT50 0410 0100', 'AE07 0331 2345 6789 0123 456'])(
    '%s is valid, but SEPA does not reach it',
    (text) => {
      expect(ibanError(text)).toBeUndefined();
      expect(ibanError(text, true)).toBe('form.iban.sepa');
    },
  );

  test('an unknown country, a wrong length and a wrong digit give the usual errors', () => {
    expect(ibanError('ZZ89370400440532013000', true)).toBe('form.iban.country');
    expect(ibanError('DE8937040044053201300', true)).toBe('paymentMethods.regex_error.iban');
    expect(ibanError('DE89370400440532013001', true)).toBe('form.iban.invalid');
  });
});

test('every country of SEPA has IBANs', () => {
  expect([...SEPA_COUNTRIES].filter((code) => !IBAN_LENGTHS.has(code))).toEqual([]);
  expect(SEPA_COUNTRIES.size).toBe(42);
});

test('IBANs are made with their check digits', () => {
  expect(ibanOf('DE', '370400440532013000')).toBe('DE89370400440532013000');
  expect(ibanOf('BE', '000000001616')).toBe('BE72000000001616');
});
