import { once } from 'node:events';
import { type Acknowledgement, calls, socketEventOf, socketPath, transactionSchema } from '@opencashier/contract/api';
import { errorPage } from '@opencashier/contract/documentation';
import { io, type Socket } from 'socket.io-client';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRateLimiter } from '../limits/rate-limiter.ts';
import { demoUser, openSocket, type RunningServer, startServer } from '../transports/testing/running-server.ts';

let running: RunningServer;
const sockets: Socket[] = [];

beforeEach(async () => {
  running = await startServer();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect();
  await running.stop();
});

const tokenOf = async (userId = 'u-1') => (await running.tokens.issue({ ...demoUser, userId })).token;

function open(...args: Parameters<typeof openSocket> extends [string, ...infer Rest] ? Rest : never): Socket {
  const socket = openSocket(running.url, ...args);
  sockets.push(socket);
  return socket;
}

const connected = async (socket: Socket): Promise<Socket> => {
  if (!socket.connected) await new Promise<void>((resolve) => socket.once('connect', resolve));
  return socket;
};
const refusal = (socket: Socket): Promise<Error & { data?: Acknowledgement; context?: { status?: number } }> =>
  new Promise((resolve) => socket.once('connect_error', resolve as (error: Error) => void));

const check = socketEventOf(calls['deposit-check']);
const checkRequest = { paymentMethod: 'card' };

