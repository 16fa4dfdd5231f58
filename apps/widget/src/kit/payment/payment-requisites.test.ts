import type { Requisite } from '@opencashier/contract/api';
import { describe, expect, test } from 'vitest';
import { groupCardNumber, offersPaid, qrSource, requisiteRows, statedAmount } from './payment-requisites.ts';

const requisite = (name: string, value: string, more: Partial<Requisite> = {}): Requisite => ({
  name,
  title: `The ${name}`,
  value,
  ...more,
});
const account = requisite('account', 'DE89370400440532013000', { isCopyable: true });
const bank = requisite('bank_name', 'State Bank');
const titles = (requisites: Requisite[]) => requisiteRows({ requisites }).map(({ title }) => title);

describe('[DEP-5] requisites', () => {
  test('address, QR code and amount are no rows', () => {
    const others = [
      requisite('url', 'https://pay.example'),
      requisite('link', 'https://pay.example', { type: 'url' }),
      requisite('qr_code', 'upi://pay'),
      requisite('UPI', 'upi://pay', { type: 'QR' }),
      requisite('amount', '1503.20'),
      requisite('paymentAmount', '1503.20'),
    ];
    expect(titles([...others, account])).toEqual(['The account']);
  });

  test('the bank’s name is shown with an account and left out with a card', () => {
    expect(titles([account, bank])).toEqual(['The account', 'The bank_name']);
    const card = requisite('card_number', '4276380012345678');
    expect(titles([card, bank])).toEqual(['The card_number']);
    expect(titles([requisite('number', '4276 3800 1234 5678', { type: 'card' }), bank])).toEqual(['The number']);
  });

  test('a card is shown in groups of four and copied whole', () => {
    const [row] = requisiteRows({ requisites: [requisite('card', '4276-3800 12345678', { isCopyable: true })] });
    expect(row).toMatchObject({ shown: '4276 3800 1234 5678', copied: '4276380012345678', isCopyable: true });
  });

  test('a mere `number` is a card’s if it is the payee’s card, or by its scheme and check digit', () => {
    const number = requisite('number', '4276380012345678');
    expect(titles([number, bank])).toEqual(['The number', 'The bank_name']);
    const [row, ...rest] = requisiteRows({ requisites: [number, bank], card: { number: '4276 3800 1234 5678' } });
    expect(row).toMatchObject({ shown: '4276 3800 1234 5678', copied: '4276380012345678' });
    expect(rest).toEqual([]);
    expect(requisiteRows({ requisites: [requisite('number', '4242424242424242'), bank] })).toMatchObject([
      { shown: '4242 4242 4242 4242' },
    ]);
    for (const name of ['account_number', 'phone']) {
      expect(titles([requisite(name, '4242424242424242'), bank])).toHaveLength(2);
    }
  });

  test('an IBAN is shown in groups of four and copied whole; a text that only looks like one is unchanged', () => {
    const paper = 'DE89 3704 0044 0532 0130 00';
    for (const value of ['DE89370400440532013000', paper]) {
      expect(requisiteRows({ requisites: [requisite('account', value)] })).toMatchObject([
        { shown: paper, copied: 'DE89370400440532013000' },
      ]);
    }
    const reference = 'AB12CD34EF56GH78';
    expect(requisiteRows({ requisites: [requisite('reference', reference)] })).toMatchObject([
      { shown: reference, copied: reference },
    ]);
  });

  test('a long code shows its two ends and is copied whole, unless it cannot be copied', () => {
    const invoice = `lntbs500000n1q4sn588pp594${'q'.repeat(200)}et2p7u42`;
    const row = (value: string, isCopyable = true) =>
      requisiteRows({ requisites: [{ name: 'invoice', title: 'Lightning', value, isCopyable }] })[0];
    expect(row(invoice)).toMatchObject({ shown: 'lntbs500000n…2p7u42', copied: invoice });
    expect(row(invoice, false)?.shown).toBe(invoice);
    expect(row(`Pay at the counter. ${'Say the number. '.repeat(9)}`)?.shown).toContain('Say the number. Say');
    const address = 'a'.repeat(100);
    expect(row(address)?.shown).toBe(address);
  });

  test('only copyable values have a button; empty values have no row', () => {
    const rows = requisiteRows({ requisites: [account, bank, requisite('note', '  ')] });
    expect(rows.map(({ isCopyable }) => isCopyable)).toEqual([true, false]);
    expect(requisiteRows(undefined)).toEqual([]);
    expect(requisiteRows({})).toEqual([]);
  });

  test('two rows of the same name have different ids, and a row without a title shows its name', () => {
    const rows = requisiteRows({ requisites: [account, account, requisite('till', '12', { title: '' })] });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
    expect(rows[2]?.title).toBe('till');
  });
});

test('§9: a card number in groups of four; a masked or short number unchanged', () => {
  expect(groupCardNumber('6304000012345678901')).toBe('6304 0000 1234 5678 901');
  expect(groupCardNumber('4276 **** **** 5678')).toBe('4276 **** **** 5678');
  expect(groupCardNumber('12345')).toBe('12345');
});

test('[DEP-5] Paid is there without a list of buttons, or with one that has complete', () => {
  expect(offersPaid({})).toBe(true);
  expect(offersPaid({ buttons: ['cancel', 'complete'] })).toBe(true);
  expect(offersPaid({ buttons: [] })).toBe(false);
  expect(offersPaid({ buttons: ['cancel'] })).toBe(false);
});

test('[DEP-5] the QR code is drawn from its text, else from a picture that runs and fetches nothing', () => {
  const picture = 'data:image/png;base64,AAAA';
  expect(qrSource({ qrCodeText: 'upi://pay', qrDataURL: picture })).toEqual({ kind: 'text', text: 'upi://pay' });
  expect(qrSource({ qrCodeText: ' ', qrDataURL: picture })).toEqual({ kind: 'image', src: picture });
  for (const bad of ['https://pay.example/qr.png', 'data:text/html,<script>', 'javascript:alert(1)', '']) {
    expect(qrSource({ qrDataURL: bad })).toBeUndefined();
  }
});

test('the sum of a requisite counts only as a plain decimal number', () => {
  expect(statedAmount({ requisites: [requisite('amount', ' 1503.20 ')] })).toBe('1503.20');
  for (const bad of ['1,503.20', '1503 <b>', '-5', '1e5']) {
    expect(statedAmount({ requisites: [requisite('amount', bad)] })).toBeUndefined();
  }
});
