/** What each webhook does to the book. docs/integrate.md has the same list in words. This site sells no coin boxes. */
import { toMinor } from './book.mjs';

/**
 * The movement of a webhook. Its id makes it count once: per deposit for a credit and a refund, else per webhook.
 *
 * @param {import('@opencashier/server').VerifiedWebhook} event
 * @returns undefined for a webhook that moves nothing, and for a type of a later version
 */
export function movementOf({ id, type, data }) {
  const { userId, currency } = data;
  const once = (key, change) => ({ id: key, userId, currency, change });
  // What a deposit adds: the method's fee is no part of it.
  const credited = () => toMinor(data.amount) - toMinor(data.fee ?? '0');
  switch (type) {
    case 'deposit.processed':
      // Webhooks arrive in any order. A deposit that is refunded already is not added any more. This book goes below zero, so a debt is
      // in the balance already: `paidDebt` is not deducted.
      return once(`credit ${data.depositId}`, (earlier) =>
        earlier(`refund ${data.depositId}`) === undefined ? credited() : 0n,
      );
    case 'deposit.refunded':
      // A late payment may be refunded without ever having been added.
      return once(`refund ${data.depositId}`, (earlier) =>
        earlier(`credit ${data.depositId}`) === undefined ? 0n : -credited(),
      );
    case 'deposit.reversed':
    case 'withdrawal.held':
      return once(id, () => -toMinor(data.amount));
    case 'withdrawal.declined':
    case 'withdrawal.cancelled':
    case 'withdrawal.expired':
    case 'withdrawal.returned':
    case 'deposit.reinstated':
      return once(id, () => toMinor(data.amount));
    case 'withdrawal.settled':
      return once(id, () => -toMinor(data.charged));
    default:
      return undefined;
  }
}
