/** Open sockets of users, and callbacks that reach them: the time from a provider's callback to the screen. */
import { performance } from 'node:perf_hooks';
import { io } from 'socket.io-client';
import { inBatches, payableDeposit, readMetrics } from './cashier.mjs';
import { quantile } from './load.mjs';

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
 * Reports one deposit of each socket's user as paid, with so many callbacks in flight. The time ends when the user's socket
 * hears of the credit.
 * @param {import('./cashier.mjs').Cashier} cashier
 * @param {{ tokens: readonly string[], sockets: readonly import('socket.io-client').Socket[], width: number }} options
 */
export async function applyCallbacks(cashier, { tokens, sockets, width }) {
  const payable = await inBatches(tokens, width, (token) => payableDeposit(cashier, token));
  await readMetrics(cashier);
  const answered = [];
  const told = [];
  let failed = 0;
  const start = performance.now();
  let lastToldAt = start;
  const hears = await inBatches(payable, width, async ({ depositId, callback }, index) => {
    const { path, headers, body } = callback();
    const sentAt = performance.now();
    const heard = processed(sockets[index], depositId).then(
      (at) => {
        told.push(at - sentAt);
        lastToldAt = Math.max(lastToldAt, at);
      },
      () => {
        failed += 1;
      },
    );
    const answer = await fetch(cashier.url + path, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    if (answer.status !== 202) throw new Error(`A callback was answered ${answer.status}`);
    answered.push(performance.now() - sentAt);
    // Not awaited: a provider does not wait for the credit either.
    return { heard };
  });
  const answeredSeconds = (performance.now() - start) / 1000;
  await Promise.all(hears.map(({ heard }) => heard));
  const { loopDelayP99Ms } = await readMetrics(cashier);
  for (const values of [answered, told]) values.sort((a, b) => a - b);
  return {
    answeredPerSecond: answered.length / answeredSeconds,
    answerP50Ms: quantile(answered, 0.5),
    answerP99Ms: quantile(answered, 0.99),
    appliedPerSecond: told.length / ((lastToldAt - start) / 1000),
    toldP50Ms: quantile(told, 0.5),
    toldP99Ms: quantile(told, 0.99),
    failed,
    loopDelayP99Ms,
  };
}

/** The time at which the socket got the credit of the deposit. Rejects after a time limit. */
function processed(socket, depositId) {
  return new Promise((resolve, reject) => {
    const listen = (transaction) => {
      if (transaction.depositId !== depositId || transaction.finalAmount === undefined) return;
      done();
      resolve(performance.now());
    };
    const timer = setTimeout(() => {
      done();
      reject(new Error('No push reported a credited deposit'));
    }, toldWithinMs);
    const done = () => {
      clearTimeout(timer);
      socket.off('deposit.status', listen);
    };
    socket.on('deposit.status', listen);
  });
}
