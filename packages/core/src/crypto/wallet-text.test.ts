import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bip21Uri, eip681Uri, tonUri } from '../payment-codes/crypto-uri.ts';
import { readWalletText } from './wallet-text.ts';

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ethereum = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const token = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const ton = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';

test.each([
  ['a plain address', bitcoin, bitcoin, false],
  [
    'spaces inside and around, as some pages copy them',
    ` ${bitcoin.slice(0, 9)} ${bitcoin.slice(9)}\n`,
    bitcoin,
    false,
  ],
  ['characters that nobody sees', `\u200b${bitcoin}\u2060\u200e`, bitcoin, false],
  ['a link without an amount', `bitcoin:${bitcoin}`, bitcoin, false],
  ['a link of BIP 21', bip21Uri({ scheme: 'bitcoin', address: bitcoin, amount: '0.1', label: 'Ana' }), bitcoin, true],
  ['a link in capitals, as QR codes have it', `BITCOIN:${bitcoin.toUpperCase()}?amount=1`, bitcoin.toUpperCase(), true],
  ['a link of EIP-681', eip681Uri({ chainId: 1, to: ethereum, value: 5n }), ethereum, true],
  ['a link of EIP-681 that names the purpose', `ethereum:pay-${ethereum}@56`, ethereum, false],
  ['a token of EIP-681: not its contract', eip681Uri({ chainId: 1, to: ethereum, token, value: 5n }), ethereum, true],
  ['a link of TON', tonUri({ to: ton, value: 5n }), ton, true],
  ['an address with a query that lost its scheme', `${bitcoin}?amount=0.1`, bitcoin, true],
])('[FORM-4] %s', (_what, text, address, hasAmount) => {
  expect(readWalletText(text)).toEqual({ address, hasAmount });
});

test('[FORM-4] the memo of a link is kept, because coins without it may not reach their owner', () => {
  expect(readWalletText(tonUri({ to: ton, text: '12 34' }))).toEqual({ address: ton, hasAmount: false, memo: '12 34' });
});

test('[FORM-4] a text that is not a link stays as it is, so that the user can correct it', () => {
  for (const text of [
    '',
    'bitcoin:',
    'bitcoin:1A1z',
    'vitalik.eth',
    `${ton.slice(0, 20)}/${ton.slice(21)}`,
    '0:abcd',
    'a@b',
  ]) {
    expect(readWalletText(text)).toEqual({ address: text, hasAmount: false });
  }
});

test('[FORM-4] reading a result again changes nothing, whatever is typed', () => {
  const piece = fc.constantFrom(
    'bitcoin:',
    '//',
    'ton:',
    'transfer/',
    'pay-',
    bitcoin,
    ton,
    'x',
    '?amount=1',
    '@1',
    '/',
    ' ',
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.array(piece, { maxLength: 6 })), (typed) => {
      const { address } = readWalletText(typeof typed === 'string' ? typed : typed.join(''));
      expect(readWalletText(address).address).toBe(address);
    }),
  );
});
