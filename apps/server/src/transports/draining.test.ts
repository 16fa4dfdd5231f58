/** A node that stops: it reports "not ready", ends its calls in hand, and closes whoever is still connected (SRV-9). */
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket as NetSocket } from 'node:net';
import { calls, httpPathOf, socketEventOf, socketPath } from '@opencashier/contract/api';
import type { Socket } from 'socket.io-client';
import { afterEach, expect, test } from 'vitest';
import { stopGraceMs } from '../limits/call-limits.ts';
import { abortAfterMs, endAfterMs } from './close-in-time.ts';
import { goodDeposit } from './testing/good-requests.ts';
import { demoUser, openSocket, type RunningServer, startServer } from './testing/running-server.ts';

let running: RunningServer;
const closers: (() => void)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await running.stop();
});

async function start(): Promise<string> {
  running = await startServer();
  return (await running.tokens.issue(demoUser)).token;
}

/** A connection that its client keeps open. */
function keptAlive(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  closers.push(() => agent.destroy());
  return agent;
}

interface Heard {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: Record<string, unknown>;
}

function ask(path: string, agent: Agent, create?: { readonly token: string }): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const body = create && JSON.stringify(goodDeposit);
    const request = httpRequest(`${running.url}${path}`, {
      agent,
      ...(create && {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${create.token}` },
      }),
    });
    request.on('error', reject);
    request.on('response', async (response: IncomingMessage) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      const { connection, 'retry-after': retryAfter } = response.headers;
      resolve({ status: response.statusCode, connection, retryAfter, body: JSON.parse(text) });
    });
    request.end(body);
  });
}

/** A create that the provider never answers. */
function hang(): Promise<void> {
  return new Promise((resolve) => {
    running.payments.onCreate = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
}

async function connected(token: string): Promise<Socket> {
  const socket = openSocket(running.url, { token });
  closers.push(() => socket.disconnect());
  if (!socket.connected) await new Promise<void>((resolve) => socket.once('connect', resolve));
  return socket;
}

const createPath = httpPathOf(calls['deposit-create']);

test('[SRV-9] a draining node first reports that it is not ready, and still answers everything, on connections that it then closes', async () => {
  const token = await start();
  const agent = keptAlive();
  expect(await ask('/ready', agent)).toMatchObject({ status: 200, connection: 'keep-alive' });
  running.draining.begin();
  expect(await ask('/ready', agent)).toMatchObject({ status: 503, body: { status: 'draining' }, connection: 'close' });
  expect(await ask(createPath, agent, { token })).toMatchObject({ status: 200, connection: 'close' });
  expect((await connected(token)).connected).toBe(true);
});

test('[SRV-9] a request in hand is answered before the server closes, and its connection is not kept', async () => {
  const token = await start();
  const agent = keptAlive();
  await ask('/health', agent);
  let finish = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    running.payments.onCreate = ({ request: { depositId } }) => {
      resolve();
      return new Promise((answer) => {
        finish = () => answer({ apiResponse: { depositId, source: 'https://pay.example/1', method: 'GET' } });
      });
    };
  });
  const answer = ask(createPath, agent, { token });
  await begun;
  running.draining.begin();
  const closed = running.closeInTime();
  finish();
  expect(await answer).toMatchObject({ status: 200, connection: 'close' });
  await closed;
  expect(running.clock.pending()).toBeLessThanOrEqual(1);
});

test.each(['http', 'socket'] as const)(
  '[SRV-9] [SRV-3] a create that a provider does not answer is told that it is being checked, over %s',
  async (transport) => {
    const token = await start();
    const socket = await connected(token);
    const begun = hang();
    const answer =
      transport === 'http'
        ? ask(createPath, keptAlive(), { token }).then(({ body, ...rest }) => ({ ...rest, ...body }))
        : socket.emitWithAck(socketEventOf(calls['deposit-create']), goodDeposit);
    await begun;
    running.draining.begin();
    const closed = running.closeInTime();
    await running.clock.advanceAsync(abortAfterMs);
    await running.clock.advanceAsync(stopGraceMs);
    expect(await answer).toMatchObject({
      status: 503,
      error: { code: 'unknown-outcome' },
      ...(transport === 'http' && { retryAfter: '5' }),
    });
    await running.clock.advanceAsync(endAfterMs);
    await closed;
  },
);

test('[SRV-9] sockets lose their line, which makes clients connect again, and one that says no goodbye is cut', async () => {
  const token = await start();
  const socket = await connected(token);
  const reason = new Promise<string>((resolve) => socket.once('disconnect', resolve));
  const deaf: NetSocket = connect(Number(new URL(running.url).port), '127.0.0.1');
  closers.push(() => deaf.destroy());
  const isCut = new Promise<void>((resolve) => deaf.once('close', () => resolve()));
  deaf.write(
    `GET ${socketPath}/?EIO=4&transport=websocket HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
      'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  await new Promise<void>((resolve) => deaf.once('data', () => resolve()));
  running.draining.begin();
  const closed = running.closeInTime();
  expect(await reason).toBe('transport close');
  await running.clock.advanceAsync(endAfterMs);
  await Promise.all([isCut, closed]);
});

test('[SRV-9] a client that holds its connection and says nothing keeps no node from ending', async () => {
  await start();
  const silent = connect(Number(new URL(running.url).port), '127.0.0.1');
  closers.push(() => silent.destroy());
  await new Promise<void>((resolve) => silent.once('connect', () => resolve()));
  silent.write('POST /api/BANKING/deposit-create HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{');
  await expect.poll(() => ask('/health', keptAlive())).toMatchObject({ status: 200 });
  running.draining.begin();
  const closed = running.closeInTime();
  await running.clock.advanceAsync(endAfterMs);
  await closed;
});
