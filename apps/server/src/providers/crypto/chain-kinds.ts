/** The chains that can be watched: the form of their addresses and QR codes, and their smallest units. */

import { toDecimalString } from '@opencashier/core/money/money';
import { bip21Uri, eip681Uri, solanaPayUri, tonUri, tronCode } from '@opencashier/core/payment-codes/crypto-uri';
import { Address } from '@ton/core';
import type { AddressForm } from './chain/receiving-address.ts';
import { splitDestination } from './ton/ton-wallet.ts';

/** The decimals of every coin in the ledger. */
export const BOOK_DECIMALS = 8;

export interface ChainKind {
  /** The name in core's table of chains, which has the confirmations and the block interval. */
  readonly name: string;
  readonly family: 'esplora' | 'evm' | 'tron' | 'ton' | 'solana';
  /** The chain's own coin. */
  readonly coin: string;
  readonly decimals: number;
  /** How an address is derived from the account's key. Absent where deposits share one wallet, or addresses are prepared. */
  readonly form?: AddressForm;
  /** The confirmations for a credit, where core's table has none (Dogecoin). */
  readonly confirmations?: number;
  /** The hash of the block at height 0, which identifies a node's chain. Absent where nodes do not keep that block. */
  readonly genesis?: string;
  /** Time between two blocks, where the chain has become faster than core's table says. Screens use core's table. */
  readonly intervalMs?: number;
  /** Time between two rounds of the watch. Absent: two thirds of a block, and at least a second. */
  readonly roundMs?: number;
  /** The tag of blocks that the chain calls irreversible (JSON-RPC). A credit needs it besides the confirmations. */
  readonly finality?: Finality;
  /** The text of the QR code (CRY-5). `minor` is in the ledger's unit. */
  code(asset: Asset, address: string, minor: bigint): string;
}

/** `safe`: its data is on the chain below (Ethereum for Base). `finalized`: that chain, or a milestone, has made it final. */
export type Finality = 'safe' | 'finalized';

/** A coin or token that can be paid to an address. */
export interface Asset {
  readonly coin: string;
  /** The token's contract. Absent: the chain's own coin. */
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
    // Since the Fermi upgrade (BEP-619).
    intervalMs: 450,
    roundMs: 250,
    coin: 'BNB',
    decimals: 18,
    form: { kind: 'evm' },
    code: eip681(56),
  },
  base: {
    name: 'Base',
    genesis: '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd',
    family: 'evm',
    // The sequencer alone orders newer blocks, and may still drop them. They become safe after 5 to 10 minutes.
    finality: 'safe',
    // A credit waits for minutes anyway, so half as many requests do.
    roundMs: 4000,
    coin: 'ETH',
    decimals: 18,
    form: { kind: 'evm' },
    code: eip681(8453),
  },
  polygon: {
    name: 'Polygon',
    genesis: '0xa9c28ce2141b56c474f1dc504bee9b01eb1bd7d1a507580d5519d4437a97de1b',
    family: 'evm',
    // Milestones of the validators make blocks final within seconds (PIP-11).
    finality: 'finalized',
    coin: 'POL',
    decimals: 18,
    form: { kind: 'evm' },
    code: eip681(137),
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
  solana: {
    name: 'Solana',
    genesis: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    family: 'solana',
    // Blocks come every 0.4 s and become final after about 13 s. The balances are read every few seconds.
    roundMs: 3000,
    coin: 'SOL',
    decimals: 9,
    code({ contract, decimals }, to, minor) {
      // A wallet refuses an amount with more decimals than the coin has.
      const amount = toDecimalString(toMinor(toRaw(minor, decimals), decimals), BOOK_DECIMALS).replace(/\.?0+$/, '');
      return solanaPayUri({ to, amount, ...(contract !== undefined && { token: contract }) });
    },
  },
  ton: {
    name: 'Ton',
    family: 'ton',
    // Since Catchain 2.0. The index is asked for a period of time, which costs the same however many blocks are in it.
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

/** The chains behind the catalogue's other names of networks, such as `trc20`, `erc20` and `btc`. */
const aliases: Readonly<Record<string, string>> = {
  btc: 'bitcoin',
  ltc: 'litecoin',
  doge: 'dogecoin',
  eth: 'ethereum',
  erc20: 'ethereum',
  bnb: 'bsc',
  bep20: 'bsc',
  pol: 'polygon',
  matic: 'polygon',
  trx: 'tron',
  trc20: 'tron',
  jetton: 'ton',
  sol: 'solana',
  spl: 'solana',
};

/** The key of a chain, by the catalogue's name of the network. Undefined for a network that cannot be watched. */
export function chainKeyOf(network: string): string | undefined {
  const key = network.toLowerCase().replace(/[^a-z0-9]/g, '');
  const known = Object.hasOwn(aliases, key) ? aliases[key] : key;
  return known !== undefined && Object.hasOwn(chainKinds, known) ? known : undefined;
}

/** An amount of the ledger in the asset's unit. Rounded up, so that a payer who sends it does not send too little. */
export function toRaw(minor: bigint, decimals: number): bigint {
  if (decimals >= BOOK_DECIMALS) return minor * 10n ** BigInt(decimals - BOOK_DECIMALS);
  const unit = 10n ** BigInt(BOOK_DECIMALS - decimals);
  return (minor + unit - 1n) / unit;
}

/** An amount on the chain in the ledger's unit. Rounded down: the finer rest stays with the operator and is never credited. */
export function toMinor(raw: bigint, decimals: number): bigint {
  return decimals >= BOOK_DECIMALS
    ? raw / 10n ** BigInt(decimals - BOOK_DECIMALS)
    : raw * 10n ** BigInt(BOOK_DECIMALS - decimals);
}
