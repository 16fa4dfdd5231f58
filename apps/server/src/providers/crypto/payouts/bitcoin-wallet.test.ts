import { hex } from '@scure/base';
import { describe, expect, test } from 'vitest';
import { derivationOf, readBitcoinWallet } from './bitcoin-wallet.ts';

/** The first address of the test vectors of BIP 84, and its key. */
const FIRST = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu';
const KEY = '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c';
const ACCOUNT =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const MASTER = '73c5da0a';
const PATH = [0x80000000 + 84, 0x80000000, 0x80000000, 0, 0];

describe('[WD-2] the wallet of payouts on Bitcoin', () => {
  test('is a public key, with or without its origin', () => {
    const plain = readBitcoinWallet(KEY, 'bc');
    expect([plain.address, hex.encode(plain.publicKey), plain.origin]).toEqual([FIRST, KEY, undefined]);
    const named = readBitcoinWallet(` [${MASTER}/84h/0'/0h/0/0]${KEY.toUpperCase()} `, 'bc');
    expect([named.address, named.origin]).toEqual([FIRST, { fingerprint: 0x73c5da0a, path: PATH }]);
  });

  test("is one address of an account, as a device exports the account's key", () => {
    expect(readBitcoinWallet(`[${MASTER}/84h/0h/0h]${ACCOUNT}/0/0`, 'bc')).toEqual(
      readBitcoinWallet(`[${MASTER}/84h/0h/0h/0/0]${KEY}`, 'bc'),
    );
    expect(readBitcoinWallet(`${ACCOUNT}/0/0`, 'bc')).toEqual(readBitcoinWallet(KEY, 'bc'));
    expect(readBitcoinWallet(`${ACCOUNT}/1/7`, 'bc').address).not.toBe(FIRST);
  });

  test('has an address of its network', () => {
    expect(readBitcoinWallet(KEY, 'ltc').address).toMatch(/^ltc1q/);
  });

  test('names its key in a PSBT only when its origin is known', () => {
    expect(derivationOf(readBitcoinWallet(KEY, 'bc'))).toEqual({});
    const { bip32Derivation } = derivationOf(readBitcoinWallet(`[${MASTER}/84h/0h/0h/0/0]${KEY}`, 'bc'));
    expect(bip32Derivation).toEqual([[hex.decode(KEY), { fingerprint: 0x73c5da0a, path: PATH }]]);
  });

  test.each([
    ['', 'neither a public key nor a key expression'],
    [FIRST.slice(0, 3), 'cannot be read'],
    [`[${MASTER}/84h]`, 'neither a public key nor a key expression'],
    [`[xyz/84h]${KEY}`, 'neither a public key nor a key expression'],
    [`02${'ff'.repeat(32)}`, 'no point of the curve'],
    [`${KEY}/0/0`, 'has no steps'],
    [`[${MASTER}/2147483648]${KEY}`, 'a step that is too large: 2147483648'],
    [`[${MASTER}/84h/0h/0h]${ACCOUNT}`, 'Name its one address by two steps'],
    [`[${MASTER}/84h/0h/0h]${ACCOUNT}/0`, 'Name its one address by two steps'],
    [`[${MASTER}/84h/0h/0h]${ACCOUNT}/0h/0`, 'neither a public key nor a key expression'],
    [`[${MASTER}/84h]${ACCOUNT}/0/0`, "must have the account's path"],
    [`[${MASTER}/84h/0h/0h]${ACCOUNT.slice(0, -1)}x/0/0`, 'a character is wrong or missing'],
  ])('is refused with what is wrong: %s', (text, why) => {
    expect(() => readBitcoinWallet(text, 'bc')).toThrow(RangeError);
    expect(() => readBitcoinWallet(text, 'bc')).toThrow(why);
  });

  test('is refused when its account is of another network', () => {
    expect(() => readBitcoinWallet(`${ACCOUNT}/0/0`, 'ltc')).toThrow('a key of bitcoin');
  });
});
