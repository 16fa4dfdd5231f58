/** The requests that the benchmark times, each with its name. All are about the operator with the most rows, unless the name says otherwise. */
import { createCall, mintTokensOf } from '../cashier.mjs';

/** Entries of a page. */
const limit = 20;

/**
 * @typedef {{ name: string, next: () => import('../http-lines.mjs').Call }} Timed
 * @param {import('../cashier.mjs').Cashier} cashier
 * @param {import('./targets.mjs').Targets} targets
 * @returns {Promise<Timed[]>}
 */
export async function timedRequests(cashier, targets) {
  const tokens = await mintTokensOf(cashier, targets.users);
  let turn = 0;
  const each = (list) => list[turn++ % list.length];
  const get = (name, pathOf, key = cashier.operatorKey) => ({
    name,
    next: () => ({ path: `/operator/v1${pathOf()}`, headers: { authorization: `Bearer ${key}` }, body: '' }),
  });
  const list = (name, path, query = {}, key = undefined) => {
    const search = new URLSearchParams({ limit: String(limit), ...query });
    return get(name, () => `${path}?${search}`, key);
  };
  const deep = async (name, path, query, skip) =>
    list(name, path, { ...query, cursor: await cursorAfter(cashier, path, { ...query, ...skip }) });
  const find = (name, names) => get(name, () => `/payments?${new URLSearchParams({ find: each(names) })}`);
  const before = { to: targets.middle.toISOString() };
  const day = new Date(targets.middle.getTime() + 86_400_000).toISOString();
  const users = () => `&userId=${encodeURIComponent(each(targets.users))}`;
  return [
    { name: "the widget's list of methods", next: () => methodsCall(each(tokens)) },
    get('balances of a user', () => `/users/${encodeURIComponent(each(targets.users))}/balances`),
    get('payments of a user', () => `/transactions?limit=${limit}${users()}`),
    list('payments of the user with most', '/transactions', { userId: targets.heavy }),
    await deep('payments of the user with most, in the middle', '/transactions', { userId: targets.heavy }, before),
    list('payments of an unknown user', '/transactions', { userId: 'nobody' }),
    list("operator's payments", '/transactions'),
    await deep("operator's payments, in the middle", '/transactions', {}, before),
    list('of one day', '/transactions', { from: targets.middle.toISOString(), to: day }),
    list('deposits that failed', '/transactions', { type: 'deposit', status: 'failed' }),
    list('deposits that wait', '/transactions', { type: 'deposit', status: 'waiting' }),
    list('withdrawals', '/transactions', { type: 'withdrawal' }),
    list('payments of a small operator', '/transactions', {}, `sk_bench_${targets.smallOperator}`),
    find(
      'find by id',
      targets.payments.map(({ id }) => id),
    ),
    find(
      "find by the provider's reference",
      targets.payments.map(({ reference }) => reference),
    ),
    find('find by transaction hash', targets.txids),
    find('find by address', targets.addresses),
    find('find by user', targets.users),
    list('chargebacks', '/reversals'),
    list('open reviews', '/reviews'),
    list('parked reports', '/parked-reports'),
    list('unmatched reports', '/unmatched-reports'),
    list('debts', '/debts'),
    list('frozen accounts', '/frozen-accounts'),
    list('webhook deliveries', '/webhook-deliveries'),
    await deep('webhook deliveries, in the middle', '/webhook-deliveries', {}, before),
    list('webhooks that failed', '/webhook-deliveries', { status: 'exhausted' }),
    list('withdrawals that wait for approval', '/withdrawals', { awaiting: 'approval' }),
    // Last: the provider is asked about open deposits after 30 seconds, and the pages of that work would count as a request's.
    { name: 'create a deposit', next: () => createCall(each(tokens)) },
  ];
}

const methodsCall = (token) => ({
  path: '/api/BANKING/methods-payment-v5',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
  body: JSON.stringify({ country: 'IN', currency: 'USD' }),
});

/** The cursor of a place deep in a list: the next page after the first entry that `query` lets through. */
async function cursorAfter({ url, operatorKey }, path, query) {
  const answer = await fetch(`${url}/operator/v1${path}?${new URLSearchParams({ ...query, limit: '1' })}`, {
    headers: { authorization: `Bearer ${operatorKey}` },
  });
  const { nextCursor } = await answer.json();
  if (nextCursor === undefined) throw new Error(`${path} has no second page: ${JSON.stringify(query)}`);
  return nextCursor;
}
