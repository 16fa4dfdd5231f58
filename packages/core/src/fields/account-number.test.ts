import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountError, bankOf, nubanCheckDigit } from './account-number.ts';
import { validateField } from './validate-field.ts';

const wrong = (category: string, value: string, bank?: string) => accountError({ category }, value, bank);

test('the check digit of the central bank’s own example', () => {
  expect(nubanCheckDigit('011', '000001457')).toBe('9');
});

test('each position has the published weight, and whole tens give the digit zero', () => {
  const places = Array.from({ length: 12 }, (_unused, place) => `${'0'.repeat(place)}1${'0'.repeat(11 - place)}`);
  const digits = places.map((whole) => nubanCheckDigit(whole.slice(0, 3), whole.slice(3)));
  // From 3 the next ten is 7 away, from 7 it is 3 away.
  expect(digits.join('')).toBe('737737737737');
  expect(nubanCheckDigit('000', '000000000')).toBe('0');
});

test('[FORM-4] a Nigerian account number must belong to its bank', () => {
  expect(wrong('nuban', '0000014579', '011')).toBeUndefined();
  expect(wrong('nuban', '0000014579', '058')).toBe('form.nuban.invalid');
  expect(wrong('nuban', '000001457', '011')).toBe('form.nuban.invalid');
  const serial = fc.stringMatching(/^\d{9}$/);
  const bank = fc.stringMatching(/^\d{3}$/);
  fc.assert(
    fc.property(serial, bank, fc.nat(9), (first, code, last) => {
      const isRight = String(last) === nubanCheckDigit(code, first);
      expect(wrong('nuban', `${first}${last}`, code) === undefined).toBe(isRight);
    }),
  );
});

test('[FORM-4] every single wrong digit is found', () => {
  const account = `123456789${nubanCheckDigit('044', '123456789')}`;
  for (let index = 0; index < account.length; index += 1) {
    for (const digit of '0123456789') {
      if (digit === account[index]) continue;
      const slip = account.slice(0, index) + digit + account.slice(index + 1);
      expect(wrong('nuban', slip, '044'), slip).toBe('form.nuban.invalid');
    }
  }
});

test('[FORM-4] a number of a wallet or microfinance bank outside the scheme of 2010 needs only ten digits', () => {
  expect(wrong('nuban', '8031234567', '100004')).toBeUndefined();
  expect(wrong('nuban', '8031234567', '090267')).toBeUndefined();
  expect(wrong('nuban', '803123456', '090267')).toBe('form.nuban.invalid');
  expect(wrong('nuban', '8031234567')).toBeUndefined();
});

test.each([
  ['iban', 'DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 01', 'form.iban.invalid'],
  ['iban', 'tr330006100519786457841326', 'TR330006100519786457841362', 'form.iban.invalid'],
  ['iban', 'KZ86 125K ZT50 0410 0100', 'KZ86 125K ZT50 0410 0110', 'form.iban.invalid'],
  ['sepa_iban', 'FR14 2004 1010 0505 0001 3M02 606', 'FR14 2004 1010 0505 0001 3M02 607', 'form.iban.invalid'],
  ['clabe', '002010077777777771', '002010077777777772', 'form.clabe.invalid'],
  ['clabe', '032 180 00011835971 9', '032 180 00011835917 9', 'form.clabe.invalid'],
  ['cpf', '529.982.247-25', '529.982.247-52', 'form.cpf.invalid'],
  ['cpf', '11144477735', '11111111111', 'form.cpf.invalid'],
])('[FORM-4] %s: %s is valid, %s is not', (category, right, slip, key) => {
  expect(wrong(category, right)).toBeUndefined();
  expect(wrong(category, slip)).toBe(key);
  expect(wrong(category, 'x')).toBe(category.endsWith('iban') ? 'form.iban.country' : key);
});

test('[FORM-4] a SEPA field refuses an account of another country', () => {
  const turkish = 'TR33 0006 1005 1978 6457 8413 26';
  expect([wrong('iban', turkish), wrong('sepa_iban', turkish)]).toEqual([undefined, 'form.iban.sepa']);
  for (const category of ['iban', 'sepa_iban']) {
    expect(wrong(category, 'DE89 3704 0044 0532 0130 0')).toBe('paymentMethods.regex_error.iban');
    expect(wrong(category, 'US89 3704 0044 0532 0130 00')).toBe('form.iban.country');
  }
});

test('a field without an account category has no account check', () => {
  expect(wrong('text', '1')).toBeUndefined();
  expect(accountError({ category: undefined }, '1', undefined)).toBeUndefined();
  expect(wrong('constructor', '1')).toBeUndefined();
});

test('[FORM-4] the form’s bank field is used, after the field’s own rule', () => {
  const bank = { name: 'bank', type: 'dropdown', category: 'bank' } as const;
  const field = { name: 'accountNumber', type: 'text', category: 'nuban', regex: '^\\d{10}$' } as const;
  const messageOf = (value: string, code: string) => {
    const input = { field, value, method: 'm', bank: bankOf([bank, field], { bank: code, accountNumber: value }) };
    return validateField(input).error?.message;
  };
  expect(messageOf('0000014579', '011')).toBeUndefined();
  expect(messageOf('0000014579', ' 058 ')).toBe('form.nuban.invalid');
  expect(messageOf('00000', '058')).toBe('paymentMethods.regex_error.m');
  expect(messageOf('0000014579', '')).toBeUndefined();
  expect(bankOf([field], { bank: '058' })).toBeUndefined();
});
