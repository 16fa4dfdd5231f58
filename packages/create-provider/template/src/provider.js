// @ts-check
/**
 * __Name__, a company with a JSON interface over HTTP. Our deposit id is the company's `reference` and its idempotency key. Callbacks
 * carry an HMAC of their id, time and body. Amounts are decimal text.
 */
import { createHmacVerifier, fromDecimalText, isoDecimals, toDecimalText } from '@opencashier/provider-kit';

/** Below the limits of the cashier: 15 s for a create, 10 s for everything else. */
const TIMEOUT_MS = 9_000;
const NAME = '__name__';

/** @type {import('@opencashier/provider-kit').CreateProvider} */
export function createProvider({ secrets, settings }) {
  const company = { apiUrl: settings.apiUrl ?? '', secretKey: secrets.secretKey ?? '' };
  return {
    name: NAME,
    create: (deposit) => create(company, deposit),
    inquire: ({ depositId }) => inquire(company, depositId),
    refund: (refund) => sendBack(company, refund),
    list: (query) => list(company, query),
    read: (rawBody) => reportOf(JSON.parse(new TextDecoder().decode(rawBody))),
    verify: createHmacVerifier({
      // A comma between the new and the old secret, while it is changed.
      secrets: (secrets.webhookSecret ?? '').split(','),
      parts({ headers, rawBody }) {
        const { 'x-event-id': messageId, 'x-time': time, 'x-signature': signature } = headers;
        if (messageId === undefined || time === undefined || signature === undefined) return undefined;
        return { messageId, signedAtSeconds: Number(time), signature, signed: [`${messageId}.${time}.`, rawBody] };
      },
    }),
  };
}

/**
 * Throws on a broken connection. The cashier takes the outcome as unknown and asks later.
 *
 * @typedef {{ apiUrl: string, secretKey: string }} Company
 * @param {Company} company
 * @param {import('@opencashier/provider-kit').ProviderDeposit} deposit
 * @returns {Promise<import('@opencashier/provider-kit').ProviderCreateResult>}
 */
async function create(company, { depositId, amountMinor, currency, returnUrl, signal }) {
  const amount = amountText(amountMinor, currency);
  if (amount === undefined) return { kind: 'declined', code: 'amount-not-payable' };
  const response = await ask(company, '/payments', {
    method: 'POST',
    body: JSON.stringify({ reference: depositId, amount, currency, returnUrl }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (response.status === 402) return { kind: 'declined', code: 'declined' };
  // The company took nothing, because the request was wrong or one too many.
  if ([400, 401, 403, 422, 429].includes(response.status)) return { kind: 'failed', code: `http-${response.status}` };
  if (!response.ok) return { kind: 'unknown', code: `http-${response.status}` };
  const { id, page } = await response.json();
  return { kind: 'created', providerRef: id, source: page };
}

/**
 * Throws when the company does not answer, because its silence proves nothing.
 *
 * @param {Company} company
 * @param {string} depositId
 */
async function inquire(company, depositId) {
  const response = await ask(company, `/payments/${encodeURIComponent(depositId)}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${NAME} answered with status ${response.status}`);
  return reportOf(await response.json());
}

/**
 * @param {Company} company
 * @param {import('@opencashier/provider-kit').ProviderRefund} refund
 * @returns {Promise<import('@opencashier/provider-kit').ProviderRefundResult>}
 */
async function sendBack(company, { refundId, depositId, amountMinor, currency }) {
  const amount = amountText(amountMinor, currency);
  if (amount === undefined) return { kind: 'declined', code: 'amount-not-payable' };
  const response = await ask(company, `/payments/${encodeURIComponent(depositId)}/refunds`, {
    method: 'POST',
    body: JSON.stringify({ reference: refundId, amount }),
  });
  if (response.status === 409) return { kind: 'declined', code: 'not-refundable' };
  return response.ok ? { kind: 'accepted', isDone: true } : { kind: 'unknown', code: `http-${response.status}` };
}

/** @type {Readonly<Record<string, 'pending' | 'paid' | 'declined' | 'expired'>>} */
const outcomes = { open: 'pending', paid: 'paid', declined: 'declined', expired: 'expired' };

/**
 * One function for callbacks and inquiries, so that one fact has one event id.
 *
 * @param {Record<string, unknown>} payment as the company sent it; nothing in it is trusted
 * @returns {import('@opencashier/provider-kit').DepositReport}
 */
function reportOf({ id, reference, state, amount, currency, changed }) {
  const outcome = outcomes[String(state)];
  if (typeof id !== 'string' || typeof reference !== 'string' || outcome === undefined) {
    throw new Error(`${NAME} sent a payment without sense`);
  }
  return {
    provider: NAME,
    providerRef: id,
    depositId: reference,
    outcome,
    ...(outcome === 'paid' && {
      paidMinor: fromDecimalText(String(amount), String(currency)),
      currency: String(currency),
    }),
    eventId: `${id}:${state}`,
    at: new Date(String(changed)).toISOString(),
  };
}

/** @type {Readonly<Record<string, 'payment' | 'refund' | 'chargeback' | 'fee'>>} */
const kinds = { payment: 'payment', refund: 'refund', chargeback: 'chargeback', fee: 'fee' };

/**
 * A page of what moved, for the reconciliation. It throws when the company does not answer: an empty page would say that nothing moved.
 *
 * @param {Company} company
 * @param {import('@opencashier/provider-kit').ListQuery} query
 * @returns {Promise<import('@opencashier/provider-kit').ListAnswer>}
 */
async function list(company, { from, to, cursor, signal }) {
  const asked = new URLSearchParams({ from, to, ...(cursor !== undefined && { after: cursor }) });
  const response = await ask(company, `/transactions?${asked}`, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if ([401, 403].includes(response.status)) return { kind: 'refused', code: `http-${response.status}` };
  if (!response.ok) throw new Error(`${NAME} answered with status ${response.status}`);
  const { items, after } = await response.json();
  return { kind: 'page', transactions: items.map(transactionOf), ...(after !== undefined && { next: after }) };
}

/**
 * @param {Record<string, unknown>} item as the company sent it; the cashier checks amounts, currencies and times again
 * @returns {import('@opencashier/provider-kit').ListedTransaction}
 */
function transactionOf({ id, type, payment, reference, amount, currency, time }) {
  const kind = kinds[String(type)];
  if (kind === undefined) throw new Error(`${NAME} listed a transaction of an unknown type`);
  const named = { references: [String(payment ?? id)], ...(reference !== undefined && { ownId: String(reference) }) };
  const money = { currency: String(currency), at: String(time) };
  // The company lists a fee as money that leaves. The cashier counts what the company keeps.
  const [text, negated] = [String(amount), String(amount).startsWith('-') ? String(amount).slice(1) : `-${amount}`];
  if (kind === 'fee') return { kind, ...named, ...money, amount: '0', fee: negated };
  return { kind, ...named, ...money, amount: text };
}

/** @param {bigint} minor @param {string} currency */
function amountText(minor, currency) {
  const decimals = isoDecimals(currency);
  return decimals === undefined ? undefined : toDecimalText(minor, currency, decimals);
}

/**
 * @param {Company} company
 * @param {string} path
 * @param {RequestInit} [init]
 */
function ask({ apiUrl, secretKey }, path, init) {
  const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' };
  return fetch(`${apiUrl}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS), ...init, headers, redirect: 'error' });
}
