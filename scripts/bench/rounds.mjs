/** Servers in turns: each round asks every one of them, so that a busy minute of the machine hits all alike. */
import { createCall, inBatches, listCall, mintTokens, payableDeposit, readMetrics } from './cashier.mjs';
import { load, median, summary } from './load.mjs';

const users = 200;
/** The short rows need less time for a stable median than the creates. */
const shortShare = 0.4;

/**
 * @typedef {{ name: string, url: string, next: () => import('./http-lines.mjs').Call,
 *   processorMs?: (() => number | undefined) | undefined }} Server
 * @param {{ cashier: import('./cashier.mjs').Cashier, servers: readonly Server[], connections: number, durationMs: number,
 *   rounds: number }} options the first server is the cashier
 * @returns the summary of each server by its name; the cashier's has the delay of its event loop
 */
export async function inTurns({ cashier, servers, connections, durationMs, rounds }) {
  const taken = new Map(servers.map(({ name }) => [name, []]));
  const delays = [];
  for (let round = 0; round < rounds; round++) {
    for (const { name, url, next, processorMs } of servers) {
      await readMetrics(cashier);
      const warmUpMs = Math.min(1000, durationMs / 4);
      const result = await load({ url, connections, durationMs, warmUpMs, next, processorMs });
      if (result.perSecond === 0)
        throw new Error(`${name} answered no request well: ${JSON.stringify(result.statuses)}`);
      if (url === cashier.url) delays.push((await readMetrics(cashier)).loopDelayP99Ms);
      taken.get(name)?.push(result);
    }
  }
  const summaries = Object.fromEntries([...taken].map(([name, results]) => [name, summary(results)]));
  const first = servers[0]?.name ?? '';
  return { ...summaries, [first]: { ...summaries[first], loopDelayP99Ms: median(delays) } };
}

/** Creates, many in flight and one in flight, and the bare insert in turns with them. */
export async function measureCreates(cashier, bare, bareCall, { parts, connections, durationMs, rounds, processorMs }) {
  // New tokens, since a token expires after a quarter of an hour.
  const tokens = await mintTokens(cashier, users);
  let turn = 0;
  const servers = [
    { name: 'creates', url: cashier.url, next: () => createCall(tokens[turn++ % users]), processorMs },
    { name: 'bareInserts', ...bare, next: bareCall },
  ];
  const many = parts.has('creates') ? await inTurns({ cashier, servers, connections, durationMs, rounds }) : {};
  if (!parts.has('single')) return many;
  const one = await inTurns({ cashier, servers, connections: 1, durationMs: durationMs * shortShare, rounds });
  return { ...many, singleCreates: one.creates, singleBareInserts: one.bareInserts };
}

/** The list of methods, and a bare server that sends the bytes of the same list. */
export async function measureLists(cashier, bare, { connections, durationMs, rounds, processorMs, depositsEach = 0 }) {
  const tokens = await mintTokens(cashier, users);
  await makeDeposits(cashier, tokens, depositsEach, connections);
  const { path, headers, body } = listCall(tokens[0]);
  const list = await (await fetch(cashier.url + path, { method: 'POST', headers, body })).text();
  await fetch(`${bare.url}/list`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: list });
  let turn = 0;
  const bareHeaders = { 'content-type': 'application/json' };
  const servers = [
    { name: 'lists', url: cashier.url, next: () => listCall(tokens[turn++ % users]), processorMs },
    { name: 'bareLists', ...bare, next: () => ({ path: '/list', headers: bareHeaders, body }) },
  ];
  const taken = await inTurns({ cashier, servers, connections, durationMs: durationMs * shortShare, rounds });
  return { ...taken, listBytes: Buffer.byteLength(list) };
}

/** So many deposits of each user. The first is paid, so that the list shows it. */
async function makeDeposits({ url, ...cashier }, tokens, depositsEach, width) {
  if (depositsEach === 0) return;
  const send = async ({ path, headers, body }) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  const payable = await inBatches(tokens, width, (token) => payableDeposit({ url, ...cashier }, token));
  await inBatches(payable, width, ({ callback }) => send(callback()));
  const others = tokens.flatMap((token) => Array(depositsEach - 1).fill(token));
  await inBatches(others, width, (token) => send(createCall(token)));
}
