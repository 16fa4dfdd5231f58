import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer, type Server as NetServer, type Socket } from 'node:net';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import { afterEach, expect, test } from 'vitest';
import { ANSWER_TIMEOUT_MS, CONNECT_TIMEOUT_MS, postOnce, postQuestion } from './post-once.ts';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function portOf(server: Server | NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function receiver(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${await portOf(server)}/hooks`;
}

/** A server that accepts connections and sends nothing, so that no TLS handshake ends. */
async function silence(): Promise<{ readonly url: string; readonly connected: Promise<void> }> {
  const sockets: Socket[] = [];
  let isConnected = (): void => undefined;
  const connected = new Promise<void>((resolve) => {
    isConnected = resolve;
  });
  const server = createNetServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    isConnected();
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `https://127.0.0.1:${await portOf(server)}/`, connected };
}

const post = (url: string, clock: TestClock, signal = new AbortController().signal) =>
  postOnce({ url, headers: { 'content-type': 'application/json' }, body: '{}', allowInside: true, signal }, clock);

test('[SRV-5] the result is the status of the answer; a redirect is not followed', async () => {
  const paths: (string | undefined)[] = [];
  const url = await receiver((request, response) => {
    paths.push(request.url);
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const clock = createTestClock();
  expect(await post(url, clock)).toBe(307);
  expect(paths).toEqual(['/hooks']);
});

test('[SRV-5] a receiver that does not finish the handshake is aborted after 5 seconds', async () => {
  const clock = createTestClock();
  const { url, connected } = await silence();
  const result = post(url, clock).catch((error: unknown) => error);
  await connected;
  clock.advance(CONNECT_TIMEOUT_MS - 1);
  const first = await Promise.race([result, new Promise((resolve) => setImmediate(() => resolve('waits')))]);
  expect(first).toBe('waits');
  clock.advance(1);
  expect(await result).toMatchObject({ reason: 'connect-timeout' });
  expect(clock.pending()).toBe(0);
});

test('[SRV-5] a receiver that does not answer is aborted after 15 seconds', async () => {
  const clock = createTestClock();
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const url = await receiver(() => isAsked());
  const result = post(url, clock).catch((error: unknown) => error);
  await asked;
  clock.advance(ANSWER_TIMEOUT_MS);
  expect(await result).toMatchObject({ reason: 'timeout' });
  expect(clock.pending()).toBe(0);
});

test('[SRV-5] an answer whose body never ends counts at once, and its connection is closed', async () => {
  const clock = createTestClock();
  let isClosed = false;
  const url = await receiver((_request, response) => {
    response.writeHead(200).write('thanks');
    response.on('close', () => {
      isClosed = true;
    });
  });
  expect(await post(url, clock)).toBe(200);
  await clock.advanceAsync(1_000);
  await expect.poll(() => isClosed).toBe(true);
});

test('[SRV-5] an aborted request ends at once', async () => {
  const clock = createTestClock();
  const abort = new AbortController();
  const url = await receiver(() => abort.abort());
  await expect(post(url, clock, abort.signal)).rejects.toMatchObject({ reason: 'aborted' });
  await expect(post(url, clock, abort.signal)).rejects.toMatchObject({ reason: 'aborted' });
  expect(clock.pending()).toBe(0);
});

test('[SRV-5] without a receiver the reason is the code of the network error', async () => {
  const clock = createTestClock();
  await expect(post('http://127.0.0.1:1/', clock)).rejects.toMatchObject({ reason: 'ECONNREFUSED' });
  expect(clock.pending()).toBe(0);
});

test('[SRV-5] outside the sandbox a name that resolves to a private address is refused before anything is sent', async () => {
  const clock = createTestClock();
  let asked = 0;
  const url = (
    await receiver((_request, response) => {
      asked += 1;
      response.end();
    })
  ).replace('127.0.0.1', 'localhost');
  const { signal } = new AbortController();
  const send = (allowInside: boolean) => postOnce({ url, headers: {}, body: '{}', allowInside, signal }, clock);
  // The sandbox keeps its connection open. A request that may not use private addresses must not reuse it.
  expect(await send(true)).toBe(200);
  await expect(send(false)).rejects.toMatchObject({ reason: 'private-address' });
  expect(asked).toBe(1);
  expect(clock.pending()).toBe(0);
});

test('[SRV-2] a question that is not answered in its time ends, and an answer that breaks off or is too long has no body', async () => {
  const clock = createTestClock();
  const signal = new AbortController().signal;
  const ask = (url: string) =>
    postQuestion(
      { url, headers: { 'content-type': 'application/json' }, body: '{}', allowInside: true, signal },
      clock,
      { withinMs: 1000 },
    );
  let begun = (): void => undefined;
  const silent = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const never = ask(await receiver(() => begun()));
  await silent;
  clock.advance(1000);
  await expect(never).rejects.toThrow('timeout');

  const broken = await receiver((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"result":', () => response.destroy());
  });
  await expect(ask(broken)).resolves.toEqual({ status: 200, body: undefined });
  const long = await receiver((_request, response) => response.end('x'.repeat(20_000)));
  await expect(ask(long)).resolves.toEqual({ status: 200, body: undefined });
  expect(await ask(await receiver((_request, response) => response.end('{}')))).toEqual({ status: 200, body: '{}' });
});
