import {
  type CallContext,
  depositCreate,
  depositStatus,
  methodsPaymentV5,
  type RequestOf,
  sessionStart,
} from '@opencashier/contract/api';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError, type ManagedClient, networkErrorCode } from './client.ts';
import { createClient } from './create-client.ts';
import { createHttpTransport } from './http-transport.ts';
import { createSocketTransport } from './socket-transport.ts';
import { createInstantClock, type InstantClock } from './testing/instant-clock.ts';
import { startTestServer, type TestServer } from './testing/test-server.ts';
import { renewalTimeoutMs } from './token-renewal.ts';
import { answerTimeoutMs } from './transport.ts';

const context: CallContext = {
  partnerKey: 'demo',
  userId: 'user-1',
  xOrigin: 'https://shop.example',
  language: 'ar',
  platform: 'ios',
  isNative: true,
  pwa: true,
  isMobileApp: true,
};
const depositId = '3f0c7a52-3f0b-4d1e-9a67-0f6d3a1f9b11';
const create = { amount: '25.00', currency: 'INR', depositId, paymentType: 'card_visa' } as RequestOf<
  typeof depositCreate
>;
const session = { amount: '25.00', currency: 'INR' };
const catalogue = { country: 'IN', currency: 'INR' };

let server: TestServer;
let clock: InstantClock;
let token = 'first';
const onTokenExpired = vi.fn();
const onFailure = vi.fn();
const clients: ManagedClient[] = [];

beforeEach(async () => {
  server = await startTestServer();
  clock = createInstantClock();
  token = 'first';
  onTokenExpired.mockReset();
  onFailure.mockReset();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.stop();
});

function makeClient(name: 'http' | 'socket'): ManagedClient {
  const identity = () => ({ token, context });
  const options = { server: server.origin, clock, identity };
  const transport =
    name === 'http' ? createHttpTransport(options) : createSocketTransport({ ...options, random: () => 0.25 });
  const client = createClient({ transport, clock, onTokenExpired, onFailure });
  clients.push(client);
  return client;
}

async function failureOf(call: Promise<unknown>): Promise<ClientError> {
  const outcome = await call.catch((error: unknown) => error);
  if (!(outcome instanceof ClientError)) throw new Error(`Expected a failure, got ${JSON.stringify(outcome)}`);
  return outcome;
}

