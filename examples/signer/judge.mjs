/** Decides about one request, without any input or output. What is signed at last is what was read here, and nothing else. */
import { createHash } from 'node:crypto';

/**
 * A payment as the transaction itself says it.
 *
 * @typedef {object} Payment
 * @property {readonly string[]} slots the nonce, or the inputs: what the chain lets be spent once
 * @property {Readonly<Record<string, string>>} [values] what the transaction says that each input has
 * @property {string} contract '' for the chain's own coin
 * @property {string} to
 * @property {bigint} units
 * @property {bigint} fee the most that the network can take
 */
/**
 * @typedef {{ readonly kind: 'sign', readonly entry: import('./memory.mjs').Entry, readonly isNew: boolean }
 *   | { readonly kind: 'wait', readonly entry: import('./memory.mjs').Entry }
 *   | { readonly kind: 'refuse', readonly code: string }} Verdict
 */

/** So many people must approve a large payment. */
export const APPROVALS = 2;

/**
 * @param {object} asked
 * @param {object} asked.request the cashier's request, of the right types
 * @param {Payment | undefined} asked.payment undefined: the transaction is no plain payment of this wallet
 * @param {import('./policy.mjs').WalletPolicy} asked.wallet
 * @param {{ ofSlot: Function, ofPayment: Function, ofDay: Function }} memory
 * @param {number} now
 * @param {(entry: import('./memory.mjs').Entry) => number} approvalsOf how many people approved it
 * @returns {Verdict}
 */
export function judge({ request, payment, wallet }, memory, now, approvalsOf) {
  const { chain, withdrawalId, pays } = request;
  if (payment === undefined) return refuse('not-a-payment');
  // The cashier says what it wants to pay. A cashier that says one thing and builds another is broken, or broken into.
  const said = (pays.contract ?? '').toLowerCase();
  if (payment.contract !== said) return refuse('other-contract');
  if (payment.to.toLowerCase() !== pays.address.toLowerCase()) return refuse('other-recipient');
  if (String(payment.units) !== pays.units) return refuse('other-amount');
  const asset = wallet.assets.get(payment.contract);
  if (asset === undefined || asset.coin !== pays.coin) return refuse('coin-not-allowed');
  if (payment.units === 0n) return refuse('other-amount');
  if (payment.fee > wallet.mostFee) return refuse('fee-limit');
  if (payment.units > asset.payment) return refuse('payment-limit');

  const entry = entryOf(chain, withdrawalId, payment, now);
  const before = memory.ofPayment(withdrawalId);
  const ofSlots = payment.slots.map((slot) => memory.ofSlot(chain, slot));
  if (before !== undefined) {
    // The same payment again, perhaps with a higher fee. In another slot the chain could take both.
    const isSame = before.content === entry.content && ofSlots.every((one) => one === before);
    return isSame ? { kind: 'sign', entry: before, isNew: false } : refuse('payment-was-signed');
  }
  if (ofSlots.some((one) => one !== undefined)) return refuse('slot-was-signed');
  const day = memory.ofDay(chain, payment.contract, now);
  // Each payment can cost its fee, however small it is.
  if (day.payments >= wallet.dayPayments || day.units + payment.units > asset.day) return refuse('day-limit');
  if (payment.units > asset.approveAbove && approvalsOf(entry) < APPROVALS) return { kind: 'wait', entry };
  return { kind: 'sign', entry, isNew: true };
}

/** @returns {import('./memory.mjs').Entry} */
function entryOf(chain, payment, { slots, values, contract, to, units }, now) {
  const content = createHash('sha256')
    .update(JSON.stringify([chain, payment, slots, values ?? {}, contract, to, String(units)]))
    .digest('hex');
  return { at: new Date(now).toISOString(), chain, payment, content, slots, contract, to, units: String(units) };
}

const refuse = (code) => ({ kind: 'refuse', code });
