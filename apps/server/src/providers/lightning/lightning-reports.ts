/** What an invoice of the node means for its deposit. */
import type { DepositReport } from '../provider.ts';
import { readInvoice } from './bolt11.ts';
import type { NodeInvoice } from './lightning-node.ts';

export const PROVIDER_NAME = 'lightning';
export const CURRENCY = 'BTC';
/** Seconds in which an invoice can be paid. */
export const INVOICE_SECONDS = 900;
/** A payment that was on its way at the end still settles within this time. */
const SLACK_MS = 60_000;
const MSAT_PER_SAT = 1000n;

/** `real`: invoices of the main network alone. `test`: those of test networks, whose coins are free. */
export type MoneyKind = 'real' | 'test';

/** The satoshis that an invoice asks for. Undefined where it is no invoice for such money, or asks for no whole satoshis. */
export function askedSat(invoice: Pick<NodeInvoice, 'text'>, money: MoneyKind): bigint | undefined {
  const head = readInvoice(invoice.text);
  if (head?.amountMsat === undefined || (head.network === 'bc') !== (money === 'real')) return undefined;
  return head.amountMsat % MSAT_PER_SAT === 0n ? head.amountMsat / MSAT_PER_SAT : undefined;
}

/**
 * A paid invoice is final: Lightning has no way back. Its payer has paid at least what it asks for, as the node accepts no less. The fee
 * for which the node opens a channel is the operator's, so it does not lower the credit. More than asked is credited as it came.
 * @returns undefined for an invoice that is not the cashier's
 */
export function reportOf(invoice: NodeInvoice, money: MoneyKind, now: number): DepositReport | undefined {
  const asked = askedSat(invoice, money);
  if (invoice.externalId === undefined || asked === undefined) return undefined;
  const { paymentHash, externalId: depositId, isPaid, receivedSat, createdAt, completedAt } = invoice;
  const about = { provider: PROVIDER_NAME, providerRef: paymentHash, depositId };
  if (isPaid) {
    const isMoreThanAsked = receivedSat > asked;
    return {
      ...about,
      outcome: 'paid',
      paidMinor: isMoreThanAsked ? receivedSat : asked,
      currency: CURRENCY,
      asked: { minor: asked, currency: CURRENCY },
      eventId: `${paymentHash}:paid`,
      at: new Date(completedAt ?? createdAt).toISOString(),
    };
  }
  const endsAt = createdAt + INVOICE_SECONDS * 1000;
  const isOver = now > endsAt + SLACK_MS;
  return {
    ...about,
    outcome: isOver ? 'expired' : 'pending',
    eventId: `${paymentHash}:${isOver ? 'expired' : 'waiting'}`,
    at: new Date(isOver ? endsAt : createdAt).toISOString(),
  };
}
