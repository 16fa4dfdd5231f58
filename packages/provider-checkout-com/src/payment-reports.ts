/**
 * Turns payments of Checkout.com into reports. One function for webhooks and inquiries, so that one fact has one event id. The
 * reference of a deposit is our own id: the page and its payments have ids of their own, and only our reference names them all.
 */
import type { DepositReport } from '@opencashier/provider-kit';
import type { CheckoutAction, CheckoutApi, CheckoutPayment } from './checkout-api.ts';
import { causeOf } from './decline-cause.ts';

export const NAME = 'checkout-com';

/** Statuses that certainly took nothing, and take nothing any more. Every other one is pending. */
const ENDED = new Set(['Declined', 'Canceled', 'Expired', 'Voided']);

export interface ReportRules {
  readonly api: CheckoutApi;
  /** Milliseconds since the epoch. */
  now(): number;
  /** `end`: a declined attempt ends the deposit. `wait`: the payer may try again on the page, so it stays open. */
  readonly afterDecline: 'end' | 'wait';
}

/**
 * The state of a deposit that has a page.
 * @param about the payment that a webhook is about. Absent: the deposit as a whole
 * @throws when Checkout.com does not answer
 */
export async function reportOfDeposit(
  { api, afterDecline, now }: ReportRules,
  depositId: string,
  payments: readonly CheckoutPayment[],
  signal: AbortSignal,
  about?: CheckoutPayment,
): Promise<DepositReport> {
  const known = (payment: CheckoutPayment | undefined) => ({
    provider: NAME,
    depositId,
    ...(payment?.operatorId !== undefined && { operatorId: payment.operatorId }),
    at: payment?.requestedAt ?? new Date(now()).toISOString(),
  });
  const captured = payments.filter(({ capturedMinor }) => capturedMinor > 0n);
  const first = await firstCaptured(api, captured, signal);
  const paid = captured.find(({ id }) => id === about?.id) ?? first;
  if (paid !== undefined) {
    return {
      ...known(paid),
      providerRef: refOf(depositId, paid, first),
      outcome: 'paid',
      paidMinor: paid.capturedMinor,
      currency: paid.currency,
      eventId: `${paid.id}:paid`,
    };
  }
  const last = payments.toSorted((one, other) => one.requestedAt.localeCompare(other.requestedAt)).at(-1);
  const hasEnded = last !== undefined && payments.every(({ status }) => ENDED.has(status));
  if (last === undefined || !hasEnded || afterDecline === 'wait') {
    return { ...known(last), providerRef: depositId, outcome: 'pending', eventId: `${depositId}:open` };
  }
  const code = last.status === 'Declined' ? codeOf(await api.actions(last, signal)) : undefined;
  return {
    ...known(last),
    providerRef: depositId,
    outcome: 'declined',
    reason: code ?? last.status,
    ...causeOf(code),
    eventId: `${last.id}:declined`,
  };
}

/** The code of the last refused authorization. */
function codeOf(actions: readonly CheckoutAction[]): string | undefined {
  const refused = actions.filter(({ isApproved }) => isApproved === false);
  return refused.toSorted((one, other) => one.processedAt.localeCompare(other.processedAt)).at(-1)?.responseCode;
}

/**
 * The payment that the deposit asked for: the one captured first. A page takes one payment only. Should a payer pay twice all the same,
 * the later one keeps its own id, and the cashier puts it under review.
 */
export async function firstCaptured(
  api: CheckoutApi,
  captured: readonly CheckoutPayment[],
  signal: AbortSignal,
): Promise<CheckoutPayment | undefined> {
  if (captured.length < 2) return captured[0];
  const timed: (readonly [at: string, CheckoutPayment])[] = [];
  for (const payment of captured) {
    const captures = (await api.actions(payment, signal)).filter(
      ({ type, isApproved }) => type === 'Capture' && isApproved === true,
    );
    const [at = payment.requestedAt] = captures.map(({ processedAt }) => processedAt).toSorted();
    timed.push([`${at} ${payment.id}`, payment]);
  }
  return timed.toSorted(([one], [other]) => one.localeCompare(other))[0]?.[1];
}

/** The reference by which the cashier knows a captured payment. */
export function refOf(depositId: string, payment: CheckoutPayment, first: CheckoutPayment | undefined): string {
  return first === undefined || payment.id === first.id ? depositId : payment.id;
}
