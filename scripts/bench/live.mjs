/** Open sockets of users, and callbacks that reach them: the time from a provider's callback to the screen. */
import { performance } from 'node:perf_hooks';
import { io } from 'socket.io-client';
import { inBatches, payableDeposit, readMetrics } from './cashier.mjs';
import { openLine, requestBytes } from './http-lines.mjs';
import { median, quantile } from './load.mjs';

const toldWithinMs = 60_000;

/**
 * Opens a socket for each token, as a widget does, and measures the memory of the process before and after.
 * @param {import('./cashier.mjs').Cashier} cashier
 * @param {{ tokens: readonly string[], width?: number, rest?: () => Promise<void> }} options
 *   `width`: how many connect at once; `rest`: runs before each measurement, so that garbage is collected
 */
export async function holdSockets(cashier, { tokens, width = 50, rest = async () => undefined }) {
  await rest();
  const before = await readMetrics(cashier);
  const start = performance.now();
  const latencies = [];
  const sockets = await inBatches(tokens, width, async (token) => {
    const sentAt = performance.now();
    const socket = await connect(cashier.url, token);
    latencies.push(performance.now() - sentAt);
    return socket;
  });
  const seconds = (performance.now() - start) / 1000;
  await rest();
  const after = await readMetrics(cashier);
  latencies.sort((a, b) => a - b);
  return {
    sockets,
    result: {
      held: sockets.filter((socket) => socket.connected).length,
      opensPerSecond: sockets.length / seconds,
      openP50Ms: quantile(latencies, 0.5),
      openP99Ms: quantile(latencies, 0.99),
      bytesEach: (after.residentBytes - before.residentBytes) / sockets.length,
      heapBytesEach: (after.heapBytes - before.heapBytes) / sockets.length,
      loopDelayP99Ms: after.loopDelayP99Ms,
    },
  };
}

function connect(url, token) {
  return new Promise((resolve, reject) => {
    const socket = io(url, {
      path: '/v4/socket.io',
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      auth: { token },
      query: { cashier_type: 'widget' },
    });
    socket.once('connect', () => resolve(socket));
    socket.once('connect_error', reject);
  });
}

/**
 * Reports deposits as paid, with so many callbacks in flight. The time ends when the user's own socket hears of the credit. The
 * deposits are created and the callbacks signed before the time begins, because both are other people's work.
 * @param {import('./cashier.mjs').Cashier} cashier
 * @param {{ tokens: readonly string[], sockets: readonly import('socket.io-client').Socket[], width: number,
 *   callbacks?: number, processorMs?: () => number | undefined }} options
 *   `callbacks`: how many; absent: one for each socket. `processorMs`: the processor time of the server
 */
export async function applyCallbacks(cashier, options) {
  const { tokens, sockets, width, callbacks = sockets.length, processorMs = () => undefined } = options;
  const { host } = new URL(cashier.url);
  const payers = Array.from({ length: callbacks }, (_, index) => tokens[index % tokens.length]);
  const payable = await inBatches(payers, width, (token) => payableDeposit(cashier, token));
  const signed = payable.map(({ depositId, callback }) => ({ depositId, request: requestBytes(host, callback()) }));
  await readMetrics(cashier);
  const told = listenForCredits(sockets, payable);
  const answered = [];
  const lines = Array.from({ length: width }, () => openLine(cashier.url));
  const idle = performance.eventLoopUtilization();
  const processorBefore = processorMs();
  const start = performance.now();
  await inBatches(lines, width, async (line) => {
    for (let next = signed.shift(); next !== undefined; next = signed.shift()) {
      const sentAt = performance.now();
      told.sent(next.depositId, sentAt);
      const { status } = await line.send(next.request);
      if (status !== 202) throw new Error(`A callback was answered ${status}`);
      answered.push(performance.now() - sentAt);
    }
    line.close();
  });
  const answeredSeconds = (performance.now() - start) / 1000;
  const { latencies, failed, lastAt } = await told.all();
  const clientBusy = performance.eventLoopUtilization(idle).utilization;
  const processorMsEach = processorBefore === undefined ? undefined : (processorMs() - processorBefore) / callbacks;
  const { loopDelayP99Ms } = await readMetrics(cashier);
  for (const values of [answered, latencies]) values.sort((a, b) => a - b);
  return {
    ...(processorMsEach !== undefined && { processorMsEach }),
    answeredPerSecond: answered.length / answeredSeconds,
    answerP50Ms: quantile(answered, 0.5),
    answerP99Ms: quantile(answered, 0.99),
    appliedPerSecond: latencies.length / ((lastAt - start) / 1000),
    toldP50Ms: quantile(latencies, 0.5),
    toldP99Ms: quantile(latencies, 0.99),
    failed,
    loopDelayP99Ms,
    clientBusy,
  };
}

/** Collects the times from a callback to the push of its credit, until all have come or the time is up. */
function listenForCredits(sockets, payable) {
  const sentAt = new Map(payable.map(({ depositId }) => [depositId, Number.NaN]));
  const latencies = [];
  let lastAt = performance.now();
  let heardAll = () => undefined;
  const listen = ({ depositId, finalAmount }) => {
    const since = sentAt.get(depositId);
    if (since === undefined || finalAmount === undefined) return;
    sentAt.delete(depositId);
    lastAt = performance.now();
    latencies.push(lastAt - since);
    if (sentAt.size === 0) heardAll();
  };
  for (const socket of sockets) socket.on('deposit.status', listen);
  return {
    sent(depositId, at) {
      sentAt.set(depositId, at);
    },
    async all() {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, toldWithinMs);
        heardAll = () => {
          clearTimeout(timer);
          resolve(undefined);
        };
        if (sentAt.size === 0) heardAll();
      });
      for (const socket of sockets) socket.off('deposit.status', listen);
      return { latencies, failed: sentAt.size, lastAt };
    },
  };
}

/**
 * The medians of several rounds, and all failures together.
 * @param {readonly Awaited<ReturnType<typeof applyCallbacks>>[]} rounds
 * @returns {Awaited<ReturnType<typeof applyCallbacks>>}
 */
export function medianOfCallbacks(rounds) {
  const names = Object.keys(rounds[0]);
  const medians = Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round[name]))]));
  return { ...medians, failed: rounds.reduce((sum, round) => sum + round.failed, 0) };
}
