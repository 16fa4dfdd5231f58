/** A payment that its payer has seen to its end gives up its key, also where its form was left before the answer of the create (DEP-16). */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { pendingDeposit } from '../deposit/pending-deposit.ts';
import { createFixtureServices } from '../session/services-fixture.ts';
import { createStatusPoll } from './status-poll.ts';

test.each([
  [0, 'keeps'],
  [1, 'gives up'],
  [2, 'gives up'],
  [3, 'keeps'],
])(
  '[DEP-16] a deposit with status %i %s its key: the same amount is the same payment only while it is open',
  async (status, outcome) => {
    const services = createFixtureServices();
    const { clock } = services;
    const [depositId, next] = [randomUUID(), randomUUID()];
    const owner = { userId: 'ann', fingerprint: '1500.00 INR card' };
    expect(await pendingDeposit.claim(depositId, owner, clock)).toBe(depositId);
    const times = { created: '2026-01-01T00:00:00Z', serverTime: '2026-01-01T00:00:00Z' };
    services.answer('deposit-status', {
      ...times,
      depositId,
      paymentMethod: 'card',
      status,
      amount: '1500.00',
      currency: 'INR',
    });
    const poll = createStatusPoll(services, depositId, 'card');
    await expect.poll(() => poll.getState().report?.status).toBe(status);
    expect(await pendingDeposit.claim(next, owner, clock)).toBe(outcome === 'keeps' ? depositId : next);
    poll.stop();
  },
);
