/** The chains that can be watched: how each writes addresses and codes, and in which smallest unit it counts. */

import { toDecimalString } from '@opencashier/core/money/money';
import { bip21Uri, eip681Uri, tonUri, tronCode } from '@opencashier/core/payment-codes/crypto-uri';
import { Address } from '@ton/core';
import type { AddressForm } from './chain/receiving-address.ts';
import { splitDestination } from './ton/ton-wallet.ts';

/** The decimals of every coin in the cashier's books. */
export const BOOK_DECIMALS = 8;

export interface ChainKind {
  /** As core's table of chains names it, which knows confirmations and interval. */
  readonly name: string;
  readonly family: 'esplora' | 'evm' | 'tron' | 'ton';
  /** The chain's own coin. */
  readonly coin: string;
  readonly decimals: number;
  /** How addresses are made of an account's key; absent where one wallet serves everybody. */
  readonly form?: AddressForm;
  /** Needed where core's table has none: Dogecoin. */
  readonly confirmations?: number;
  /** The hash of the block at height 0, by which a node's chain is known; absent where nodes do not keep it. */
  readonly genesis?: string;
  /** Time between two blocks, where the chain has changed since core's table, by which screens count, was agreed on. */
  readonly intervalMs?: number;
  /** Time between two looks, where it is not two thirds of a block and a second at least. */
  readonly roundMs?: number;
  /** What the QR code carries (CRY-5). `minor` in the books' unit. */
  code(asset: Asset, address: string, minor: bigint): string;
}

/** What can come to an address. */
export interface Asset {
  readonly coin: string;
  /** Absent: the chain's own coin. */
  readonly contract?: string;
  readonly decimals: number;
}

const bip21 =
  (scheme: 'bitcoin' | 'litecoin' | 'dogecoin'): ChainKind['code'] =>
  (_asset, address, minor) =>
    bip21Uri({ scheme, address, amount: toDecimalString(minor, BOOK_DECIMALS) });

const eip681 =
  (chainId: number): ChainKind['code'] =>
  ({ contract, decimals }, to, minor) =>
    eip681Uri({ chainId, to, value: toRaw(minor, decimals), ...(contract !== undefined && { token: contract }) });

export const chainKinds: Readonly<Record<string, ChainKind>> = {
  bitcoin: {
    name: 'Bitcoin',
    genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    family: 'esplora',
    coin: 'BTC',
    decimals: 8,
    form: { kind: 'segwit', prefix: 'bc' },
    code: bip21('bitcoin'),
  },
  litecoin: {
    name: 'Litecoin',
    genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    family: 'esplora',
    coin: 'LTC',
    decimals: 8,
    form: { kind: 'segwit', prefix: 'ltc' },
    code: bip21('litecoin'),
  },
  dogecoin: {
    name: 'Dogecoin',
    genesis: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
    family: 'esplora',
    coin: 'DOGE',
    decimals: 8,
    form: { kind: 'base58', version: 0x1e },
    confirmations: 40,
    intervalMs: 60_000,
    code: bip21('dogecoin'),
  },
  ethereum: {
    name: 'Ethereum',
    genesis: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
    family: 'evm',
    coin: 'ETH',
    decimals: 18,
    form: { kind: 'evm' },
    code: eip681(1),
  },
  bsc: {
    name: 'Binance Smart Chain',
    genesis: '0x0d21840abff46b96c84b2ac9e10e4f5cdaeb5693cb665db62a2f3b02d2d57b5b',
    family: 'evm',
    // Since Fermi (BEP-619).
    intervalMs: 450,
    roundMs: 250,
    coin: 'BNB',
    decimals: 18,
    form: { kind: 'evm' },
    code: eip681(56),
  },
  tron: {
    name: 'Tron',
    genesis: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
    family: 'tron',
    coin: 'TRX',
    decimals: 6,
    form: { kind: 'tron' },
    code: (_asset, address) => tronCode(address),
  },
  ton: {
    name: 'Ton',
    family: 'ton',
    // Since Catchain 2.0. Its index is asked for a stretch of time, which costs the same however many blocks lie in it.
    intervalMs: 400,
    roundMs: 1333,
    coin: 'TON',
    decimals: 9,
    code({ contract, decimals }, destination, minor) {
      const { wallet, memo } = splitDestination(destination);
      const jetton = contract === undefined ? {} : { jetton: Address.parseRaw(contract).toString() };
      return tonUri({ to: wallet, value: toRaw(minor, decimals), text: memo, ...jetton });
    },
  },
};

/** The catalogue's names of networks (`trc20`, `erc20`, `btc`) and the chains that they mean. */
const aliases: Readonly<Record<string, string>> = {
  btc: 'bitcoin',
  ltc: 'litecoin',
  doge: 'dogecoin',
  eth: 'ethereum',
  erc20: 'ethereum',
  bnb: 'bsc',
  bep20: 'bsc',
  trx: 'tron',
  trc20: 'tron',
  jetton: 'ton',
};

/** The key of a chain by the name that the catalogue gives its network; undefined for one that cannot be watched. */
export function chainKeyOf(network: string): string | undefined {
  const key = network.toLowerCase().replace(/[^a-z0-9]/g, '');
  const known = Object.hasOwn(aliases, key) ? aliases[key] : key;
  return known !== undefined && Object.hasOwn(chainKinds, known) ? known : undefined;
}

/** Into the asset's unit, rounded up: whoever sends it has not sent too little. */
export function toRaw(minor: bigint, decimals: number): bigint {
  if (decimals >= BOOK_DECIMALS) return minor * 10n ** BigInt(decimals - BOOK_DECIMALS);
  const unit = 10n ** BigInt(BOOK_DECIMALS - decimals);
  return (minor + unit - 1n) / unit;
}

/** Into the books' unit, rounded down: what is finer than it stays with the operator and is never credited. */
export function toMinor(raw: bigint, decimals: number): bigint {
  return decimals >= BOOK_DECIMALS
    ? raw / 10n ** BigInt(decimals - BOOK_DECIMALS)
    : raw * 10n ** BigInt(BOOK_DECIMALS - decimals);
}
