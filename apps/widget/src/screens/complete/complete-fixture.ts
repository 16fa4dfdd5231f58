/** The server's reports about a deposit, each one second later than the last. */
import type { Transaction } from '@opencashier/contract/api';
import { indiaCatalogue } from '../../kit/method/catalogue-fixture.ts';
import { createFixtureServices } from '../../kit/session/services-fixture.ts';

export const depositId = '5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11';
export const path = `/deposit/complete?depositId=${depositId}&method=bank_card`;

let told = 0;
export const report = (status: number, more: Partial<Transaction> = {}): Transaction => {
  told += 1;
  return {
    depositId,
    paymentMethod: 'bank_card',
    status,
    amount: '1500.00',
    currency: 'INR',
    created: '2026-01-01T00:00:00Z',
    serverTime: new Date(Date.UTC(2026, 0, 1, 0, 0, told)).toISOString(),
    ...more,
  };
};

export const completeServices = (answer: unknown) =>
  createFixtureServices({ 'methods-payment-v5': indiaCatalogue, 'deposit-status': answer });
