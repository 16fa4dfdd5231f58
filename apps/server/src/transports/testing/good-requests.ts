/** A valid request for every call, so that no call is forgotten when the contract grows. */
import type { CallName } from '@opencashier/contract/api';

export const goodDepositId = '0b3f8f0e-1f7c-4a52-9c1e-3f1d2b7a9c10';
export const goodDeposit = { amount: '25.00', currency: 'USD', depositId: goodDepositId, paymentType: 'card' };

export const goodRequests: Record<CallName, unknown> = {
  'balances-get': { country: 'IN', currency: 'USD' },
  'bank-get': { payment_method: 'card', bin: '424242' },
  'deposit-cancel': { depositId: '0b3f8f0e-1f7c-4a52-9c1e-3f1d2b7a9c11', paymentMethod: 'card' },
  'deposit-check': { paymentMethod: 'card' },
  'deposit-complete': { depositId: goodDepositId, paymentMethod: 'card' },
  'deposit-create': goodDeposit,
  'deposit-create-p2p': { amount: '25.00', currency: 'USD', depositId: goodDepositId, paymentMethod: 'p2p_imps' },
  'deposit-create-sweepstake': { ...goodDeposit, boxId: 'popular', boxPrice: '19.99' },
  'deposit-limits': { currency: 'INR', paymentMethod: 'card' },
  'deposit-prepare': { paymentMethod: 'card' },
  'deposit-status': { depositId: goodDepositId },
  events: { events: [{ key: 'first-screen', timestamp: 1, value: 120 }] },
  'external-deposit-continue': { depositId: goodDepositId },
  'methods-country-selector-v2': {},
  'methods-payment-v3': { country: 'IN', currency: 'INR' },
  'methods-payment-v5': { country: 'IN', currency: 'INR' },
  'methods-withdrawal': { country: 'IN', currency: 'INR' },
  'methods-withdrawal-v4': { currency: 'INR' },
  'payment-convert-v2': { amount: '60', from: 'SC', to: 'BTC', paymentMethod: 'redeem_btc' },
  'payout-account-remove': { accountId: '7d8f2f0e-2b0c-4b36-9d1a-0f3a2c1d4e5f' },
  'payout-accounts-get': { paymentMethod: 'card_withdrawal' },
  'session-form-on-close-modal': { paymentMethod: 'card' },
  'session-start': { amount: '1', currency: 'INR' },
  'sweepstake-balance-get': {},
  'sweepstake-boxes': {},
  'sweepstake-recoup-sum': { currency: 'SC' },
  'withdrawal-cancel': { withdrawalId: goodDepositId },
  'withdrawal-check': { currency: 'INR' },
  'withdrawal-code-send': { withdrawalId: goodDepositId },
  'withdrawal-confirm': { withdrawalId: goodDepositId },
  'withdrawal-status': { withdrawalId: goodDepositId },
  'withdrawal-create': { withdrawalId: goodDepositId, amount: '1', currency: 'INR', paymentMethod: 'card_withdrawal' },
};
