import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ADDRESS_CHECKSUM_KEY, ADDRESS_NETWORK_KEY, checkAddress, checkedNetwork } from './address-check.ts';

/** Example addresses published by standards and chains. */
const samples: Readonly<Record<string, readonly string[]>> = {
  btc: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  erc20: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xde709f2102306220921060314715629080e2fb77',
  ],
  bep20: ['0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
  trc20: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
  doge: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L'],
  ton: ['EQBvW8Z5huBkMJYdnfAEM5JqTNkuWX3diqYENkWsIL0XggGG'],
};
/** Apart from the others, because this form has no checksum. */
const ofSolana = ['vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'];

describe('the address of a wallet', () => {
  test.each(Object.entries(samples))('passes on its own network: %s', (network, addresses) => {
    for (const address of addresses) expect(checkAddress(address, network), address).toBeUndefined();
  });

  test('of another network is refused with the name of that network', () => {
    expect(checkAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'TRC-20')).toEqual({
      key: 'form.wallet.network',
      params: { network: 'Tron', belongsTo: 'Ethereum, Binance Smart Chain, Base, Polygon' },
    });
    expect(checkAddress('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'erc20')?.params.belongsTo).toBe('Tron');
    expect(checkAddress('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'ltc')?.params.belongsTo).toBe('Bitcoin');
    expect(checkAddress('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'btc')?.params.belongsTo).toBe('Bitcoin Testnet');
    for (const [own, addresses] of Object.entries(samples)) {
      for (const other of Object.keys(samples)) {
        if (checkedNetwork(other) === checkedNetwork(own) || [own, other].every((n) => /20$/.test(n) && n !== 'trc20'))
          continue;
        for (const address of addresses) {
          expect(checkAddress(address, other)?.key, `${address} on ${other}`).toBe('form.wallet.network');
        }
      }
    }
  });

  test('with one changed letter is refused', () => {
    const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789';
    fc.assert(
      fc.property(
        fc.constantFrom(
          ...Object.entries(samples).flatMap(([network, all]) => all.map((one) => [network, one] as const)),
        ),
        fc.nat(),
        fc.constantFrom(...alphabet),
        ([network, address], place, letter) => {
          const at = place % address.length;
          const changed = address.slice(0, at) + letter + address.slice(at + 1);
          // An Ethereum address in a single case has no checksum, and bech32 is the same in both cases.
          fc.pre(changed.toLowerCase() !== address.toLowerCase() && address !== address.toLowerCase());
          expect(checkAddress(changed, network), changed).toBeDefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    ['btc', ''],
    ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4'],
    ['btc', '11111111111111111111111111111111111'],
    ['btc', 'bc1'],
    ['erc20', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['ton', 'javascript:alert(1)'],
    // Version 0 with the checksum of version 1, and the reverse (BIP 350).
    ['btc', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd'],
    ['btc', 'bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ])('%s: %j is not an address', (network, address) => {
    expect(checkAddress(address, network)?.key).toMatch(/^form\.wallet\.(invalid|checksum)$/);
  });

  test('a network that cannot be checked is an error in the catalogue', () => {
    expect(checkedNetwork('monero')).toBeUndefined();
    expect(() => checkAddress('4', 'monero')).toThrow(RangeError);
    expect(['TRX', 'TRC-20', 'bitcoin', 'Binance Smart Chain', 'doge'].map(checkedNetwork)).toEqual([
      'Tron',
      'Tron',
      'Bitcoin',
      'Binance Smart Chain',
      'Dogecoin',
    ]);
  });
});

test('a TON address is accepted in both forms, and refused on the test network and on other chains', () => {
  // The same account in the forms of TON's documentation.
  for (const address of [
    'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
    'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA',
  ]) {
    expect(checkAddress(address, 'ton')).toBeUndefined();
    expect(checkAddress(address, 'trc20')).toMatchObject({ params: { network: 'Tron', belongsTo: 'Ton' } });
    expect(checkAddress(`${address.slice(0, -1)}9`, 'ton')).toMatchObject({ key: ADDRESS_CHECKSUM_KEY });
  }
  const ofTest = checkAddress('0QDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPleK', 'ton');
  expect(ofTest).toEqual({ key: ADDRESS_NETWORK_KEY, params: { network: 'Ton', belongsTo: 'Ton Testnet' } });
});

test('a Solana address is accepted by its form and length, and on no other chain', () => {
  for (const address of ofSolana) {
    expect(checkAddress(address, 'solana')).toBeUndefined();
    expect(checkAddress(address, 'trc20')).toMatchObject({ params: { network: 'Tron', belongsTo: 'Solana' } });
    for (const wrong of [`${address}1`, address.slice(0, -2), address.replace(/.$/, '0'), ` ${address}`])
      expect(checkAddress(wrong, 'solana')?.key, wrong).toBe('form.wallet.invalid');
  }
  expect(checkAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'sol')?.key).toBe('form.wallet.contract');
  for (const [address] of Object.values(samples))
    expect(checkAddress(address ?? '', 'solana')?.key, address).toBe('form.wallet.network');
});

test('[WD-2] a burn address is refused, because coins sent there are lost', () => {
  for (const [network, address] of [
    ['erc20', `0x${'0'.repeat(40)}`],
    ['bep20', `0x${'0'.repeat(36)}dEaD`],
    ['trc20', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ['btc', '1111111111111111111114oLvT2'],
    ['btc', '1BitcoinEaterAddressDontSendf59kuE'],
    ['ton', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'],
    ['ton', 'UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ'],
    ['solana', '1nc1nerator11111111111111111111111111111111'],
  ] as const) {
    expect(checkAddress(address, network)?.key, address).toBe('form.wallet.invalid');
  }
});

describe('[WD-2] a token contract is not a wallet', () => {
  test.each([
    ['erc20', '0xdAC17F958D2ee523a2206206994597C13D831ec7'],
    ['erc20', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    ['erc20', '0x6B175474E89094C44Da98b954EedeAC495271d0F'],
    ['erc20', '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'],
    ['bep20', '0x55d398326f99059fF775485246999027B3197955'],
    ['bep20', '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d'],
    ['bep20', '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c'],
    ['base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    ['polygon', '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174'],
    ['trc20', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['trc20', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'],
    ['ton', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'],
    ['ton', 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id/sDs'],
  ])('on %s: %s', (network, address) => {
    expect(checkAddress(address, network)?.key).toBe('form.wallet.contract');
  });

  test('is recognised in any letter case, and on the other chain with the same form', () => {
    const contract = '0xdac17f958d2ee523a2206206994597c13d831ec7';
    for (const text of [contract, `0x${contract.slice(2).toUpperCase()}`]) {
      for (const network of ['erc20', 'bep20']) expect(checkAddress(text, network)?.key).toBe('form.wallet.contract');
    }
  });

  test('of TON is recognised in its other form, with the no-return flag', () => {
    expect(checkAddress('UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p', 'ton')?.key).toBe('form.wallet.contract');
  });

  test('on another network is refused for the wrong network', () => {
    expect(checkAddress('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'erc20')?.key).toBe('form.wallet.network');
  });

  test('from the operator’s settings is refused, and no other address is', () => {
    const digits = fc.stringMatching(/^[0-9a-f]{40}$/);
    fc.assert(
      fc.property(digits, digits, (own, other) => {
        fc.pre(own !== other && /[1-9a-f]/.test(other.slice(0, 30)));
        const contracts = [`0x${own.toUpperCase()}`];
        expect(checkAddress(`0x${own}`, 'erc20', contracts)?.key).toBe('form.wallet.contract');
        expect(checkAddress(`0x${other}`, 'erc20', contracts)).toBeUndefined();
      }),
    );
    const wallet = samples['ton']?.[0] ?? '';
    const raw = Buffer.from(wallet, 'base64url').subarray(2, 34).toString('hex').toUpperCase();
    expect(checkAddress(wallet, 'ton', [`0:${raw}`])?.key).toBe('form.wallet.contract');
    expect(checkAddress(wallet, 'ton', [`-1:${raw}`])).toBeUndefined();
  });
});
