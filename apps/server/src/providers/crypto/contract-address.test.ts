import { expect, test } from 'vitest';
import { readContract } from './contract-address.ts';

const ethereum = { family: 'evm', name: 'Ethereum' } as const;
const tron = { family: 'tron', name: 'Tron' } as const;
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const USDT_TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

test.each([USDT, USDT.toLowerCase(), ` ${USDT}`])(
  '[SRV-4] %s is read as the contract in the form of its events',
  (text) => {
    expect(readContract(ethereum, text)).toBe(USDT);
  },
);

test('[SRV-4] a contract on TRON keeps its form', () => {
  expect(readContract(tron, USDT_TRON)).toBe(USDT_TRON);
});

test.each([
  [ethereum, USDT.replace('dAC', 'daC')],
  [ethereum, USDT.slice(0, -1)],
  [ethereum, USDT_TRON],
  [tron, USDT_TRON.replace('TR7', 'TR8')],
  [tron, USDT],
  [{ family: 'esplora', name: 'Bitcoin' } as const, USDT],
])('[SRV-4] a mistyped contract is refused: %o %s', (chain, text) => {
  expect(() => readContract(chain, text)).toThrow(RangeError);
});
