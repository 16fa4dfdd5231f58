import { describe, expect, test } from 'vitest';
import { CryptoSettingsError, contractsOf, readCryptoSettings } from './crypto-settings.ts';

const read = (chains: unknown) => readCryptoSettings(JSON.stringify({ chains }));
const node = { url: 'https://node.example/api/' };

describe('the settings of chains', () => {
  test('get their defaults', () => {
    expect(read({ bitcoin: { nodes: [node], account: 'zpub' } }).chains).toEqual({
      bitcoin: {
        nodes: [{ url: 'https://node.example/api', headers: {} }],
        account: 'zpub',
        tokens: {},
        isCoinWatched: true,
      },
    });
  });

  test.each([
    ['an unknown chain', { monero: { nodes: [node], account: 'secret-key' } }],
    ['no node', { bitcoin: { nodes: [], account: 'secret-key' } }],
    ['a node that is not reached over HTTP', { bitcoin: { nodes: [{ url: 'file:///x' }], account: 'secret-key' } }],
    ['no account', { bitcoin: { nodes: [node] } }],
    ['prepared addresses beside an account', { bitcoin: { nodes: [node], account: 'secret-key', addresses: ['a'] } }],
    [
      'an account on a chain of prepared addresses',
      { solana: { nodes: [node], account: 'secret-key', addresses: ['a'] } },
    ],
    ['no prepared addresses', { solana: { nodes: [node], addresses: [] } }],
    ['no confirmations', { bitcoin: { nodes: [node], account: 'secret-key', confirmations: 0 } }],
  ])('with %s are refused, and the error does not repeat the key', (_why, chains) => {
    expect(() => read(chains)).toThrow(CryptoSettingsError);
    expect(() => read(chains)).not.toThrow(/secret-key/);
  });

  test('need no contract of a known token, and keep another contract with its own decimals', () => {
    const tokens = { USDC: {}, USDT: { contract: '0x1', decimals: 3 } };
    expect(read({ polygon: { nodes: [node], account: 'xpub', tokens } }).chains['polygon']?.tokens).toEqual({
      USDC: { contract: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', decimals: 6 },
      USDT: { contract: '0x1', decimals: 3 },
    });
  });

  test.each([
    ['an unknown token', { DAI: {} }],
    // The decimals of the known contract say nothing about another one.
    ['another contract', { USDC: { contract: '0x1' } }],
  ])('of %s without its decimals are refused with their place', (_what, tokens) => {
    expect(() => read({ base: { nodes: [node], account: 'xpub', tokens } })).toThrow(/chains\.base\.tokens\./);
  });

  test('[WD-2] with a misspelt limit of payouts are refused, because it would count as none', () => {
    const payouts = { wallet: '0x1', signer: { url: 'https://signer.example', secrets: ['whsec_x'] }, mostFee: '0.1' };
    const chains = (more: object) => ({
      ethereum: { nodes: [node], account: 'xpub', payouts: { ...payouts, ...more } },
    });
    expect(() => read(chains({ limits: { ETH: { day: '1' } } }))).not.toThrow();
    expect(() => read(chains({ limits: { ETH: { daily: '1' } } }))).toThrow(/payouts\.limits\.ETH\.daily/);
    expect(() => read(chains({ limit: { ETH: { day: '1' } } }))).toThrow(/payouts\.limit/);
  });

  test('that are not valid JSON are refused', () => {
    expect(() => readCryptoSettings('{')).toThrow(CryptoSettingsError);
  });
});

test('[SRV-4] a header takes a node’s key from the environment, and the error names a missing variable', () => {
  const text = JSON.stringify({
    chains: {
      ton: { nodes: [{ ...node, headers: { 'X-API-Key': '$CHAIN_KEY_TON', 'X-Other': '$HOME' } }], account: 'UQ' },
    },
  });
  const keys = { CHAIN_KEY_TON: 'key-of-the-node', HOME: '/root' };
  expect(readCryptoSettings(text, keys).chains['ton']?.nodes[0]?.headers).toEqual({
    'X-API-Key': 'key-of-the-node',
    'X-Other': '$HOME',
  });
  expect(() => readCryptoSettings(text)).toThrow(/CHAIN_KEY_TON is not set/);
});

test('[WD-2] the settings name the token contracts, to which no payout goes', () => {
  const tokens = { USDT: { contract: ' 0xAa ', decimals: 6 }, USDC: { contract: '0xBb', decimals: 6 } };
  const settings = read({
    ethereum: { nodes: [node], account: 'xpub', tokens },
    bitcoin: { nodes: [node], account: 'zpub' },
  });
  expect(contractsOf(settings)).toEqual(['0xAa', '0xBb']);
});
