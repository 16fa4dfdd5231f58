import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { session } from './stripe-api.fixture.ts';
import { reportOfReversal, reportOfSession } from './stripe-reports.ts';

const paid = (change: object = {}): Stripe.Checkout.Session =>
  // The stand-in has only the members that we read.
  session({ status: 'complete', payment_status: 'paid', ...change }) as unknown as Stripe.Checkout.Session;

test('[SRV-4] a session that names two different deposits has a contradiction, and one that names the same deposit twice has none', () => {
  const other = '5f0a0d4e-9a3b-4d6b-8b7e-0c1d2e3f4a5b';
  expect(reportOfSession(paid({ metadata: { deposit_id: other } }), 0).contradiction).toBe('two-deposits');
  expect(
    reportOfReversal(paid({ metadata: { deposit_id: other } }), { cause: 're_1', amount: 2500 }, 0).contradiction,
  ).toBe('two-deposits');
  for (const change of [{}, { client_reference_id: null }, { metadata: {} }]) {
    expect(reportOfSession(paid(change), 0)).not.toHaveProperty('contradiction');
  }
});
