/** Verified reports with wrong content. A report that disagrees with the payment credits nothing (SRV-3, SRV-4). */
import type { DepositAggregate, DepositFacts } from '@opencashier/core/payment/aggregate';
import { reduceReport } from '@opencashier/core/payment/reduce-report';
import { expect, test } from 'vitest';
import type { DepositReport } from '../providers/provider.ts';
import { readCallback } from '../providers/sandbox/payments/callback-body.ts';

const DEPOSIT = '0b9f6a52-6f0c-4d43-8c5e-4a2c70d3a1f0';

const deposit: DepositFacts = {
  userId: 'ann',
  provider: 'sandbox',
  providerRef: 'sbx_1',
  currency: 'USD',
  amount: 2_500n,
  isOpenAmount: false,
  openMaximum: null,
  state: 'awaiting_payment',
  request: { providerOptions: { flow: 'crypto', coin: 'USDT' } },
  blockchain: null,
  cryptoCurrency: null,
  txid: null,
  box: null,
};

const usd = (value: string) => ({ value, currency: 'USD' });

const unpaid = (change: Partial<DepositFacts> = {}): DepositAggregate => ({
  deposit: { ...deposit, ...change },
  payments: [],
  refunds: [],
  disputes: [],
  paidOut: [],
});
const credited = (amount: bigint) => ({
  kind: 'effects',
  effects: [
    { kind: 'receive', origin: 'deposit', asset: 'USD', amount },
    { kind: 'move', to: 'credited' },
  ],
});

const chain = { txid: 'ab', blockchain: 'Tron', cryptoCurrency: 'USDT', confirmations: 20, requiredConfirmations: 20 };

/** The sandbox provider's report of 25 US dollars paid. */
function reported(change: Readonly<Record<string, unknown>> = {}): DepositReport {
  const data = {
    payment: 'sbx_1',
    merchantReference: DEPOSIT,
    amount: usd('25.00'),
    paid: usd('25.00'),
    chain,
    ...change,
  };
  const body = { id: `evt_${'0'.repeat(32)}`, type: 'payment.paid', created: '2026-11-20T12:00:00.000Z', data };
  return readCallback(Buffer.from(JSON.stringify(body)));
}

test('[SRV-4] a report that agrees in every detail is credited', () => {
  expect(reduceReport(unpaid(), reported())).toEqual(credited(2_500n));
});

test.each<[string, Readonly<Record<string, unknown>>, object, Partial<DepositFacts>?]>([
  [
    '25 rupees paid of 25 dollars',
    { paid: { value: '25.00', currency: 'INR' } },
    { effects: [{ kind: 'receive', reason: 'wrong-currency' }] },
  ],
  [
    '2500 yen paid of 25 dollars',
    { paid: { value: '2500', currency: 'JPY' } },
    { effects: [{ kind: 'receive', reason: 'wrong-currency' }] },
  ],
  ['25 dollars asked for as rupees', { amount: { value: '25.00', currency: 'INR' } }, { why: 'asked-currency' }],
  [
    '2500 yen asked and paid',
    { amount: { value: '2500', currency: 'JPY' }, paid: { value: '2500', currency: 'JPY' } },
    { why: 'asked-currency' },
  ],
  ['another amount asked for', { amount: usd('26.00') }, { why: 'asked-amount' }],
  ['another amount asked for and paid', { amount: usd('26.00'), paid: usd('26.00') }, { why: 'asked-amount' }],
  ['less paid', { paid: usd('24.99') }, { effects: [{ kind: 'receive', reason: 'underpaid' }] }],
  ['more paid', { paid: usd('25.01') }, { effects: [{ kind: 'receive', reason: 'overpaid' }] }],
  ['another payment', { payment: 'sbx_2' }, { effects: [{ kind: 'receive', reason: 'second-payment' }] }],
  ['a cancelled payment', { remoteStatus: 'CANCELED' }, { why: 'remote-status' }],
  ['an automatically cancelled payment', { remoteStatus: 'AUTO_CANCELED' }, { why: 'remote-status' }],
  ['too few blocks', { chain: { ...chain, confirmations: 19 } }, { why: 'unconfirmed' }],
  ['another coin', { chain: { ...chain, cryptoCurrency: 'BTC' } }, { why: 'other-coin' }],
  ['another chain than before', {}, { why: 'other-chain' }, { blockchain: 'Ethereum' }],
])('[SRV-3] %s: nothing is credited', (_what, change, expected, row = {}) => {
  const verdict = reduceReport(unpaid(row), reported(change));
  const first = verdict.kind === 'effects' ? { effects: verdict.effects.slice(0, 1) } : verdict;
  expect(first).toMatchObject(expected);
});

test('[SRV-3] a report that contradicts itself is unmatched, whatever its outcome', () => {
  for (const outcome of ['paid', 'declined', 'pending', 'reversed', 'returned'] as const) {
    const report = { ...reported(), outcome, contradiction: 'two-deposits' };
    expect(reduceReport(unpaid(), report)).toEqual({ kind: 'unmatched', why: 'two-deposits' });
  }
});

test('[CRY-1] an open amount may differ from the asked amount, but not in currency', () => {
  const open = unpaid({ isOpenAmount: true });
  const asked = (value: string, currency = 'USD') => reported({ amount: { value, currency }, paid: usd('30.00') });
  expect(reduceReport(open, asked('1.00'))).toEqual(credited(3_000n));
  expect(reduceReport(open, asked('25.00', 'EUR'))).toEqual({ kind: 'unmatched', why: 'asked-currency' });
});
