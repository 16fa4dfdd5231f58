import { depositDeclineCauses } from '@opencashier/contract/api';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { declineReason, readReason } from './decline-cause.ts';

test('[DEP-15] each listed cause is stored with its deposit and returned beside the general reason', () => {
  for (const cause of depositDeclineCauses) {
    expect(readReason(declineReason(cause))).toEqual({ reason: 'transaction.reason.declined', declineCause: cause });
  }
});

test('[DEP-15] an unlisted cause, such as fraud, is stored only as the general reason', () => {
  const words = fc.oneof(fc.constantFrom('stolen_card', 'stolen-card', 'fraudulent', '', 'declined'), fc.string());
  fc.assert(
    fc.property(words, (word) => {
      fc.pre(!(depositDeclineCauses as readonly string[]).includes(word));
      expect(declineReason(word)).toBe('transaction.reason.declined');
    }),
  );
  expect(readReason('transaction.reason.declined')).toEqual({ reason: 'transaction.reason.declined' });
  expect(readReason('transaction.reason.expired')).toEqual({ reason: 'transaction.reason.expired' });
});
