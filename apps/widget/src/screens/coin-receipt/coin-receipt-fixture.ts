/** The server's report about a bought box. */
import { sweepServices } from '../../kit/sweepstake/box-fixture.ts';

const depositId = '7d8f2f0e-2b0c-4b36-9d1a-0f3a2c1d4e5f';
export const report = (status: number, more: object = {}) => ({
  depositId,
  paymentMethod: 'card_visa',
  status,
  amount: '19.99',
  currency: 'USD',
  created: '2026-01-01T00:00:00.000Z',
  serverTime: '2026-01-01T00:00:00.000Z',
  box: { boxId: 'gold-20', gcAmount: '205000', scAmount: '20.5' },
  ...more,
});
export const path = `/deposit/complete?depositId=${depositId}&method=card_visa`;
export const receiptServices = (answer: unknown) => sweepServices({ 'deposit-status': answer });
