import type { DepositData, FormField, Transaction } from '@opencashier/contract/api';
import { describe, expect, test } from 'vitest';
import { addressView, chosenNetwork, isSameNetwork, networksOf, networkTitle, progressOf, segments } from './model.ts';

const tron = 'TXk9qVnZ2sW7cQ4yRr1uB8mLpJ6dH3fAe5';
const data = (more: Partial<DepositData> = {}): DepositData => ({
  depositAddress: tron,
  minDepositValue: '10',
  cryptoName: 'USDT',
  network: 'trc20',
  ...more,
});
const shown = (more: Partial<DepositData> = {}, network = 'trc20') => {
  const view = addressView(data(more), network);
  if (view.kind === 'empty') throw new Error('no address');
  return view;
};

const networkField: FormField = {
  name: 'network',
  type: 'networks',
  values: [
    { text: 'ERC-20', value: 'erc20' },
    { text: 'TRC-20', value: 'trc20' },
    { text: '', value: 'bep20' },
  ],
};

describe('[CRY-1] networks', () => {
  test('are those of the networks field; a name without a text is formatted', () => {
    const { field, networks } = networksOf({ fields: [networkField] });
    expect(field).toBe('network');
    expect(networks.map(({ title }) => title)).toEqual(['ERC-20', 'TRC-20', 'BEP-20']);
  });

  test('start with the first that contains trc, else the last; an address may ask for another one that exists', () => {
    const { networks } = networksOf({ fields: [networkField] });
    expect(chosenNetwork(networks, null)?.value).toBe('trc20');
    expect(chosenNetwork(networks, 'erc20')?.value).toBe('erc20');
    expect(chosenNetwork(networks, 'solana')?.value).toBe('trc20');
    expect(chosenNetwork(networks.slice(0, 1).concat(networks.slice(2)), null)?.value).toBe('bep20');
  });

  test('are the method’s own one where it has no such field, or none at all', () => {
    expect(networksOf({ fields: [], network: 'bitcoin' })).toEqual({
      field: undefined,
      networks: [{ value: 'bitcoin', title: 'Bitcoin' }],
    });
    expect(networksOf({ fields: [] }).networks).toEqual([]);
    expect(chosenNetwork([], null)).toBeUndefined();
  });

  test('have well-known names', () => {
    expect(['trc20', 'BEP_20', 'btc', 'moon'].map(networkTitle)).toEqual(['TRC-20', 'BEP-20', 'Bitcoin', 'Moon']);
    expect(isSameNetwork('TRC-20', 'tron')).toBe(true);
    expect(isSameNetwork('trc20', 'erc20')).toBe(false);
  });
});

describe('[CRY-1] the address', () => {
  test('is empty, and nothing can be scanned, without a valid address in the answer', () => {
    for (const depositAddress of [
      undefined,
      '',
      '   ',
      '<img src=x onerror=alert(1)>',
      'a b c d e f g h',
      'javascript:alert(1)',
    ]) {
      const { depositAddress: _old, ...rest } = data();
      expect(addressView({ ...rest, ...(depositAddress === undefined ? {} : { depositAddress }) }, 'trc20').kind).toBe(
        'empty',
      );
    }
    expect(addressView(undefined, 'trc20')).toEqual({ kind: 'empty' });
  });

  test('of another network than the chosen one is never shown', () => {
    expect(addressView(data({ network: 'erc20' }), 'trc20')).toEqual({ kind: 'empty' });
    expect(addressView(data({ network: 'Tron' }), 'trc20').kind).toBe('address');
  });

  test('has the minimum: the network’s, or the deposit’s amount if it is larger', () => {
    expect(shown().minimum).toEqual({ amount: '10', coin: 'USDT' });
    expect(shown({ processingAmount: '10.2', processingCurrency: 'USDT' }).minimum?.amount).toBe('10.2');
    expect(shown({ processingAmount: '9.999', processingCurrency: 'USDT' }).minimum?.amount).toBe('10');
    expect(shown({ processingAmount: '90', processingCurrency: 'BTC' }).minimum?.amount).toBe('10');
    expect(shown({ minDepositValue: '0' }).minimum).toBeUndefined();
    expect(shown({ cryptoName: '<b>' }).minimum).toBeUndefined();
  });

  test('is valid for the time that the server names', () => {
    expect(shown({ created: '2026-01-01T00:00:00Z', lifetime: 60 }).expiresAt).toBe(Date.UTC(2026, 0, 1, 0, 1));
    expect(shown({ created: 'soon', lifetime: 60 }).expiresAt).toBeUndefined();
  });
});

