/** What Socket.IO's client does for the transport, against a real server. The calls themselves are tested in `client.test.ts`. */
import { type CallContext, sessionStart } from '@opencashier/contract/api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClientError, type ManagedClient, networkErrorCode } from './client.ts';
import { createClient } from './create-client.ts';
import { createSocketTransport } from './socket-transport.ts';
import { createInstantClock } from './testing/instant-clock.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';

const context: CallContext = {
  partnerKey: 'demo',
  userId: 'user-1',
  xOrigin: 'https://shop.example',
  language: 'en',
  platform: 'web',
  isNative: false,
  pwa: false,
  isMobileApp: false,
};
const session = { amount: '25.00', currency: 'INR' };
let server: TestServer;
const clients: ManagedClient[] = [];

beforeEach(async () => {
  server = await startTestServer();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
});

function makeClient(): ManagedClient {
  const clock = createInstantClock();
  const identity = () => ({ token: 'token', context });
  const transport = createSocketTransport({ server: server.origin, clock, identity, random: () => 0.5 });
  const client = createClient({ transport, clock, onTokenExpired: () => undefined });
  clients.push(client);
  return client;
}

async function failureOf(call: Promise<unknown>): Promise<ClientError> {
  const outcome = await call.catch((error: unknown) => error);
  if (!(outcome instanceof ClientError)) throw new Error(`Expected a failure, got ${JSON.stringify(outcome)}`);
  return outcome;
}

test('[NET-3] a line whose heartbeat stops is dropped, with the call that waits on it', async () => {
  await server.stop();
  server = await startTestServer({ heartbeatMs: 50 });
  server.reply = () => 'silence';
  const client = makeClient();
  const waiting = failureOf(client.call(sessionStart, session));
  await vi.waitFor(() => expect(server.asked).toHaveLength(1));
  server.stopHeartbeat();
  expect(await waiting).toMatchObject({ kind: 'unknown', message: expect.stringContaining('ping timeout') });
});

test('each answer goes to its own call, whatever their order', async () => {
  const waiting: (() => void)[] = [];
  server.reply = ({ request }) => ({
    status: 200,
    data: { paymentSessionId: (request as typeof session).amount },
    after: new Promise((resolve) => waiting.push(resolve)),
  });
  const client = makeClient();
  const [first, second] = ['1.00', '2.00'].map((amount) => client.call(sessionStart, { ...session, amount }));
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  waiting[1]?.();
  expect(await second).toEqual({ paymentSessionId: '2.00' });
  waiting[0]?.();
  expect(await first).toEqual({ paymentSessionId: '1.00' });
});

test.each(['no packet', '2{"an":"object"}', '2["cut', '30{}', '9'])(
  'a frame that cannot be read drops the line and nothing else: %s',
  async (frame) => {
    server.reply = () => 'silence';
    const client = makeClient();
    const waiting = failureOf(client.call(sessionStart, session));
    await vi.waitFor(() => expect(server.asked).toHaveLength(1));
    server.sendFrame(frame);
    expect(await waiting).toMatchObject({ kind: 'unknown', code: networkErrorCode });
    server.reply = () => ({ status: 200, data: { paymentSessionId: 'p' } });
    expect(await client.call(sessionStart, session)).toEqual({ paymentSessionId: 'p' });
  },
);

test('[UI-2] what turns the direction of text is taken out of acknowledgements and pushes', async () => {
  server.reply = () => ({ status: 200, data: { paymentSessionId: 'x\u202e001\u2067y' } });
  const client = makeClient();
  const heard = vi.fn();
  client.onPush('login.token', heard);
  expect(await client.call(sessionStart, session)).toEqual({ paymentSessionId: 'x001y' });
  server.push('login.token', { id: '\u2066user' });
  await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith({ id: 'user' }));
});
