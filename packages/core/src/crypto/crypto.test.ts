import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressParts, shortenHash } from './address-text.ts';
import { confirmationMinutes, defaultNetwork, findChain, transactionUrl } from './chains.ts';
import { confirmationCount } from './confirmation-count.ts';

test.each([
  ['Binance Smart Chain', 16, 2000],
  ['Bitcoin', 5, 600_000],
  ['Ethereum', 16, 12_000],
  ['Litecoin', 5, 150_000],
  ['Ton', 8, 2000],
  ['Tron', 20, 3000],
])('[CRY-2] %s needs %d confirmations at %d ms', (name, confirmations, intervalMs) => {
  expect(findChain(name)).toMatchObject({ confirmations, intervalMs });
});

test('[CRY-2] a chain is found by coin and token standard; only a possible hash gets an explorer link', () => {
  expect(['TRC-20', 'trx', 'BEP20', 'erc-20'].map((name) => findChain(name)?.name)).toEqual([
    'Tron',
    'Tron',
    'Binance Smart Chain',
    'Ethereum',
  ]);
  expect(findChain('constructor')).toBeUndefined();
  const tron = findChain('Tron');
  if (tron === undefined) throw new Error('no chain');
  expect(transactionUrl(tron, 'ab'.repeat(32))).toBe(`https://tronscan.org/#/transaction/${'ab'.repeat(32)}`);
  expect(transactionUrl(tron, '../../evil?x=1234567890')).toBeUndefined();
});

test('[CRY-1] confirmation minutes, 10 by default', () => {
  const networks = [
    'Bitcoin',
    'Monero',
    'bitcoin cash',
    'ERC20',
    'TRC-20',
    'BEP-20',
    'Litecoin',
    'Dash',
    'Doge',
    'Zcash',
  ];
  expect(networks.map(confirmationMinutes)).toEqual([15, 10, 10, 10, 5, 5, 5, 5, 5, 5]);
  expect(['Ripple', 'Stellar', 'Cardano'].map(confirmationMinutes)).toEqual([3, 3, 10]);
  expect(['Base', 'polygon', 'Solana'].map(confirmationMinutes)).toEqual([10, 1, 1]);
});

test('[CRY-1] the default network is the first that contains trc, else the last', () => {
  const networks = (...values: string[]) => values.map((value) => ({ value }));
  expect(defaultNetwork(networks('ERC20', 'TRC20', 'TRC-X'))?.value).toBe('TRC20');
  expect(defaultNetwork(networks('ERC20', 'BEP20'))?.value).toBe('BEP20');
  expect(defaultNetwork([])).toBeUndefined();
});

test('[CRY-1] the first and last five characters of an address are highlighted, and nothing is lost', () => {
  expect(addressParts('TXk9qVnZ2sW7cQ4yRe5Gt2')).toEqual({ head: 'TXk9q', middle: 'VnZ2sW7cQ4yR', tail: 'e5Gt2' });
  fc.assert(
    fc.property(fc.string(), (address) => {
      const { head, middle, tail } = addressParts(address);
      expect(head + middle + tail).toBe(address);
    }),
  );
});

test('[CRY-2] a hash over ten characters is shortened to five at each end', () => {
  expect(shortenHash('8f3a1bbbbbc09de')).toBe('8f3a1…c09de');
  expect(shortenHash('1234567890')).toBe('1234567890');
});

const input = { status: 'waiting', reported: 3, reportedAt: 0, required: 5, intervalMs: 1000, now: 0 } as const;

test('[CRY-2] the local count fills the gaps as an estimate, up to the required count', () => {
  expect(confirmationCount(input)).toEqual({
    count: 3,
    required: 5,
    isEstimate: false,
    isReached: false,
    changesAt: 1000,
  });
  expect(confirmationCount({ ...input, now: 1000 })).toMatchObject({ count: 4, isEstimate: true, changesAt: 2000 });
  expect(confirmationCount({ ...input, now: 9000 })).toMatchObject({
    count: 5,
    isReached: true,
    changesAt: undefined,
  });
});

test('[CRY-2] the server’s count wins, even when it is lower than the estimate', () => {
  expect(confirmationCount({ ...input, reported: 1, reportedAt: 5000, now: 5000 })).toMatchObject({
    count: 1,
    isEstimate: false,
  });
  expect(confirmationCount({ ...input, reported: 9 })).toMatchObject({
    count: 5,
    isEstimate: false,
    isReached: true,
  });
});

test('[CRY-2] a shown count never decreases: the estimate waits until the server has caught up', () => {
  const behind = { ...input, reported: 2, reportedAt: 5000, now: 5000, shown: 4 };
  expect(confirmationCount(behind)).toMatchObject({ count: 4, isEstimate: true, changesAt: 8000 });
  expect(confirmationCount({ ...behind, now: 7999 })).toMatchObject({ count: 4 });
  expect(confirmationCount({ ...behind, now: 8000 })).toMatchObject({ count: 5 });
  expect(confirmationCount({ ...behind, reported: 4 })).toMatchObject({ count: 4, isEstimate: false });
  fc.assert(
    fc.property(fc.array(fc.record({ reported: fc.nat(6), waitMs: fc.nat(4000) }), { maxLength: 20 }), (reports) => {
      let [at, shown] = [0, 0];
      for (const { reported, waitMs } of reports) {
        const reportedAt = at;
        at += waitMs;
        const { count } = confirmationCount({ ...input, reported, reportedAt, now: at, shown });
        expect(count).toBeGreaterThanOrEqual(shown);
        shown = count;
      }
    }),
  );
});

test('[CRY-2] the local count stops when the payment no longer waits', () => {
  expect(confirmationCount({ ...input, status: 'mistaked', now: 9000 })).toMatchObject({
    count: 3,
    changesAt: undefined,
  });
  expect(confirmationCount({ ...input, now: -5000 }).count).toBe(3);
});
