import { expect, test } from 'vitest';
import { upiIdOf } from './upi-id.ts';

test('[DEP-6] the UPI id of the code can be copied, else the id given beside the code', () => {
  expect(upiIdOf({ qrCodeText: 'upi://pay?pa=shop.12%40bank&pn=Shop&am=10.00' })).toBe('shop.12@bank');
  expect(upiIdOf({ qrCodeText: 'upi://pay', details: [{ name: 'UPI ID', value: ' shop@bank ' }] })).toBe('shop@bank');
  expect(upiIdOf({ requisites: [{ name: 'vpa', title: 'VPA', value: 'shop@bank' }] })).toBe('shop@bank');
});

test('a text that is no UPI id is not offered as an id', () => {
  expect(upiIdOf({})).toBeUndefined();
  expect(upiIdOf({ qrCodeText: 'upi://pay?pa=<b>x</b>@bank' })).toBeUndefined();
  expect(upiIdOf({ qrCodeText: 'not an address', details: [{ name: 'mail', value: 'no id' }] })).toBeUndefined();
});