describe.each(['http', 'socket'] as const)('the client over %s', (name) => {
  test('reads an answer by the schema of the call', async () => {
    server.reply = () => ({ status: 200, data: { paymentSessionId: 'ps-1', somethingNew: true } });
    expect(await makeClient(name).call(sessionStart, session)).toEqual({ paymentSessionId: 'ps-1' });
    expect(server.asked[0]).toMatchObject({ call: 'BANKING:session-start', request: session });
  });

  test('[HOST-16] says on every call who calls, from where', async () => {
    server.reply = () => ({ status: 200, data: { paymentSessionId: 'ps-1' } });
    const client = makeClient(name);
    await client.call(sessionStart, session);
    await client.call(sessionStart, session);
    for (const { token: sent, context: said } of server.asked) {
      expect(sent).toBe('first');
      expect(said).toMatchObject({ partnerKey: 'demo', userId: 'user-1', platform: 'ios' });
      expect(String(said['pwa'])).toBe('true');
      expect(String(said['isMobileApp'])).toBe('true');
      expect(String(said['isNative'])).toBe('true');
      expect(said['xOrigin'] ?? said['xorigin']).toBe('https://shop.example');
    }
    expect(server.asked).toHaveLength(2);
  });

  test('sends the request of a GET', async () => {
    server.reply = () => ({ status: 404, error: { code: 'not-found', message: 'No such deposit.' } });
    await failureOf(makeClient(name).call(depositStatus, { depositId }));
    expect(server.asked[0]).toMatchObject({ call: 'BANKING:deposit-status', request: { depositId } });
  });

  test('[ERR-1] a refusal carries code, message, fields, params and reference', async () => {
    server.reply = () => ({
      status: 422,
      error: {
        code: 'limit-min',
        message: 'Too little.',
        fields: [{ path: 'amount', message: 'small' }],
        params: { min: '500.00' },
        reference: 'r-1',
      },
    });
    const failure = await failureOf(makeClient(name).call(depositCreate, create));
    expect(failure).toMatchObject({
      kind: 'refused',
      code: 'limit-min',
      status: 422,
      message: 'Too little.',
      fields: [{ path: 'amount', message: 'small' }],
      params: { min: '500.00' },
      reference: 'r-1',
    });
    expect(onFailure).toHaveBeenCalledExactlyOnceWith('deposit-create', failure);
    expect(server.asked).toHaveLength(1);
  });

  test('an answer of another shape is unknown, not success', async () => {
    server.reply = () => ({ status: 200, data: { paymentSessionId: 7 } });
    expect(await failureOf(makeClient(name).call(sessionStart, session))).toMatchObject({
      kind: 'unknown',
      code: 'invalid-response',
    });
  });

  test('[NET-5] a call with retry is repeated three times, two seconds apart, then fails as a network error', async () => {
    server.reply = () => 'drop';
    const failure = await failureOf(makeClient(name).call(methodsPaymentV5, catalogue));
    expect(failure).toMatchObject({ kind: 'network', code: networkErrorCode });
    expect(server.asked).toHaveLength(4);
    expect(clock.waited).toEqual([2000, 2000, 2000]);
  });

  test('[NET-5] the first answer ends the retries', async () => {
    server.reply = () =>
      server.asked.length < 3 ? 'drop' : { status: 200, data: { ...catalogue, groups: [], methods: [] } };
    expect(await makeClient(name).call(methodsPaymentV5, catalogue)).toMatchObject({ methods: [] });
    expect(server.asked).toHaveLength(3);
  });

  test('[NET-5] a call without retry is made once, and a refusal is never repeated', async () => {
    server.reply = () => 'drop';
    const client = makeClient(name);
    await failureOf(client.call(sessionStart, session));
    expect(server.asked).toHaveLength(1);
    server.reply = () => ({ status: 422, error: { code: 'method-unavailable', message: '' } });
    await failureOf(client.call(methodsPaymentV5, catalogue));
    expect(server.asked).toHaveLength(2);
    expect(clock.waited).toEqual([]);
  });

  test('a create that was sent and never answered is unknown', async () => {
    server.reply = () => 'drop';
    expect(await failureOf(makeClient(name).call(depositCreate, create))).toMatchObject({ kind: 'unknown', status: 0 });
  });

  test('a create that went unanswered stays unknown when the repeat meets a server that is away', async () => {
    server.reply = () =>
      server.asked.length === 1
        ? 'drop'
        : { status: 503, error: { code: 'temporarily-unavailable', message: 'The database is away.' } };
    expect(await failureOf(makeClient(name).call(depositCreate, create))).toMatchObject({
      kind: 'unknown',
      status: 503,
    });
  });

  test.each([
    ['unknown-outcome', 503, 'unknown'],
    ['in-flight', 409, 'unknown'],
    ['internal', 500, 'unknown'],
    ['provider-error', 502, 'refused'],
    ['temporarily-unavailable', 503, 'refused'],
    ['banking.merchantClientError', 422, 'refused'],
  ])('a create answered with %s (%i) is %s', async (code, status, kind) => {
    server.reply = () => ({ status, error: { code, message: 'why' } });
    expect(await failureOf(makeClient(name).call(depositCreate, create))).toMatchObject({ kind, code });
  });

  test('no answer within twenty seconds is a lost call', async () => {
    server.reply = () => 'silence';
    const call = failureOf(makeClient(name).call(sessionStart, session));
    await vi.waitFor(() => expect(server.asked).toHaveLength(1));
    clock.expire(answerTimeoutMs);
    expect(await call).toMatchObject({ kind: 'unknown', code: networkErrorCode });
  });

  test('[HOST-11] calls refused for their token ask the host once and are repeated once with the fresh one', async () => {
    server.reply = ({ token: sent }) =>
      sent === 'fresh'
        ? { status: 200, data: { paymentSessionId: 'ps-2' } }
        : { status: 401, error: { code: 'token-expired', message: 'Expired.' } };
    const client = makeClient(name);
    const both = [client.call(sessionStart, session), client.call(sessionStart, session)];
    await vi.waitFor(() => expect(server.asked).toHaveLength(2));
    await vi.waitFor(() => expect(onTokenExpired).toHaveBeenCalledOnce());
    await new Promise((done) => setTimeout(done, 20));
    token = 'fresh';
    client.tokenRenewed();
    expect(await Promise.all(both)).toEqual([{ paymentSessionId: 'ps-2' }, { paymentSessionId: 'ps-2' }]);
    expect(onTokenExpired).toHaveBeenCalledOnce();
    expect(server.asked.map(({ token: sent }) => sent)).toEqual(['first', 'first', 'fresh', 'fresh']);
  });

  test('[HOST-11] a fresh token that is refused as well fails the call', async () => {
    server.reply = () => ({ status: 401, error: { code: 'unauthorized', message: 'No.' } });
    const client = makeClient(name);
    const call = failureOf(client.call(sessionStart, session));
    await vi.waitFor(() => expect(onTokenExpired).toHaveBeenCalledOnce());
    client.tokenRenewed();
    expect(await call).toMatchObject({ kind: 'refused', code: 'unauthorized', status: 401 });
    expect(server.asked).toHaveLength(2);
  });

  test('[HOST-11] a host that gives no fresh token leaves the call refused', async () => {
    server.reply = () => ({ status: 401, error: { code: 'token-expired', message: 'Expired.' } });
    const call = failureOf(makeClient(name).call(sessionStart, session));
    await vi.waitFor(() => expect(onTokenExpired).toHaveBeenCalledOnce());
    clock.expire(renewalTimeoutMs);
    expect(await call).toMatchObject({ kind: 'refused', code: 'token-expired' });
  });

  test('an aborted call rejects with the reason and is no failure', async () => {
    server.reply = () => 'silence';
    const { signal, abort } = abortable();
    const call = makeClient(name).call(sessionStart, session, { signal });
    await vi.waitFor(() => expect(server.asked).toHaveLength(1));
    abort('left the screen');
    await expect(call).rejects.toBe('left the screen');
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('the offset of the clock of the server is heard from its answers', async () => {
    server.reply = () => ({ status: 200, data: { paymentSessionId: 'p' }, serverTime: clock.now() + 90_000 });
    const client = makeClient(name);
    expect(client.serverOffsetMs()).toBe(0);
    await client.call(sessionStart, session);
    expect(client.serverOffsetMs()).toBe(90_000);
  });
});

describe('over http', () => {
  test.each([300, 404, 500, 601])('[ERR-1] status %i is a failure', async (status) => {
    server.reply = () => ({ status, data: { paymentSessionId: 'p' } });
    await failureOf(makeClient('http').call(sessionStart, session));
  });

  test('[ERR-1] a page instead of an answer is a failure', async () => {
    server.reply = () => ({ status: 502, text: '<h1>Bad gateway</h1>' });
    expect(await failureOf(makeClient('http').call(sessionStart, session))).toMatchObject({
      code: 'invalid-response',
      status: 502,
    });
  });
});

describe('over the socket', () => {
  test.each([0, 42, 99, 200, 299, 601])('[ERR-1] status %i is a success', async (status) => {
    server.reply = () => ({ status, data: { paymentSessionId: 'p' } });
    expect(await makeClient('socket').call(sessionStart, session)).toEqual({ paymentSessionId: 'p' });
  });

  test.each([100, 199, 300, 600])('[ERR-1] status %i is a failure', async (status) => {
    server.reply = () => ({ status, data: { paymentSessionId: 'p' } });
    expect(await failureOf(makeClient('socket').call(sessionStart, session))).toMatchObject({ status });
  });

  test('[ERR-1] an acknowledgement without a status is a failure', async () => {
    server.reply = () => ({ status: 200, text: 'fine' });
    expect(await failureOf(makeClient('socket').call(sessionStart, session))).toMatchObject({ kind: 'unknown' });
  });

  test('[NET-3] connects with the first call, under the path and query of the contract, the token outside the address', async () => {
    server.reply = () => ({ status: 200, data: { paymentSessionId: 'p' } });
    const client = makeClient('socket');
    await new Promise((done) => setTimeout(done, 30));
    expect(server.handshakes).toHaveLength(0);
    await Promise.all([client.call(sessionStart, session), client.call(sessionStart, session)]);
    expect(server.handshakes).toHaveLength(1);
    const [handshake] = server.handshakes;
    const address = new URL(handshake?.url ?? '', server.origin);
    expect(address.pathname).toBe('/v4/socket.io/');
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      transport: 'websocket',
      xorigin: 'https://shop.example',
      Language: 'ar',
      isNative: 'true',
      platform: 'ios',
      pwa: 'true',
      isMobileApp: 'true',
      cashier_type: 'widget',
    });
    expect(handshake?.url).not.toContain('first');
    expect(handshake?.auth).toEqual({ token: 'first' });
  });

  test('[NET-3] never reconnects by itself; the next call connects again', async () => {
    server.reply = () => ({ status: 200, data: { paymentSessionId: 'p' } });
    const client = makeClient('socket');
    await client.call(sessionStart, session);
    server.dropSockets();
    await new Promise((done) => setTimeout(done, 60));
    expect(server.handshakes).toHaveLength(1);
    await client.call(sessionStart, session);
    expect(server.handshakes).toHaveLength(2);
  });

  test('[NET-3] tries three times to connect, with growing pauses, and knows that nothing was sent', async () => {
    const client = makeClient('socket');
    await server.stop();
    expect(await failureOf(client.call(depositCreate, create))).toMatchObject({
      kind: 'network',
      code: networkErrorCode,
    });
    const connecting = [1250, 2500];
    expect(clock.waited).toEqual([...connecting, 2000, ...connecting, 2000, ...connecting, 2000, ...connecting]);
  });

  test('[HOST-11] a handshake refused for its token asks the host and connects again', async () => {
    server.refuseHandshake = {
      message: 'token-expired',
      data: { status: 401, error: { code: 'token-expired', message: '' } },
    };
    server.reply = () => ({ status: 200, data: { paymentSessionId: 'p' } });
    const client = makeClient('socket');
    const call = client.call(sessionStart, session);
    await vi.waitFor(() => expect(onTokenExpired).toHaveBeenCalledOnce());
    expect(server.handshakes).toHaveLength(1);
    server.refuseHandshake = undefined;
    token = 'fresh';
    client.tokenRenewed();
    expect(await call).toEqual({ paymentSessionId: 'p' });
    expect(server.handshakes.at(-1)?.auth).toEqual({ token: 'fresh' });
  });

  test('a fresh token does not cut off a call that is under way', async () => {
    server.reply = ({ call }) =>
      call === 'BANKING:session-start' ? 'silence' : { status: 200, data: { ...catalogue, groups: [], methods: [] } };
    const client = makeClient('socket');
    let ended = false;
    const underWay = failureOf(client.call(sessionStart, session)).finally(() => {
      ended = true;
    });
    await vi.waitFor(() => expect(server.asked).toHaveLength(1));
    token = 'fresh';
    client.tokenRenewed();
    await client.call(methodsPaymentV5, catalogue);
    expect(server.handshakes.map(({ auth }) => auth)).toEqual([{ token: 'first' }, { token: 'fresh' }]);
    expect(ended).toBe(false);
    server.dropSockets();
    expect(await underWay).toMatchObject({ kind: 'unknown' });
  });

  test('[NET-3] a line that swallows an answer is left: the next call connects anew', async () => {
    server.reply = () => 'silence';
    const client = makeClient('socket');
    const swallowed = failureOf(client.call(sessionStart, session));
    await vi.waitFor(() => expect(server.asked).toHaveLength(1));
    clock.expire(answerTimeoutMs);
    expect(await swallowed).toMatchObject({ kind: 'unknown' });
    server.reply = () => ({ status: 200, data: { paymentSessionId: 'p' } });
    await client.call(sessionStart, session);
    expect(server.handshakes).toHaveLength(2);
  });

  test('hears pushes that can be read and passes over the others', async () => {
    server.reply = () => ({ status: 200, data: { paymentSessionId: 'p' } });
    const client = makeClient('socket');
    const heard = vi.fn();
    const stop = client.onPush('login.token', heard);
    await client.call(sessionStart, session);
    server.push('login.token', { currency: 7 });
    server.push('login.token', { currency: 'INR', hash: 'x' });
    await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith({ currency: 'INR' }));
    stop();
    server.push('login.token', { currency: 'INR' });
    await client.call(sessionStart, session);
    expect(heard).toHaveBeenCalledOnce();
  });
});

function abortable(): { signal: AbortSignal; abort: (reason: unknown) => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
}
