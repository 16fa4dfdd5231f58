import { describe, expect, test } from 'vitest';
import { keyOf, PreparedAddressError, readMint, readPreparedAddresses, tokenAccountOf } from './solana-address.ts';

const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const usdt = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
const wallet = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const other = 'vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg';

describe('[SRV-4] addresses of Solana', () => {
  test.each([
    // Derived by @solana-program/token.
    [other, usdc, '9jrTvdU2Am3UmgSAX8EKS9wwrSufkWRbZzEukDogqpQg'],
    [wallet, usdt, 'TB5FCqbNsnuLQgEjUuPaT9qtVPTT4U1A8rvi7qzEj2M'],
  ])('the token account of %s for %s', (owner, mint, account) => {
    expect(tokenAccountOf(owner, mint)).toBe(account);
  });

  test('a mint is any key, and a mistyped one is none', () => {
    expect(readMint(usdc)).toBe(usdc);
    for (const wrong of ['', usdc.slice(3), `${usdc}1`, usdc.replace('E', '0'), '0x1']) {
      expect(readMint(wrong), wrong).toBeUndefined();
      expect(keyOf(wrong), wrong).toBeUndefined();
    }
  });

  test.each([
    ['a token account, whose coins nobody could move', tokenAccountOf(wallet, usdc)],
    ['a mistyped address', wallet.slice(0, -3)],
    ['an address twice', other],
  ])('prepared addresses with %s are refused by their number, and the address is not repeated', (_what, wrong) => {
    const read = () => readPreparedAddresses([other, wrong]);
    expect(read).toThrow(PreparedAddressError);
    expect(read).toThrow(/Address 2 of/);
    expect(read).not.toThrow(wrong);
    expect(readPreparedAddresses([other, wallet])).toEqual([other, wallet]);
  });
});
