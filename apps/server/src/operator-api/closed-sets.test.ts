import { transactionStatusCodes } from '@opencashier/contract/api';
import { depositStates, paymentStatuses, paymentStatusOf, withdrawalStates } from '@opencashier/contract/operator';
import { DEPOSIT_STATES } from '@opencashier/core/deposit/deposit-lifecycle';
import { WITHDRAWAL_STATES } from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import { expect, test } from 'vitest';

test('[SRV-3] the contract names every state of the lifecycles, and no other', () => {
  expect(depositStates).toEqual(DEPOSIT_STATES);
  expect(withdrawalStates).toEqual(WITHDRAWAL_STATES);
});

test('[SRV-1] operators read "failed" where the widget reads "mistaked"', () => {
  const read = Object.keys(transactionStatusCodes).map((name) => paymentStatusOf[name as keyof typeof paymentStatusOf]);
  expect(read.sort()).toEqual([...paymentStatuses].sort());
  expect(paymentStatusOf.mistaked).toBe('failed');
});
