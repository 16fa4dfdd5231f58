import { expect, test } from 'vitest';
import { accountRows, groupIban, isEpcCode } from './model.ts';

const titles = { account: 'Account number', bank: 'Bank', payee: 'Recipient' };

test('[DEP-3] requisites are shown as received; an IBAN in groups of four is copied whole', () => {
  const requisites = [
    { name: 'beneficiary', title: 'Beneficiary', value: 'Shop', isCopyable: true },
    { name: 'account', title: 'IBAN', value: 'DE89370400440532013000', isCopyable: true },
    { name: 'bank_name', title: 'Bank', value: 'Example Bank' },
    { name: 'amount', title: 'Amount', value: '25.00' },
  ];
  expect(accountRows({ bankTransfer: true, requisites }, titles)).toMatchObject([
    { title: 'Beneficiary', shown: 'Shop' },
    { title: 'IBAN', shown: 'DE89 3704 0044 0532 0130 00', copied: 'DE89370400440532013000' },
    { title: 'Bank', isCopyable: false },
  ]);
});

test('without requisites the payee’s account is shown under our own titles', () => {
  const card = { account_number: '0123456789', bank_name: 'Example Bank', fullName: 'Anita R.' };
  expect(accountRows({ card }, titles).map(({ title, copied }) => [title, copied])).toEqual([
    ['Recipient', 'Anita R.'],
    ['Account number', '0123456789'],
    ['Bank', 'Example Bank'],
  ]);
  expect(accountRows({ card: { bank_account: '77' } }, titles)).toHaveLength(1);
});

test('a bank transfer without any account has no rows', () => {
  expect(accountRows({ bankTransfer: true }, titles)).toEqual([]);
  expect(accountRows({ card: { fullName: ' ' } }, titles)).toEqual([]);
});

test('only an IBAN is grouped', () => {
  expect(groupIban('GB29 NWBK 6016 1331 9268 19')).toBe('GB29 NWBK 6016 1331 9268 19');
  expect(groupIban('0123456789')).toBe('0123456789');
  expect(groupIban('SBX12345678')).toBe('SBX12345678');
});

test('the code of a SEPA credit transfer is known by its first lines', () => {
  expect(isEpcCode('BCD\n002\n1\nSCT\n')).toBe(true);
  expect(isEpcCode('BCD\r\n001\r\n1\r\nSCT')).toBe(true);
  expect(isEpcCode('SPD*1.0*ACC:CZ')).toBe(false);
  expect(isEpcCode(undefined)).toBe(false);
});
