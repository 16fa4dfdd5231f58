/** The card that paid a session, so that the cashier can pay out to it later. */

import type { PaidCard } from '@opencashier/provider-kit';
import Stripe from 'stripe';
import type { DepositReport } from '../provider.ts';
import { intentId } from './stripe-sessions.ts';

/** The names of brands that Stripe writes in small letters. Others get a capital. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/**
 * Adds the card to a report of a paid session. The credit never waits for the card: without an answer of Stripe the report has none, and
 * the payment cannot be paid out by refund.
 */
export async function withCard(
  stripe: Stripe,
  { payment_intent: intent }: Pick<Stripe.Checkout.Session, 'payment_intent'>,
  report: DepositReport,
): Promise<DepositReport> {
  if (report.outcome !== 'paid' || intent === null || intent === undefined) return report;
  const card = await cardOfIntent(stripe, intentId(intent)).catch(undefinedWithoutAnswer);
  return card === undefined ? report : { ...report, card };
}

async function cardOfIntent(stripe: Stripe, id: string): Promise<PaidCard | undefined> {
  const { latest_charge: charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
  if (charge === null || typeof charge === 'string') return undefined;
  const { fingerprint, last4, brand } = charge.payment_method_details?.card ?? {};
  if (!fingerprint || !last4 || !brand) return undefined;
  return { id: fingerprint, last4, brand: BRANDS[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1) };
}

function undefinedWithoutAnswer(error: unknown): undefined {
  if (error instanceof Stripe.errors.StripeError) return undefined;
  throw error;
}
