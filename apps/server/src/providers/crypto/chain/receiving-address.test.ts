import { pbkdf2Sync } from 'node:crypto';
import { checkAddress } from '@opencashier/core/crypto/address-check';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AccountKeyError,
  type AddressForm,
  readAccountKey,
  receivingAddress,
  tronAddress,
  tronHex,
} from './receiving-address.ts';

/** The seed of a mnemonic (BIP 39). */
const seedOf = (words: string) => pbkdf2Sync(words, 'mnemonic', 2048, 64, 'sha512');
const ABANDON = `${'abandon '.repeat(11)}about`;
const accountOf = (words: string, path: string): string =>
  HDKey.fromMasterSeed(seedOf(words)).derive(path).publicExtendedKey;

const BIP84_ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

const forms: Readonly<Record<string, AddressForm>> = {
  Bitcoin: { kind: 'segwit', prefix: 'bc' },
  Litecoin: { kind: 'segwit', prefix: 'ltc' },
  Dogecoin: { kind: 'base58', version: 0x1e },
  Ethereum: { kind: 'evm' },
  Tron: { kind: 'tron' },
};
const form = (chain: string): AddressForm => forms[chain] ?? { kind: 'evm' };

describe('[SRV-4] receiving addresses', () => {
  test('match the test vectors of BIP 84', () => {
    const account = readAccountKey(BIP84_ZPUB);
    expect([0, 1].map((index) => receivingAddress(account, { branch: 0, index }, form('Bitcoin')))).toEqual([
      'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
    ]);
  });

  test.each([
    ['Litecoin', ABANDON, "m/84'/2'/0'", 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh'],
    ['Dogecoin', ABANDON, "m/44'/3'/0'", 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC'],
    ['Tron', ABANDON, "m/44'/195'/0'", 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'],
    ['Ethereum', ABANDON, "m/44'/60'/0'", '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    [
      'Ethereum',
      'test test test test test test test test test test test junk',
      "m/44'/60'/0'",
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    ],
  ])('%s: the first address is the one that wallets show for the same seed words', (chain, words, path, address) => {
    expect(receivingAddress(readAccountKey(accountOf(words, path)), { branch: 0, index: 0 }, form(chain))).toBe(
      address,
    );
  });

  test('pass the widget’s address check on their own chain, and no two are equal', () => {
    const account = readAccountKey(BIP84_ZPUB);
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(forms)),
        fc.nat(0x7ffffffe),
        fc.nat(0x7ffffffe),
        (chain, branch, index) => {
          const address = receivingAddress(account, { branch, index }, form(chain));
          expect(checkAddress(address, chain)).toBeUndefined();
          expect(receivingAddress(account, { branch, index: index + 1 }, form(chain))).not.toBe(address);
          expect(receivingAddress(account, { branch: branch + 1, index }, form(chain))).not.toBe(address);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('on TRON convert to the form of contracts and back', () => {
    const address = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH';
    expect(tronAddress(tronHex(address))).toBe(address);
  });

  test.each([-1, 1.5, 0x80000000])('%s is neither a valid index nor a valid branch', (index) => {
    const account = readAccountKey(BIP84_ZPUB);
    expect(() => receivingAddress(account, { branch: 0, index }, form('Bitcoin'))).toThrow(RangeError);
    expect(() => receivingAddress(account, { branch: index, index: 0 }, form('Bitcoin'))).toThrow(RangeError);
  });
});

describe('the account key', () => {
  const root = HDKey.fromMasterSeed(seedOf(ABANDON));

  test('is refused when it is private, and the error does not repeat it', () => {
    const secret = root.derive("m/84'/0'/0'").privateExtendedKey;
    try {
      readAccountKey(secret);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(AccountKeyError);
      expect(String(error)).toContain('private key');
      expect(String(error)).not.toContain(secret.slice(4, 20));
    }
  });

  test.each([
    ['has another depth', root.publicExtendedKey],
    ['has a wrong character', `${BIP84_ZPUB.slice(0, -1)}a`],
    ['is not a key', 'not a key'],
    ['is an address', 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC'],
  ])('is refused when it %s', (_why, text) => {
    expect(() => readAccountKey(text)).toThrow(AccountKeyError);
  });
});