describe('[CRY-5] the code', () => {
  test('is the payment URI of the answer', () => {
    const address = `0x${'12'.repeat(20)}`;
    const uri = `ethereum:${address}@1?value=1`;
    expect(shown({ depositAddress: address, qrCodeText: uri, network: 'erc20' }, 'erc20').uri).toBe(uri);
  });

  test('that pays to another address than the one on screen is refused', () => {
    expect(shown({ qrCodeText: 'tron:TOtherAddress' }).uri).toBeUndefined();
    expect(shown({ qrCodeText: tron }).uri).toBeUndefined();
  });

  test('is built for chains whose URI needs only the address', () => {
    const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
    const { network: _none, ...rest } = data({ depositAddress: address });
    expect(addressView(rest, 'btc')).toMatchObject({ uri: `bitcoin:${address}` });
    expect(addressView(rest, 'litecoin')).toMatchObject({ uri: `litecoin:${address}` });
    expect(addressView({ ...rest, depositAddress: 'not_base58_at_all' }, 'btc')).toMatchObject({ uri: undefined });
    expect(shown().uri).toBeUndefined();
  });
});

const report = (more: Partial<Transaction> = {}): Transaction => ({
  depositId: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
  paymentMethod: 'usdt',
  status: 0,
  amount: '850',
  currency: 'INR',
  created: '2026-01-01T00:00:00Z',
  serverTime: '2026-01-01T00:00:00Z',
  ...more,
});

describe('[CRY-2] progress', () => {
  test('is awaited until the chain shows something', () => {
    expect(progressOf(undefined, 'trc20')).toEqual({ at: 'awaited' });
    expect(progressOf(report(), 'trc20')).toEqual({ at: 'awaited' });
  });

  test('counts by the server’s numbers, else by the chain’s', () => {
    const txid = 'ab'.repeat(32);
    const seen = report({ txid, blockchain: 'Tron', confirmations: 7 });
    expect(progressOf(seen, undefined)).toEqual({
      at: 'confirming',
      status: 'waiting',
      txid,
      explorer: `https://tronscan.org/#/transaction/${txid}`,
      reported: 7,
      required: 20,
      intervalMs: 3000,
    });
    expect(progressOf({ ...seen, requiredConfirmations: 3 }, undefined)).toMatchObject({ required: 3 });
    expect(progressOf(report({ txid }), 'moon')).toMatchObject({
      explorer: undefined,
      required: undefined,
      intervalMs: 0,
    });
  });

  test('is accepted by the server’s report, and settled when nothing more can come', () => {
    expect(progressOf(report({ status: 3, confirmations: 20 }), 'trc20')).toMatchObject({ at: 'accepted' });
    expect(progressOf(report({ status: 1 }), 'trc20')).toEqual({ at: 'settled' });
    expect(progressOf(report({ status: 2 }), 'trc20')).toEqual({ at: 'settled' });
  });

  test('is reviewed while staff review the payment', () => {
    const reason = 'transaction.reason.below-minimum';
    expect(progressOf(report({ status: 3, reason, receivedAmount: '5.00' }), 'trc20')).toEqual({ at: 'reviewed' });
  });

  test('is drawn in at most ten parts, which are all filled only at the end', () => {
    const filled = (count: number, required: number) => segments(count, required).filter(Boolean).length;
    expect(segments(7, 20)).toHaveLength(10);
    expect(filled(7, 20)).toBe(4);
    expect(filled(0, 20)).toBe(0);
    expect(filled(19, 20)).toBe(9);
    expect(filled(20, 20)).toBe(10);
    expect(segments(2, 5)).toEqual([true, true, false, false, false]);
    expect(filled(0, 0)).toBe(1);
  });
});
