/**
 * Many idle sockets in a process of their own. Each speaks just enough of the protocol of Socket.IO, over `ws`: 10,000 of the real
 * client would need more of the processor than the server. A socket that is lost comes back as the widget does when each of its
 * users has a call to make at that moment, which is the worst case.
 *
 * The parent sends `{ url, tokens }` once. This process sends `{ open, opens, refused, busy }` when all are open.
 */
import { performance } from 'node:perf_hooks';
import WebSocket from 'ws';

/** How many connect at once at first. After a loss all come at once. */
const width = 100;
/** The pauses of the widget: three attempts, then the pause before its call is repeated. */
const attempts = 3;
const repeatAfterMs = 2000;
const backoffMs = (failed) => Math.min(10_000, 1000 * 2 ** failed * (1 + Math.random()));
/** An attempt that takes longer is given up, as in the widget. */
const giveUpMs = 20_000;
/** Source addresses, so that ports do not run out. */
const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4'];

let wanted = 0;
let open = 0;
let refused = 0;
let opens = [];
let idle = performance.eventLoopUtilization();

process.once('message', async ({ url, tokens }) => {
  wanted = tokens.length;
  const target = `${url.replace('http', 'ws')}/v4/socket.io/?EIO=4&transport=websocket&cashier_type=widget`;
  let next = 0;
  const openSome = async () => {
    for (let index = next++; index < tokens.length; index = next++) await keepOpen(target, tokens[index], index);
  };
  await Promise.all(Array.from({ length: width }, openSome));
});
process.once('disconnect', () => process.exit(0));

/** Resolves when the socket is open for the first time, and opens it again after each loss. */
function keepOpen(target, token, index) {
  return new Promise((resolve) => {
    let failed = 0;
    const attempt = () => {
      const startedAt = performance.now();
      connectOnce(target, token, addresses[index % addresses.length], {
        opened() {
          failed = 0;
          opens.push(performance.now() - startedAt);
          noteOpen();
          resolve(undefined);
        },
        lost(wasOpen) {
          if (wasOpen) {
            open -= 1;
            setImmediate(attempt);
            return;
          }
          refused += 1;
          failed += 1;
          setTimeout(attempt, failed % attempts === 0 ? repeatAfterMs : backoffMs((failed - 1) % attempts));
        },
      });
    };
    attempt();
  });
}

function connectOnce(target, token, localAddress, { opened, lost }) {
  const socket = new WebSocket(target, {
    localAddress,
    perMessageDeflate: false,
    handshakeTimeout: giveUpMs,
    skipUTF8Validation: true,
  });
  let isOpen = false;
  socket.on('message', (data) => {
    const text = data.toString();
    if (text.startsWith('0')) socket.send(`40${JSON.stringify({ token })}`);
    else if (text === '2') socket.send('3');
    else if (text.startsWith('40')) {
      isOpen = true;
      opened();
    } else if (text.startsWith('44')) socket.terminate();
  });
  socket.on('error', () => undefined);
  socket.once('close', () => lost(isOpen));
}

function noteOpen() {
  open += 1;
  if (open < wanted) return;
  opens.sort((a, b) => a - b);
  process.send?.({ open, opens, refused, busy: performance.eventLoopUtilization(idle).utilization });
  opens = [];
  refused = 0;
  idle = performance.eventLoopUtilization();
}