describe('the socket', () => {
  test('[NET-3] lies under its path and speaks web socket only', async () => {
    expect(socketPath).toBe('/v4/socket.io');
    expect(check).toBe('BANKING:deposit-check');
    await connected(open());
    const polling = io(running.url, { path: socketPath, transports: ['polling'], reconnection: false, forceNew: true });
    sockets.push(polling);
    await refusal(polling);
    expect(polling.connected).toBe(false);
  });

  test('[NET-3] acknowledges with status and data, or status and error', async () => {
    const socket = open({ token: await tokenOf() });
    expect(await socket.emitWithAck(check, checkRequest)).toEqual({
      status: 200,
      data: { exists: false },
      serverTime: running.clock.now(),
    });
    const failed = (await socket.emitWithAck(check, {})) as Acknowledgement;
    expect(failed).toMatchObject({
      status: 400,
      error: { code: 'invalid-request', docs: errorPage('invalid-request') },
    });
    expect(failed).not.toHaveProperty('data');
  });

  test('[SRV-1] opens for its own page and the registered origins only, and for programs that have none', async () => {
    const host = new URL(running.url).host;
    for (const origin of [`http://${host}`, 'https://cashier.example', 'https://play.example']) {
      await connected(open({ context: { partnerKey: 'demo' } }, { origin }));
    }
    await connected(open());
    for (const [origin, partnerKey] of [
      ['https://evil.example', 'demo'],
      ['https://play.example', ''],
      ['https://play.example', 'nobody'],
      ['null', 'demo'],
    ]) {
      const socket = open({ context: { partnerKey: partnerKey ?? '' } }, { origin: origin ?? '' });
      await refusal(socket);
      expect(socket.connected).toBe(false);
    }
  });

  test('[NET-4] a push reaches every socket of its user and no other', async () => {
    const [one, two, other, nobody] = [
      open({ token: await tokenOf() }),
      open({ token: await tokenOf() }),
      open({ token: await tokenOf('u-2') }),
      open(),
    ] as const;
    const heard: string[] = [];
    for (const [name, socket] of Object.entries({ one, two, other, nobody })) {
      await connected(socket);
      socket.on('deposit.status', (body) => {
        expect(v.is(transactionSchema, body)).toBe(true);
        heard.push(name);
      });
    }
    const body: v.InferOutput<typeof transactionSchema> = {
      depositId: '0b3f8f0e-1f7c-4a52-9c1e-3f1d2b7a9c10',
      paymentMethod: 'card',
      status: 1,
      amount: '25.00',
      finalAmount: '25.00',
      currency: 'USD',
      created: '2026-01-01T00:00:00.000Z',
      serverTime: '2026-01-01T00:00:01.000Z',
    };
    running.socket.push('demo', 'u-1', 'deposit.status', body);
    // Answers arrive in the order of sending, so every earlier push has arrived, too.
    for (const socket of [one, two, other, nobody]) await socket.emitWithAck(check, checkRequest);
    expect(heard.sort()).toEqual(['one', 'two']);
  });

  test('[NET-4] no push reaches a socket whose token has ended', async () => {
    const socket = await connected(open({ token: await tokenOf() }));
    let heard = 0;
    socket.on('login.token', () => {
      heard += 1;
    });
    await running.clock.advanceAsync(15 * 60_000);
    running.socket.push('demo', 'u-1', 'login.token', { lang: 'en' });
    await socket.emitWithAck(check, checkRequest);
    expect(heard).toBe(0);
  });

  test('[SRV-9] one socket sends at most 100 messages in 10 seconds', async () => {
    let time = 0;
    await running.stop();
    running = await startServer({ limiter: createRateLimiter({ now: () => time }) });
    const socket = await connected(open());
    const answers = (await Promise.all(
      Array.from({ length: 120 }, () => socket.emitWithAck('no:such-call', {})),
    )) as Acknowledgement[];
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(100);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    time += 10_000;
    expect(await socket.emitWithAck('no:such-call', {})).toMatchObject({ status: 404 });
  });

  test('[SRV-9] one user opens at most 30 sockets a minute, and others are not held up by it', async () => {
    let time = 0;
    await running.stop();
    running = await startServer({ limiter: createRateLimiter({ now: () => time }) });
    const token = await tokenOf();
    for (let opened = 0; opened < 30; opened += 1) (await connected(open({ token }))).disconnect();
    expect((await refusal(open({ token }))).data).toMatchObject({
      status: 429,
      error: { code: 'rate-limited', retryAfterSeconds: 60 },
    });
    await connected(open({ token: await tokenOf('u-2') }));
    time += 60_000;
    await connected(open({ token }));
  });

  test('[SRV-9] sockets that come at once are all opened, and each answers its user', async () => {
    const token = await tokenOf();
    const many = Array.from({ length: 60 }, (_, index) =>
      open({ token, context: index % 2 ? { partnerKey: 'demo' } : {} }),
    );
    await Promise.all(many.map(connected));
    const answers = await Promise.all(many.map((socket) => socket.emitWithAck(check, checkRequest)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });

  test('refuses a handshake that does not have the documented shape', async () => {
    const socket = open({ context: { platform: 'x'.repeat(300) } });
    expect((await refusal(socket)).data).toMatchObject({ status: 400, error: { code: 'invalid-request' } });
  });

  test('closes the socket that sends a frame over the limit, and goes on serving the others', async () => {
    const [loud, calm] = [await connected(open()), await connected(open())];
    loud.emit(check, { note: 'x'.repeat(400_000) });
    await once(loud as unknown as NodeJS.EventEmitter, 'disconnect');
    expect(await calm.emitWithAck('no:such-call', {})).toMatchObject({ status: 404 });
  });

  test('bears binary, deep and strange arguments', async () => {
    const socket = await connected(open({ token: await tokenOf() }));
    let deep: unknown = 'end';
    for (let depth = 0; depth < 100; depth += 1) deep = [deep];
    for (const request of [new Uint8Array(10), { paymentMethod: new Uint8Array(10) }, deep]) {
      expect(await socket.emitWithAck(check, request)).toMatchObject({ status: 413 });
    }
    expect(await socket.emitWithAck(check, checkRequest, 'more', 7)).toMatchObject({ status: 200 });
    socket.emit(check);
    expect(await socket.emitWithAck(check, checkRequest)).toMatchObject({ status: 200 });
  });

  test('[SRV-9] a stop lets the call in hand be answered first, then closes the sockets', async () => {
    const own = await startServer();
    const { token } = await own.tokens.issue(demoUser);
    const socket = await connected(openSocket(own.url, { token }));
    let finish: (() => void) | undefined;
    const begun = new Promise<void>((resolve) => {
      own.payments.onCreate = async ({ request }) => {
        resolve();
        await new Promise<void>((done) => {
          finish = done;
        });
        return { apiResponse: { depositId: request.depositId } };
      };
    });
    const closed = once(socket as unknown as NodeJS.EventEmitter, 'disconnect');
    const created = socket.emitWithAck(socketEventOf(calls['deposit-create']), {
      amount: '25.00',
      currency: 'USD',
      depositId: '0b3f8f0e-1f7c-4a52-9c1e-3f1d2b7a9c10',
      paymentType: 'card',
    });
    await begun;
    const stopped = own.stop();
    finish?.();
    expect(await created).toMatchObject({ status: 200 });
    await closed;
    await stopped;
  });
});
