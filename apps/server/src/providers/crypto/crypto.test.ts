import { systemClock } from '@opencashier/core/time/clock';
import { HDKey } from '@scure/bip32';
import { expect, test } from 'vitest';
import type { Database } from '../../database/database.ts';
import { createCryptoProvider } from './crypto.ts';

const accountOf = (path: string) => HDKey.fromMasterSeed(new Uint8Array(32).fill(7)).derive(path).publicExtendedKey;
const chain = (path: string, tokens = {}) => ({
  nodes: [{ url: 'http://127.0.0.1:1', headers: {} }],
  account: accountOf(path),
  tokens,
  isCoinWatched: true,
});
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const opened = (chains: Record<string, ReturnType<typeof chain>>) =>
  createCryptoProvider({ settings: { chains }, database: {} as Database, clock: systemClock, log });

test('[SRV-4] two chains with the same address form may not share an account, because two payers would get one address', () => {
  const ethereum = chain("m/44'/60'/0'");
  expect(() => opened({ ethereum, bsc: ethereum })).toThrow(RangeError);
  expect(opened({ ethereum, bsc: chain("m/44'/60'/1'") }).hasNetwork?.('bep20')).toBe(true);
});

test('[SRV-4] a mistyped contract stops the start, before a payment could be lost', () => {
  const tokens = { USDT: { contract: '0xdac17f958d2ee523a2206206994597c13d831ec', decimals: 6 } };
  expect(() => opened({ ethereum: chain("m/44'/60'/0'", tokens) })).toThrow(RangeError);
});
