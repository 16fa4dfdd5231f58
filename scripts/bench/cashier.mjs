/** The cashier as a client: the calls of operators, widgets and providers, and its metrics. Nothing else. */
import { createHmac, randomUUID } from 'node:crypto';

/**
 * @typedef {{ url: string, operatorKey: string, providerSecret: string }} Cashier
 * `providerSecret`: of the sandbox provider, `whsec_` and base64. Callbacks are signed here, so that signing costs the measured
 * process nothing
 */

const headersOf = (token) => ({ 'content-type': 'application/json', authorization: `Bearer ${token}` });

/** A token for each of so many users, in their order. @param {Cashier} cashier @param {number} users */
export function mintTokens(cashier, users) {
  return mintTokensOf(
    cashier,
    Array.from({ length: users }, (_, index) => `bench-${index}`),
  );
}

/** A token for each of these users, in their order. @param {Cashier} cashier @param {readonly string[]} userIds */
export function mintTokensOf({ url, operatorKey }, userIds) {
  return inBatches(userIds, 50, async (userId) => {
    const answer = await fetch(`${url}/operator/v1/user-tokens`, {
      method: 'POST',
      headers: headersOf(operatorKey),
      body: JSON.stringify({ userId, currency: 'USD', country: 'IN' }),
    });
    if (!answer.ok) throw new Error(`user-tokens answered ${answer.status}`);
    return (await answer.json()).token;
  });
}

const deposit = { amount: '25.00', currency: 'USD', paymentType: 'card' };

/** The create call of a new deposit, as `load` sends it. @param {string} token */
export const createCall = (token) => ({
  path: '/api/BANKING/deposit-create',
  headers: headersOf(token),
  body: JSON.stringify({ ...deposit, depositId: randomUUID(), selectedCountry: 'IN' }),
});

/** The list of methods, as the widget asks for it first. @param {string} token */
export const listCall = (token) => ({
  path: '/api/BANKING/methods-payment-v5',
  headers: headersOf(token),
  body: JSON.stringify({ country: 'IN', currency: 'INR' }),
});

/** The create call for the bare server. */
export const bareCall = () => ({
  path: '/create',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ ...deposit, depositId: randomUUID() }),
});

/**
 * Creates a deposit and answers the callback that says it was paid.
 * @param {Cashier} cashier @param {string} token
 */
export async function payableDeposit({ url, providerSecret }, token) {
  const { path, headers, body } = createCall(token);
  const answer = await fetch(url + path, { method: 'POST', headers, body });
  const { apiResponse } = await answer.json();
  const payment = /\/sandbox\/pay\/(\w+)/.exec(apiResponse?.source ?? '')?.[1];
  if (payment === undefined) throw new Error(`A create answered ${answer.status} and no page of the sandbox provider`);
  const { depositId, amount, currency } = JSON.parse(body);
  return { depositId, callback: () => paidCallback(providerSecret, { payment, depositId, amount, currency }) };
}

/** Signed by the Standard Webhooks scheme, at the time of the call. */
function paidCallback(secret, { payment, depositId, amount, currency }) {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const sum = { value: amount, currency };
  const data = { payment, merchantReference: depositId, amount: sum, paid: sum };
  const body = JSON.stringify({ id, type: 'payment.paid', created: new Date().toISOString(), data });
  const timestamp = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    path: '/providers/sandbox/callbacks',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  };
}

/**
 * Memory now, and the delay of timers since the last reading. Each reading resets the counters.
 * @param {Cashier} cashier
 * @returns {Promise<{ residentBytes: number, heapBytes: number, loopDelayP50Ms: number, loopDelayP99Ms: number }>}
 */
export async function readMetrics({ url }) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const gauge = (name) => {
    const value = Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    if (!Number.isFinite(value)) throw new Error(`The metrics have no ${name}`);
    return value;
  };
  return {
    residentBytes: gauge('process_resident_memory_bytes'),
    heapBytes: gauge('nodejs_heap_size_used_bytes'),
    loopDelayP50Ms: gauge('nodejs_eventloop_lag_p50_seconds') * 1000,
    loopDelayP99Ms: gauge('nodejs_eventloop_lag_p99_seconds') * 1000,
  };
}

/**
 * Does the work for all items, `width` at a time, and answers the results in the order of the items.
 * @template Item, Result
 * @param {readonly Item[]} items @param {number} width @param {(item: Item, index: number) => Promise<Result>} work
 * @returns {Promise<Result[]>}
 */
export async function inBatches(items, width, work) {
  const results = new Array(items.length);
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index], index);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
