/** A coin or token of each family of chains. */
import { withChecksum } from '../providers/crypto/chain/receiving-address.ts';
import type { Family } from '../providers/crypto/testing/fake-node.ts';

/** The decimals of the chains. The ledger counts crypto in 8 decimals. */
export const watchedKinds: readonly {
  readonly name: string;
  readonly family: Family;
  readonly chain: string;
  readonly coin: string;
  readonly network: string;
  readonly decimals: number;
  readonly contract?: string;
}[] = [
  { name: 'bitcoin', family: 'esplora', chain: 'bitcoin', coin: 'BTC', network: 'btc', decimals: 8 },
  { name: 'coins of Ethereum', family: 'evm', chain: 'ethereum', coin: 'ETH', network: 'eth', decimals: 18 },
  {
    name: 'tokens of BNB Smart Chain',
    family: 'evm',
    chain: 'bsc',
    coin: 'USDT',
    network: 'bep20',
    decimals: 18,
    contract: withChecksum('55d398326f99059ff775485246999027b3197955'),
  },
  {
    name: 'tokens of Base',
    family: 'evm',
    chain: 'base',
    coin: 'USDC',
    network: 'base',
    decimals: 6,
    contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  },
  {
    name: 'tokens of Polygon',
    family: 'evm',
    chain: 'polygon',
    coin: 'USDT',
    network: 'polygon',
    decimals: 6,
    contract: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
  },
  { name: 'coins of TRON', family: 'tron', chain: 'tron', coin: 'TRX', network: 'trx', decimals: 6 },
  {
    name: 'tokens of TRON',
    family: 'tron',
    chain: 'tron',
    coin: 'USDT',
    network: 'trc20',
    decimals: 6,
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  },
  {
    name: 'jettons of TON',
    family: 'ton',
    chain: 'ton',
    coin: 'USDT',
    network: 'ton',
    decimals: 6,
    contract: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
  },
];
