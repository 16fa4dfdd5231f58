import { errorCodes } from '@opencashier/contract/api';
import { expect, test } from 'vitest';
import { paidFaultOf } from './paid-fault.ts';

test.each([
  [{}],
  [{ code: 'socket.networkError', isUnsent: true }],
  // Without a status, the code may belong to only one of several tries.
  [{ code: 'rate-limited' }],
  [{ status: 500, code: 'internal' }],
  [{ status: 503, code: 'temporarily-unavailable' }],
  [{ status: 404 }],
])('[DEP-5] [DEP-11] after %j the server may know of the payment or not', (failure) => {
  expect(paidFaultOf(failure)).toEqual({ kind: 'unanswered' });
});

test('[DEP-5] [DEP-11] every refusal of the contract is told by its code, unless the deposit has changed', () => {
  const refusals = Object.entries(errorCodes).filter(([, { status }]) => status < 500);
  expect(refusals.length).toBeGreaterThan(10);
  for (const [code, { status }] of refusals) {
    const isChanged = code === 'not-found' || code === 'state-conflict';
    expect(paidFaultOf({ status, code })).toEqual(isChanged ? { kind: 'changed' } : { kind: 'refused', code });
  }
});
