import { expect, test } from 'vitest';
import { groupCardNumber, passesLuhn } from '../fields/card-number.ts';
import { isConfirmationId } from '../fields/confirmation-id.ts';
import { phoneBody, typePhone } from '../fields/phone.ts';
import { SPECIFIED_LOCALES } from '../money/locales.fixture.ts';
import { withAsciiDigits } from './digits.ts';
import { parseAmount } from './parse-amount.ts';
import { typeAmount, typingRules } from './type-amount.ts';

/** The digits on keyboards of the specified languages, by Unicode's name of the numbering system. */
const kinds = ['latn', 'arab', 'arabext', 'beng', 'deva', 'telu', 'thai', 'fullwide'];

/** Digits as each locale writes them, and as keyboards type them. */
const written = [
  ...SPECIFIED_LOCALES.map((locale) => ({ locale, format: new Intl.NumberFormat(locale, { useGrouping: false }) })),
  ...kinds.map((kind) => ({ locale: 'en', format: new Intl.NumberFormat('en', { numberingSystem: kind }) })),
].map(({ locale, format }) => ({
  locale,
  write: (text: string) => text.replace(/\d/g, (digit) => format.format(Number(digit))),
}));

test('[UI-1] digits of every language and keyboard are read as the same amount', () => {
  for (const { locale, write } of written) {
    const text = write('1234567890');
    expect(typeAmount(text, typingRules('USD', locale)), `${locale}: ${text}`).toBe('1234567890');
    expect(parseAmount(text, { locale, decimals: 2 }), `${locale}: ${text}`).toEqual({
      ok: true,
      decimal: '1234567890',
    });
  }
});

test('[UI-1] card, phone, account and receipt numbers accept digits of every script', () => {
  for (const { locale, write } of written) {
    expect(groupCardNumber(write('4242424242424242')), locale).toBe('4242 4242 4242 4242');
    expect(passesLuhn(write('4242424242424242')), locale).toBe(true);
    expect(typePhone(`+91${write('9876543210')}`, '+91', '+91'), locale).toBe('+919876543210');
    expect(phoneBody(`+91${write('9876543210')}`, '+91'), locale).toBe('9876543210');
    expect(withAsciiDigits(write('DE89 3704')), locale).toBe('DE89 3704');
    expect(isConfirmationId(withAsciiDigits(write('12345678'))), locale).toBe(true);
  }
});

test('letters and signs stay as they are, even beside digits of their script', () => {
  expect(withAsciiDigits('Ana 二 Ⅳ ½ ² ० ٠ ๐')).toBe('Ana 二 Ⅳ ½ ² 0 0 0');
});
