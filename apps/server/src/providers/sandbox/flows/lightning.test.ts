import { bech32 } from '@scure/base';
import { expect, test } from 'vitest';
import { textsOf } from '../words/texts.ts';
import type { FlowParts } from './flow.ts';
import { lightningAnswer } from './lightning.ts';

const answerTo = (ref: string) =>
  lightningAnswer({
    payment: {
      ref,
      flow: 'lightning',
      currency: 'BTC',
      amountMinor: 21_000n,
      createdAt: Date.UTC(2026, 10, 20),
    } as FlowParts['payment'],
    deposit: { country: 'DE', fields: {}, providerOptions: { flow: 'lightning' } },
    base: 'https://pay.example',
    merchantName: 'Shop',
    lifetimeSeconds: 900,
    texts: textsOf('en'),
  }).data ?? {};

test('[CRY-5] an invoice of the sandbox has the exact amount, on a test network, and is another one for each payment', () => {
  const { qrCodeText = '', requisites = [], buttonPay } = answerTo('pay_1');
  const invoice = requisites[0]?.value ?? '';
  // Ten of the unit `n` are a satoshi, and `tbs` is a test network.
  const { prefix, words } = bech32.decode(invoice as `${string}1${string}`, 1000);
  expect(prefix).toBe('lntbs210000n');
  // A signature of zeros, which no key makes.
  expect(words.slice(-104)).toEqual(new Array(104).fill(0));
  expect(buttonPay).toBe(`lightning:${invoice}`);
  expect(qrCodeText.toLowerCase()).toBe(buttonPay);
  expect(answerTo('pay_1').requisites).toEqual(requisites);
  expect(answerTo('pay_2').requisites).not.toEqual(requisites);
});
