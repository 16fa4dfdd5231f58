import { expect, test } from 'vitest';
import { answersOf } from './answers.ts';

const report = {
  provider: 'another',
  providerRef: 'r1',
  outcome: 'paid',
  paidMinor: 50_000n,
  currency: 'EUR',
  eventId: 'e1',
  at: '2026-11-01T00:00:00Z',
};

test('[SRV-3] half a character in the words of a report keeps no payment from its credit', () => {
  const { report: read, withdraw } = answersOf('acme');
  expect(read({ ...report, reason: 'cut \ud83d' })).toEqual({ ...report, provider: 'acme', reason: 'cut \ud83d' });
  const declined = { kind: 'declined', code: 'closed', message: 'cut \ud83d' };
  expect(withdraw(declined)).toEqual(declined);
});
