/** Clients that are slow, many or silent, on purpose or not (SRV-9). */
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { socketPath } from '@opencashier/contract/api';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { afterEach, expect, test } from 'vitest';
import { connectionCounts, limitConnections, requestTimes, tokenWithinMs } from '../http/connection-limits.ts';
import {
  demoUser,
  openSocket,
  type RunningServer,
  type RunningServerOptions,
  startServer,
} from './testing/running-server.ts';

const lines: Line[] = [];
let running: RunningServer | undefined;

afterEach(async () => {
  for (const { socket } of lines.splice(0)) socket.destroy();
  await running?.stop();
  running = undefined;
});

/** The times of production, divided by a hundred. A busy machine can need longer for a whole head, so only tests of these times use them. */
const quick = { connectionTimes: { headMs: 100, requestMs: 300, checkEveryMs: 20, stillMs: 60_000 } };

async function start(options: RunningServerOptions = {}): Promise<RunningServer> {
  running = await startServer(options);
  return running;
}

interface Line {
  readonly socket: Socket;
  readonly heard: string[];
  readonly closed: Promise<void>;
  isClosed: boolean;
}

/** A connection on which the test itself writes the bytes. */
async function open(first = ''): Promise<Line> {
  const socket = connect(Number(new URL(running?.url ?? '').port), '127.0.0.1');
  const heard: string[] = [];
  socket.setEncoding('utf8').on('data', (text: string) => heard.push(text));
  socket.on('error', () => undefined);
  const line: Line = {
    socket,
    heard,
    isClosed: false,
    closed: new Promise<void>((resolve) => socket.once('close', () => resolve())),
  };
  void line.closed.then(() => {
    line.isClosed = true;
  });
  lines.push(line);
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', () => resolve());
  });
  socket.write(first);
  return line;
}

const head = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n`;
const upgrade = (more = ''): string =>
  `GET ${socketPath}/?EIO=4&transport=websocket HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
  `sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${more}\r\n`;
const upgraded = (line: Line) => expect.poll(() => line.heard.join('')).toContain('101 Switching');

test('[SRV-9] a head is waited for 10 seconds and a whole request 30', () => {
  expect(requestTimes).toMatchObject({ headMs: 10_000, requestMs: 30_000 });
  expect(requestTimes.checkEveryMs).toBeLessThanOrEqual(1_000);
  expect(tokenWithinMs).toBe(10_000);
});

test.each([
  ['nothing at all', ''],
  ['half a head', 'POST /api/BANKING/deposit-create HTTP/1.1\r\nhost: x\r\n'],
  ['half an upgrade', `GET ${socketPath}/?EIO=4&transport=websocket HTTP/1.1\r\nconnection: Upgrade\r\n`],
])('[SRV-9] a connection that says %s is closed', async (_what, said) => {
  await start(quick);
  await (await open(said)).closed;
});

test.each([
  ['a call', '/api/BANKING/deposit-create'],
  ['a provider’s callback', '/providers/sandbox/callbacks'],
  ['a request of the operator’s backend', '/operator/v1/user-tokens'],
  ['a report of a browser', '/cashier/rum'],
])('[SRV-9] half a body of %s closes the connection, though it goes on byte by byte', async (_what, path) => {
  await start(quick);
  const line = await open(`${head(path, 1000)}\r\n{`);
  const dribble = setInterval(() => line.socket.write(' '), 20);
  await line.closed;
  clearInterval(dribble);
});

test('[SRV-9] one address has so many connections, and a place is free again when one is closed', async () => {
  await start({ connectionCounts: { connections: 3, unidentified: 3 } });
  const held = [await open(), await open(), await open()];
  await (await open()).closed;
  held[0]?.socket.destroy();
  await expect
    .poll(async () => {
      const line = await open('GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      await line.closed;
      return line.heard.join('');
    })
    .toContain('200 OK');
  expect(held[1]?.isClosed).toBe(false);
});

test('[SRV-9] behind a proxy the requests in progress of one address are counted, not the proxy’s connections', async () => {
  await start({
    connectionCounts: { connections: 2, unidentified: 1 },
    trustedProxies: 1,
  });
  const of = (address: string) => `x-forwarded-for: ${address}\r\n`;
  const slow = () => open(`${head('/providers/sandbox/callbacks', 10)}${of('203.0.113.1')}\r\n`);
  const ask = async (address: string) => {
    const line = await open(`GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${of(address)}\r\n`);
    await line.closed;
    return line.heard.join('');
  };
  const held = [await slow(), await slow()];
  await expect.poll(() => ask('203.0.113.1')).toContain('429');
  expect(await ask('203.0.113.1')).toMatch(/retry-after: 1/i);
  expect(await ask('203.0.113.2')).toContain('200 OK');
  for (const { socket } of held) socket.destroy();
  await expect.poll(() => ask('203.0.113.1')).toContain('200 OK');
});

test('[SRV-9] web sockets of one address that do not say whose they are have few places', async () => {
  await start({ connectionCounts: { connections: 100, unidentified: 2 } });
  const held = [await open(upgrade()), await open(upgrade())];
  for (const line of held) await upgraded(line);
  const third = await open(upgrade());
  await third.closed;
  expect(third.heard.join('')).not.toContain('HTTP/1.1 101');
});

test('[SRV-9] a web socket without a good token is closed after 10 seconds, though it answers every ping', async () => {
  const server = await start();
  const silent = await open(upgrade());
  await upgraded(silent);
  const anonymous = openSocket(server.url);
  const known = openSocket(server.url, { token: (await server.tokens.issue(demoUser)).token });
  try {
    for (const socket of [anonymous, known]) {
      if (!socket.connected) await new Promise<void>((resolve) => socket.once('connect', resolve));
    }
    const gone = new Promise<void>((resolve) => anonymous.once('disconnect', () => resolve()));
    await server.clock.advanceAsync(tokenWithinMs - 1);
    expect(silent.isClosed).toBe(false);
    expect(anonymous.connected).toBe(true);
    await server.clock.advanceAsync(1);
    await Promise.all([silent.closed, gone]);
    await server.clock.advanceAsync(60_000);
    expect(known.connected).toBe(true);
  } finally {
    anonymous.disconnect();
    known.disconnect();
  }
});

test('[SRV-9] places are counted by address and given back once', () => {
  const clock = createTestClock();
  const limits = limitConnections(createServer(), {
    counts: { connections: 2, unidentified: 1 },
    trustedProxies: 1,
    clock,
  });
  const first = limits.take('a');
  expect(limits.take('a')).toBeDefined();
  expect(limits.take('a')).toBeUndefined();
  expect(limits.take('b')).toBeDefined();
  first?.();
  first?.();
  expect(limits.take('a')).toBeDefined();
  expect(limits.take('a')).toBeUndefined();
  expect(connectionCounts.unidentified).toBeLessThan(connectionCounts.connections);
});

test.each([
  ['what is no request', 'nonsense\r\n\r\n', '400 Bad Request'],
  [
    'too long headers',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
  ],
])('[SRV-9] the answer to %s says that the connection ends with it', async (_what, sent, status) => {
  await start();
  const line = await open(sent);
  await line.closed;
  const [head = '', body = ''] = line.heard.join('').split('\r\n\r\n');
  expect(head.split('\r\n')).toEqual(expect.arrayContaining([`HTTP/1.1 ${status}`, 'Connection: close']));
  expect(JSON.parse(body)).toMatchObject({ statusCode: Number.parseInt(status, 10) });
});
