import { randomUUID } from 'node:crypto';
import type { ProviderDeposit } from '../provider.ts';

/** A deposit of 25 EUR with an id of its own. @param more what differs */
export function testDeposit(more: Partial<ProviderDeposit> = {}): ProviderDeposit {
  return {
    depositId: randomUUID(),
    operatorId: 'operator-1',
    paymentMethod: 'card',
    amountMinor: 2_500n,
    currency: 'EUR',
    country: 'DE',
    fields: {},
    providerOptions: {},
    returnUrl: 'https://shop.example/return',
    language: 'en',
    signal: new AbortController().signal,
    ...more,
  };
}
