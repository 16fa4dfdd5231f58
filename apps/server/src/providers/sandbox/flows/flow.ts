/** The shapes in which a payment company answers a create: which one, the catalogue's method says (`providerOptions.flow`). */
import { createHash } from 'node:crypto';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { ProviderCreateResult, ProviderDeposit } from '../../provider.ts';
import type { SandboxPayment } from '../payments/payment.ts';
import type { SandboxTexts } from '../words/texts.ts';

/** What an answer is made of. */
export interface FlowParts {
  readonly payment: SandboxPayment;
  readonly deposit: Pick<ProviderDeposit, 'country' | 'fields' | 'bank' | 'providerOptions'>;
  /** The cashier's public address. */
  readonly base: string;
  readonly merchantName: string;
  readonly lifetimeSeconds: number;
  /** Of the language of whoever pays. */
  readonly texts: SandboxTexts;
}

/** What of a create's answer depends on the shape. */
export type FlowAnswer = Pick<
  Extract<ProviderCreateResult, { kind: 'created' }>,
  'source' | 'data' | 'pageId' | 'pageType'
>;

/** The asked amount as a decimal string. */
export function amountOf({ amountMinor, currency }: Pick<SandboxPayment, 'amountMinor' | 'currency'>): string {
  return toDecimalString(amountMinor, decimalsOf(currency));
}

/** When the payment began and how long it can be made, and how much. */
export function timing({ payment, lifetimeSeconds }: FlowParts) {
  return {
    created: new Date(payment.createdAt).toISOString(),
    lifetime: lifetimeSeconds,
    timeout_minutes: lifetimeSeconds / 60,
    payment_amount: amountOf(payment),
    payment_currency: payment.currency,
  };
}

/** Digits that are always the same for a payment and a purpose: a create that is repeated answers the same. */
export function digitsOf({ ref }: Pick<SandboxPayment, 'ref'>, purpose: string, count: number): string {
  const number = BigInt(`0x${createHash('sha256').update(`${purpose} ${ref}`).digest('hex')}`);
  return (number % 10n ** BigInt(count)).toString().padStart(count, '0');
}

/** What the payer writes beside the transfer: short, in capitals, without letters that look alike. */
export function referenceOf(payment: Pick<SandboxPayment, 'ref'>): string {
  return `SBX${digitsOf(payment, 'reference', 8)}`;
}
