import { describe, expect, test } from 'vitest';
import { hostToHostRows, isPayable } from './model.ts';

const translate = (key: string) => key;
const titles = (data: Parameters<typeof hostToHostRows>[0]) =>
  hostToHostRows(data, translate).map(({ title, shown }) => `${title}: ${shown}`);

describe('[DEP-12] the payee of a host-to-host payment', () => {
  test('number, account and full name come first, a card’s number in groups of four', () => {
    const card = { number: '8600123412341234', account_number: '0001 22', fullName: 'Aziz S.' };
    expect(titles({ card, payment_system: 'UZCARD' })).toEqual([
      'payee.number: 8600 1234 1234 1234',
      'payee.account_number: 0001 22',
      'payee.fullName: Aziz S.',
      'payee.payment_system: UZCARD',
    ]);
  });

  test('a requisite that repeats a number has no second row', () => {
    const requisites = [
      { name: 'card_number', title: 'Card', value: '8600 1234 1234 1234', isCopyable: true },
      { name: 'reference', title: 'Reference', value: 'SBX1', isCopyable: true },
    ];
    expect(titles({ card: { number: '8600123412341234' }, requisites })).toEqual([
      'payee.number: 8600 1234 1234 1234',
      'Reference: SBX1',
    ]);
  });

  test('a name or a bank alone cannot be paid', () => {
    expect(isPayable({ card: { fullName: 'Aziz S.', bank_name: 'Bank' } })).toBe(false);
    expect(isPayable({ card: { number: '  ' } })).toBe(false);
    expect(isPayable({})).toBe(false);
    expect(isPayable({ card: { account_number: '1' } })).toBe(true);
    expect(isPayable({ requisites: [{ name: 'iban', title: 'IBAN', value: 'DE1' }] })).toBe(true);
  });
});
