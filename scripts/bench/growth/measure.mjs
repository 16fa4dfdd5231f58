/** Times the requests on one filled database, and the statements of the workers meanwhile. */
import { inBatches, mintTokensOf } from '../cashier.mjs';
import { applyCallbacks, holdSockets } from '../live.mjs';
import { load } from '../load.mjs';
import { timedRequests } from './requests.mjs';
import { findTargets } from './targets.mjs';

export const widths = [1, 16];
const callbackUsers = 40;
const longestMs = 60_000;
/** Requests whose pages are counted. */
const counted = 60;

/** The workers' statements that claim due work, by the beginning of their text. */
const claims = {
  'claim: callbacks': 'with held as (%is_renewed%',
  'claim: questions to providers': 'update deposit set check_at = now() + make_interval%',
  'claim: expiries': 'update deposit set busy_until = now()%',
  'claim: parked reports': 'update deposit_event set next_at = now() + interval%',
  'claim: questions about withdrawals': 'update withdrawal set check_at = now() + make_interval%',
  'claim: pushes': 'update outbox set attempts%',
  'claim: webhooks': 'with recursive useless%',
};

/**
 * @typedef {{ p50Ms: number, p99Ms: number, perSecond: number, failed: number }} Time
 * @typedef {{ pages?: number, times: Record<string, Time> }} Cost `pages`: of the database, for each request. `times`: by the number
 *   in flight
 * @param {import('../cashier.mjs').Cashier} cashier a running server on the filled database
 * @param {(text: string, values?: unknown[]) => Promise<any[]>} query
 * @param {{ durationMs: number, warmUpMs: number, callbacks: number, onStep?: (name: string, cost: Cost) => void }} options
 * @returns {Promise<{ costs: Record<string, Cost>, claims: Record<string, { meanMs: number, calls: number }> }>}
 */
export async function measureRequests(cashier, query, { durationMs, warmUpMs, callbacks, onStep = () => undefined }) {
  const targets = await findTargets(query);
  const costs = {};
  const note = (name, cost) => {
    costs[name] = cost;
    onStep(name, cost);
  };
  for (const { name, next } of await timedRequests(cashier, targets)) {
    const times = {};
    for (const connections of widths) {
      times[connections] = await timeLoad(name, { url: cashier.url, connections, durationMs, warmUpMs, next });
    }
    note(name, { times, pages: await pagesOf(cashier, query, next) });
  }
  await query('select pg_stat_statements_reset()');
  note('a callback, until the user sees it', { times: await timeCallbacks(cashier, targets, callbacks) });
  return { costs, claims: await readClaims(query) };
}

/**
 * The pages of the database, in memory or not, that one request reads. Unlike a time, the number is the same on a busy machine. Each
 * request runs the same statements, so statements whose number is no multiple of the requests are of the workers. They are left out.
 * Only a search has another statement for each number of months: see `inEachMonth` in `payment-months.ts`.
 */
async function pagesOf({ url }, query, next) {
  await query('select pg_stat_statements_reset()');
  for (let count = 0; count < counted; count++) {
    const { path, headers, body } = next();
    const call = body === '' ? { headers } : { method: 'POST', headers, body };
    await (await fetch(url + path, call)).arrayBuffer();
  }
  const [{ pages }] = await query(
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as pages from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database()) and toplevel
        and (calls % $1 = 0 or query like '%as payment(operator_id, id)%')`,
    [counted],
  );
  return pages / counted;
}

/** A request that takes longer than the measurement is measured again, for longer. */
async function timeLoad(name, options) {
  const { statuses, ...time } = await load(options);
  if (time.failed > 0) throw new Error(`${name} failed: ${JSON.stringify(statuses)}`);
  if (time.perSecond > 0) return time;
  if (options.durationMs > longestMs) throw new Error(`${name} was not answered`);
  return timeLoad(name, { ...options, durationMs: options.durationMs * 5, warmUpMs: 0 });
}

async function timeCallbacks(cashier, { users }, callbacks) {
  const some = users.slice(0, callbackUsers);
  const tokens = await mintTokensOf(cashier, some);
  const { sockets } = await holdSockets(cashier, { tokens });
  const times = {};
  try {
    for (const width of widths) {
      const run = { tokens, sockets, width, callbacks };
      const { toldP50Ms, toldP99Ms, appliedPerSecond, failed } = await applyCallbacks(cashier, run);
      times[width] = { p50Ms: toldP50Ms, p99Ms: toldP99Ms, perSecond: appliedPerSecond, failed };
    }
  } finally {
    for (const socket of sockets) socket.disconnect();
  }
  return times;
}

/** The mean time of the workers' claims, from `pg_stat_statements`. */
async function readClaims(query) {
  const found = await inBatches(Object.entries(claims), 1, async ([name, text]) => {
    const [row] = await query(
      `select sum(calls)::float8 as calls, sum(total_exec_time) / sum(calls) as "meanMs" from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database()) and query like $1`,
      [text],
    );
    return [name, { meanMs: row.meanMs, calls: row.calls }];
  });
  return Object.fromEntries(found.filter(([, { calls }]) => calls !== null));
}

/** The tables by their share of the disk. @returns {Promise<{ name: string, rows: number, bytes: number, indexBytes: number }[]>} */
export const tableSizes = (query) =>
  query(`select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as bytes,
      pg_indexes_size(oid)::float8 as "indexBytes"
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 0
    order by pg_total_relation_size(oid) desc limit 25`);
