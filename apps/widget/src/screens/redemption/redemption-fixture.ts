/** A user with sweep coins, a rate, and a redemption on hold. */
import type { Answers } from '../../kit/session/services-fixture.ts';
import { sweepServices, waysToRedeem } from '../../kit/sweepstake/box-fixture.ts';

export const quoted = (request: { amount: string }) => ({
  amount: String(Number(request.amount) - 1),
  rate: '0.9998',
  asOf: '2026-01-01T00:00:00.000Z',
  quote: `quote-of-${request.amount}`,
  expires: '2099-01-01T00:00:00.000Z',
});

export const withdrawalId = '7d8f2f0e-2b0c-4b36-9d1a-0f3a2c1d4e5f';
export const report = {
  withdrawalId,
  paymentMethod: 'usdt_trc20_out',
  status: 0,
  accountType: 'main',
  amount: '25.00',
  currency: 'SC',
  fee: '1.00',
  receives: '24.00',
  payout: { currency: 'USDT', amount: '23.9952', rate: '0.9998', asOf: '2026-01-01T00:00:00.000Z' },
  created: '2026-01-01T00:00:00.000Z',
  expires: '2026-01-01T00:15:00.000Z',
  serverTime: '2026-01-01T00:00:00.000Z',
  canCancel: true,
};

export const redemptionServices = (answers: Answers = {}) =>
  sweepServices({
    'methods-withdrawal': waysToRedeem,
    'sweepstake-balance-get': [
      { currency: 'GC', balance: '5000' },
      { currency: 'SC', balance: '80.00' },
    ],
    'sweepstake-recoup-sum': { data: { status: 'unplayed', amount: '30.00', redeemable: '50.00' } },
    'payment-convert-v2': quoted,
    ...answers,
  });
