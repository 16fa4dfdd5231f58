import type { DepositData } from '@opencashier/contract/api';
import { describe, expect, test } from 'vitest';
import { indiaInvoice } from './model.ts';

const link = 'upi://pay?pa=shop@bank&pn=Shop&am=500.00&cu=INR&tr=R1';
const method = { flags: { linkSchemes: ['upi', 'phonepe'] } };
const invoice = (data: DepositData, flags = method.flags) => indiaInvoice(data, { flags });

describe('[DEP-10] the ways to pay in an Indian answer', () => {
  test('a detail of the type QR is the code; links are apps; the rest are rows; the id stands alone', () => {
    const { data, apps, id, rows } = invoice({
      details: [
        { name: 'UPI', value: link, type: 'QR' },
        { name: 'PhonePe', value: 'phonepe://pay?pa=shop@bank', type: 'link' },
        { name: 'UPI ID', value: 'shop@bank', type: 'text' },
        { name: 'Reference', value: 'R1', type: 'text' },
      ],
    });
    expect(data.qrCodeText).toBe(link);
    expect(apps).toEqual([
      { name: 'UPI', href: link },
      { name: 'PhonePe', href: 'phonepe://pay?pa=shop@bank' },
    ]);
    expect(id).toBe('shop@bank');
    expect(rows.map(({ title, shown }) => `${title}: ${shown}`)).toEqual(['Reference: R1']);
  });

  test('[FORM-9] only the schemes that the method declares are opened', () => {
    const details = [
      'javascript:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,x',
      'intent://pay#Intent;scheme=upi;end',
      'tez://upi/pay?pa=shop@bank',
      '//evil.example',
      'https://user:pw@pay.example/',
    ].map((value) => ({ name: 'App', value, type: 'link' }));
    expect(invoice({ details }).apps).toEqual([]);
    expect(invoice({ qrCodeText: link }, { linkSchemes: [] }).apps).toEqual([]);
  });

  test('one address under two names is one app', () => {
    const details = ['A', 'B'].map((name) => ({ name, value: 'https://pay.example/1', type: 'link' }));
    expect(invoice({ details }).apps).toEqual([{ name: 'A', href: 'https://pay.example/1' }]);
  });

  test('an empty answer offers nothing', () => {
    expect(invoice({ details: [{ name: 'UPI', value: '  ', type: 'QR' }] })).toMatchObject({
      apps: [],
      id: undefined,
      rows: [],
    });
  });
});
