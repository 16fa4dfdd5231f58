import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf, base58Check, crc16Xmodem, segwitAddress } from './addresses.ts';
import { coinsOf, inCoin, networkOf } from './networks.ts';

describe('addresses', () => {
  test('bech32 addresses match the examples of BIP 173', () => {
    const program = Buffer.from('751e76e8199196d454941c45d1b3a323f1433bd6', 'hex');
    expect(segwitAddress('bc', program)).toBe('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4');
    expect(segwitAddress('tb', program)).toBe('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx');
  });

  test('Base58Check matches the address of Bitcoin’s first block and the zero address of TRON', () => {
    const genesis = Buffer.from('0062e907b15cbf27d5425399ebf6f0fb50ebb88f18', 'hex');
    expect(base58Check(genesis)).toBe('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa');
    expect(base58Check(Buffer.from(`41${'00'.repeat(20)}`, 'hex'))).toBe('T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb');
  });

  test('an address has the form of its chain, and two payments share it only when their digits are equal', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 24n - 1n }).map((n) => n.toString().padStart(24, '0'));
    fc.assert(
      fc.property(digits, digits, (one, other) => {
        expect(addressOf('bitcoin', one)).toMatch(/^tb1q[02-9ac-hj-np-z]{38}$/);
        expect(addressOf('litecoin', one)).toMatch(/^tltc1q[02-9ac-hj-np-z]{38}$/);
        expect(addressOf('dogecoin', one)).toMatch(/^n[1-9A-HJ-NP-Za-km-z]{33}$/);
        expect(addressOf('tron', one)).toMatch(/^T9yD14Nj9j[1-9A-HJ-NP-Za-km-z]{24}$/);
        expect(addressOf('ethereum', one)).toMatch(/^0x0{16}\d{24}$/);
        const ton = Buffer.from(addressOf('ton', one), 'base64url');
        expect(crc16Xmodem(ton)).toEqual(Buffer.of(0, 0));
        for (const kind of ['bitcoin', 'tron', 'ethereum', 'ton'] as const) {
          expect(addressOf(kind, one) === addressOf(kind, other)).toBe(one === other);
        }
      }),
    );
  });
});

describe('networks', () => {
  test('a network is found by any name that a catalogue gives it', () => {
    expect(networkOf('TRC-20')?.chain).toBe('Tron');
    expect(networkOf('bitcoin')?.required).toBe(5);
    expect(networkOf('eth')?.key).toBe('erc20');
    expect(networkOf('toString')).toBeUndefined();
  });

  test('an amount in coins is never less than the requested amount', () => {
    expect(coinsOf(100_005n)).toBe('0.00100005');
    expect(coinsOf(5_000_000_000n)).toBe('50');
    // 100.00 RUB at 0.011 are 1.10 USDT; a kopeck is rounded up.
    expect(inCoin(10_000n, 'RUB', 2, 'USDT')).toBe(110_000_000n);
    expect(inCoin(1n, 'USD', 2, 'BTC')).toBe(12n);
    expect(inCoin(1n, 'XXX', 2, 'BTC')).toBeUndefined();
    expect(networkOf('erc20')?.uri('USDT', `0x${'1'.repeat(40)}`, 101n, '')).toContain('uint256=2');
  });
});
