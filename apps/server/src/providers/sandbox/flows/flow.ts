/** The parts that all flows share. The catalogue names the flow of a method (`providerOptions.flow`). */
import { createHash } from 'node:crypto';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { ProviderCreateResult, ProviderDeposit } from '../../provider.ts';
import type { SandboxPayment } from '../payments/payment.ts';
import type { SandboxTexts } from '../words/texts.ts';

/** What a flow needs to build its answer. */
export interface FlowParts {
  readonly payment: SandboxPayment;
  readonly deposit: Pick<ProviderDeposit, 'country' | 'fields' | 'bank' | 'providerOptions'>;
  /** The cashier's public address. */
  readonly base: string;
  readonly merchantName: string;
  readonly lifetimeSeconds: number;
  /** The texts in the payer's language. */
  readonly texts: SandboxTexts;
}

/** The parts of the answer to a create that depend on the flow. */
export type FlowAnswer = Pick<
  Extract<ProviderCreateResult, { kind: 'created' }>,
  'source' | 'data' | 'pageId' | 'pageType'
>;

/** The requested amount as a decimal string. */
export function amountOf({ amountMinor, currency }: Pick<SandboxPayment, 'amountMinor' | 'currency'>): string {
  return toDecimalString(amountMinor, decimalsOf(currency));
}

/** The start, the lifetime and the amount of the payment. */
export function timing({ payment, lifetimeSeconds }: FlowParts) {
  return {
    created: new Date(payment.createdAt).toISOString(),
    lifetime: lifetimeSeconds,
    timeout_minutes: lifetimeSeconds / 60,
    payment_amount: amountOf(payment),
    payment_currency: payment.currency,
  };
}

/** Digits that depend only on the payment and the purpose, so that a repeated create gets the same answer. */
export function digitsOf({ ref }: Pick<SandboxPayment, 'ref'>, purpose: string, count: number): string {
  const number = BigInt(`0x${createHash('sha256').update(`${purpose} ${ref}`).digest('hex')}`);
  return (number % 10n ** BigInt(count)).toString().padStart(count, '0');
}

/** The reference that the payer writes on the transfer: short, in capitals and digits. */
export function referenceOf(payment: Pick<SandboxPayment, 'ref'>): string {
  return `SBX${digitsOf(payment, 'reference', 8)}`;
}

/** The numbered steps of an instruction. */
export function steps(...texts: string[]): { stepNumber: number; stepInstruction: string }[] {
  return texts.map((stepInstruction, index) => ({ stepNumber: index + 1, stepInstruction }));
}
