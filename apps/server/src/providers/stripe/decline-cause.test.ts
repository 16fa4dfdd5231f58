import { expect, test } from 'vitest';
import { causeOf } from './decline-cause.ts';

test.each([
  ['insufficient_funds', 'insufficient-funds'],
  ['card_velocity_exceeded', 'limit-exceeded'],
  ['expired_card', 'card-expired'],
  ['incorrect_cvc', 'wrong-details'],
  ['authentication_required', 'authentication-failed'],
  ['card_not_supported', 'bank-refused'],
])('[SRV-4] Stripe’s %s tells the payer %s', (code, cause) => {
  expect(causeOf(code, 'card_declined')).toEqual({ cause });
  expect(causeOf(undefined, code)).toEqual({ cause });
});

test.each([
  'stolen_card',
  'lost_card',
  'pickup_card',
  'fraudulent',
  'merchant_blacklist',
  'restricted_card',
  'security_violation',
  'generic_decline',
  'do_not_honor',
])('[SRV-4] Stripe’s %s tells the payer nothing, whatever the error code beside it is', (code) => {
  expect(causeOf(code, 'card_declined')).toEqual({});
  expect(causeOf(code, 'expired_card')).toEqual({});
});
