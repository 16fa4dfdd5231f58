/** Shared values of the deposit engine's tests: an intent, a next step, and a transaction. */
import type { Transaction } from '@opencashier/contract/api';
import type { DepositIntent } from './engine-state.ts';
import type { NextStep } from './next-step.ts';

export type Body = { readonly amount: string };
export const intent: DepositIntent<Body> = {
  depositId: 'id-1',
  request: { amount: '25.00' },
  paymentMethod: 'card',
  needsPreparation: false,
  needsCaptcha: false,
  opensWindow: false,
};
export const redirect: NextStep = {
  kind: 'redirect',
  depositId: 'id-1',
  href: 'https://psp.example/',
  method: 'GET',
  fields: {},
};
export const field = { name: 'phone', type: 'text' } as const;
export const tx = (status: number, more: Partial<Transaction> = {}): Transaction => ({
  depositId: 'id-1',
  paymentMethod: 'card',
  status,
  amount: '25.00',
  currency: 'USD',
  created: '2026-01-01T00:00:00Z',
  serverTime: '2026-01-01T00:00:00Z',
  ...more,
});
