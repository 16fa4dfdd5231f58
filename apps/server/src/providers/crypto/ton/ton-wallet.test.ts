import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readMemo, readTonContract, readTonWallet, tonMemo, WalletError } from './ton-wallet.ts';

/** One account in the forms of TON's documentation. */
const account = {
  raw: '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e',
  bounceable: 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
  plain: 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
  testBounceable: 'kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP',
  testPlain: '0QDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPleK',
};

describe('[SRV-4] a wallet on TON', () => {
  test.each([account.bounceable, account.plain, ` ${account.plain} `])(
    '%s is shown in the form that does not bounce',
    (text) => {
      expect(readTonWallet(text)).toBe(account.plain);
    },
  );

  test('is also read in plain base64 and on the masterchain', () => {
    const masterchain = 'Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF';
    expect(readTonWallet('EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPrHF')).toBe(account.plain);
    expect(readTonContract(masterchain)).toBe(`-1:${'3'.repeat(64)}`);
  });

  test.each([
    ['of the test network', account.testPlain],
    ['of the test network, bounceable', account.testBounceable],
    ['with a wrong letter', account.plain.replace('Q', 'R')],
    ['too short', account.plain.slice(1)],
    ['in the raw form, which has no checksum', account.raw],
    ['of another chain', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
    ['empty', ''],
  ])('%s is refused, and the error does not repeat it', (_why, text) => {
    expect(() => readTonWallet(text)).toThrow(WalletError);
    if (text !== '') expect(() => readTonWallet(text)).not.toThrow(text);
  });

  test('a master contract in any form is read as its raw form', () => {
    for (const text of [account.bounceable, account.plain, account.raw, account.raw.toUpperCase()]) {
      expect(readTonContract(text)).toBe(account.raw);
    }
    expect(readTonContract(account.testPlain)).toBeUndefined();
    expect(readTonContract(`${account.bounceable.slice(0, -1)}A`)).toBeUndefined();
  });
});

describe('[SRV-4] a memo', () => {
  test('differs between deposits and between wallets, and is read back unchanged', () => {
    const memos = Array.from({ length: 2000 }, (_unused, index) => tonMemo(account.plain, { branch: 7, index }));
    expect(new Set([...memos, tonMemo(account.bounceable, { branch: 7, index: 0 })]).size).toBe(2001);
    for (const memo of memos) expect(readMemo(memo)).toBe(memo);
  });

  test('is read in any letter case, with spaces or hyphens, and with O and L for digits', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.array(fc.constantFrom(' ', '-', '\n', '\u200b', ''), { maxLength: 30 }),
        (index, gaps) => {
          const memo = tonMemo(account.plain, { branch: 7, index });
          const typed = [...memo].map((letter, at) => (gaps[at] ?? '') + letter.toLowerCase()).join('');
          expect(readMemo(typed.replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(memo);
        },
      ),
    );
  });

  test.each(['', 'thank you', 'ABCDEFGHJKM', 'ABCDEFGHJKMNP', 'ABCDEFGHJKMU', '🙂🙂🙂🙂🙂🙂', '../../../../../'])(
    '%j is not a memo',
    (text) => {
      expect(readMemo(text)).toBe('');
    },
  );
});
