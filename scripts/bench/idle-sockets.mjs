/** What many idle sockets weigh on one node, and how they come back after a restart while payments go on. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createCall, mintTokens, readMetrics } from './cashier.mjs';
import { openLine, requestBytes } from './http-lines.mjs';
import { quantile } from './load.mjs';

const clientProgram = join(fileURLToPath(new URL('.', import.meta.url)), 'idle-clients.mjs');
const payers = 8;
/** The status of a create whose key is in use by another call. */
const inFlight = 409;
/** A node may take long to come back, but the bench ends. */
const backWithinMs = 120_000;

/**
 * @param {import('./cashier.mjs').Cashier} cashier
 * @param {{ count: number, rest: () => Promise<void>, restart?: (signal: NodeJS.Signals) => Promise<number>,
 *   signals?: readonly NodeJS.Signals[] }} options `rest` collects garbage; `restart` answers when the server was ready again
 */
export async function measureIdleSockets(cashier, { count, rest, restart, signals = ['SIGTERM', 'SIGKILL'] }) {
  const tokens = await mintTokens(cashier, count);
  await rest();
  const before = await readMetrics(cashier);
  const clients = fork(clientProgram, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    const startedAt = performance.now();
    const whenOpen = allOpen(clients);
    clients.send({ url: cashier.url, tokens });
    const first = await whenOpen;
    const seconds = (performance.now() - startedAt) / 1000;
    await rest();
    const after = await readMetrics(cashier);
    const returns = [];
    for (const signal of restart ? signals : []) {
      returns.push(await measureReturn(cashier, { clients, signal, restart, tokens }));
      await rest();
    }
    return {
      held: first.open,
      opensPerSecond: count / seconds,
      openP50Ms: quantile(first.opens, 0.5),
      openP99Ms: quantile(first.opens, 0.99),
      heapBytesEach: (after.heapBytes - before.heapBytes) / count,
      bytesEach: (after.residentBytes - before.residentBytes) / count,
      clientBusy: first.busy,
      returns,
    };
  } finally {
    const ended = clients.exitCode === null && once(clients, 'exit');
    clients.kill();
    await ended;
  }
}

async function allOpen(clients) {
  const timeUp = AbortSignal.timeout(backWithinMs);
  const [report] = await once(clients, 'message', { signal: timeUp });
  return report;
}

/** Restarts the node while payments go on, and waits for every socket. */
async function measureReturn(cashier, { clients, signal, restart, tokens }) {
  const payments = keepPaying(cashier, tokens);
  await pause(1000);
  const whenOpen = allOpen(clients);
  const endedAt = performance.now();
  const readyAt = await restart(signal);
  payments.ready();
  const { opens, refused, busy } = await whenOpen;
  const backAt = performance.now();
  return {
    signal,
    backSeconds: (backAt - endedAt) / 1000,
    readySeconds: (readyAt - endedAt) / 1000,
    failedAttempts: refused,
    openP99Ms: quantile(opens, 0.99),
    clientBusy: busy,
    creates: await payments.stop(),
  };
}

/**
 * Creates deposits without a pause. A create that finds no server is repeated with its key, as a widget repeats it. From `ready` on,
 * each answer other than 200 is a refused create, and a lost connection too.
 */
function keepPaying(cashier, tokens) {
  const { host } = new URL(cashier.url);
  const latencies = [];
  let isReady = false;
  let isStopped = false;
  let refused = 0;
  let begun = 0;
  let turn = 0;
  const payer = async () => {
    const line = openLine(cashier.url);
    while (!isStopped) {
      const request = requestBytes(host, createCall(tokens[turn++ % tokens.length]));
      for (let isDone = false; !isDone && !isStopped; ) {
        const wasReady = isReady;
        const sentAt = performance.now();
        const { status } = await line.send(request).catch(() => ({ status: 0 }));
        if (status === 200 && wasReady) latencies.push(performance.now() - sentAt);
        // The node that began it has died. A widget then asks for the status of the payment.
        if (status === inFlight) begun += 1;
        isDone = status === 200 || status === inFlight;
        if (isDone) continue;
        if (wasReady) refused += 1;
        await pause(50);
      }
    }
    line.close();
  };
  const all = Promise.all(Array.from({ length: payers }, payer));
  return {
    ready() {
      isReady = true;
    },
    async stop() {
      isStopped = true;
      await all;
      latencies.sort((a, b) => a - b);
      return {
        answered: latencies.length,
        refused,
        begun,
        p50Ms: quantile(latencies, 0.5),
        p99Ms: quantile(latencies, 0.99),
        longestMs: latencies.at(-1) ?? Number.NaN,
      };
    },
  };
}
