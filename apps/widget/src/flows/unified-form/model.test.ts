import { expect, test } from 'vitest';
import { codeTwin, isPayable, payLinkText } from './model.ts';

test('[DEP-5] any one way to pay makes a page: requisites, a code, a link or words', () => {
  const requisites = [{ name: 'account', title: 'Account', value: '12' }];
  expect(isPayable({ requisites })).toBe(true);
  expect(isPayable({ qrCodeText: 'SBX1' })).toBe(true);
  expect(isPayable({ buttonPay: 'https://pay.example' })).toBe(true);
  expect(isPayable({ instruction: { text: 'Call us' } })).toBe(true);
  expect(isPayable({ instruction: { steps: [{ stepNumber: 1, stepInstruction: 'Call us' }] } })).toBe(true);
});

test('an answer without a way to pay is not payable', () => {
  expect(isPayable({})).toBe(false);
  expect(isPayable({ requisites: [{ name: 'url', title: 'Link', value: 'https://pay.example' }] })).toBe(false);
  expect(isPayable({ instruction: { steps: [] }, qrDataURL: 'https://pay.example/qr.png' })).toBe(false);
  expect(isPayable({ instruction: { text: ' ' } })).toBe(false);
});

test('the text of a code can be copied, except a link, which is for the camera', () => {
  expect(codeTwin({ qrCodeText: ' SBX12345678 ' })).toBe('SBX12345678');
  expect(codeTwin({ qrCodeText: 'upi://pay?pa=shop@bank' })).toBeUndefined();
  expect(codeTwin({ qrCodeText: '' })).toBeUndefined();
  expect(codeTwin({})).toBeUndefined();
});

test('[DEP-5] [CRY-5] the link to pay says whether it opens a wallet or a page', () => {
  expect(payLinkText('lightning:lnbc25m1pvjluez')).toBe('crypto.wallet');
  expect(payLinkText('BITCOIN:?lightning=LNBC25M1PVJLUEZ')).toBe('crypto.wallet');
  expect(payLinkText('https://pay.example/lightning:1')).toBe('payment.open');
});
