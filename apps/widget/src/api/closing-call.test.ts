import { depositCreate, events, sessionFormOnCloseModal } from '@opencashier/contract/api';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test, vi } from 'vitest';
import { createClient } from './create-client.ts';
import { createHttpTransport, withClosingCallOverHttp } from './http-transport.ts';
import { createSocketTransport } from './socket-transport.ts';
import type { Identity } from './transport.ts';

const context = {
  partnerKey: 'demo',
  userId: 'u-1',
  xOrigin: '',
  language: 'en',
  platform: 'web',
  isNative: false,
  pwa: false,
  isMobileApp: false,
} as Identity['context'];

test('[DEP-9] over a socket too the notice goes by HTTP, outlives the page, and says whose it is', async () => {
  const clock = createTestClock();
  const identity = () => ({ token: 'secret-token', context });
  const fetch = vi.fn(async (_address: unknown, _options?: RequestInit) => new Response('{}', { status: 200 }));
  const options = { server: 'https://cashier.example', clock, identity };
  // A handshake would ask who calls.
  const identityOfSocket = vi.fn(identity);
  const client = createClient({
    transport: withClosingCallOverHttp(
      createSocketTransport({ ...options, identity: identityOfSocket }),
      createHttpTransport({ ...options, fetch }),
    ),
    clock,
    onTokenExpired: () => undefined,
  });
  await client.call(sessionFormOnCloseModal, { paymentMethod: 'card' });
  expect(identityOfSocket).not.toHaveBeenCalled();
  expect(fetch).toHaveBeenCalledTimes(1);
  const [address, request] = fetch.mock.calls[0] ?? [];
  expect(address).toBe('https://cashier.example/api/BANKING/session-form-on-close-modal');
  expect(request).toMatchObject({
    method: 'POST',
    keepalive: true,
    headers: { authorization: 'Bearer secret-token' },
    body: '{"paymentMethod":"card"}',
  });
});

test('what is sent while the page closes goes over the lasting transport, and every other call over the usual one', async () => {
  const exchange = vi.fn(async () => ({ kind: 'answer' as const, status: 200, data: {} }));
  const lasting = { exchange: vi.fn(async () => ({ kind: 'answer' as const, status: 200 })) };
  const client = createClient({
    transport: { name: 'socket', exchange, onPush: () => () => {}, renew() {}, close() {} },
    lasting,
    clock: createTestClock(),
    onTokenExpired: () => undefined,
  });
  await client.call(events, { events: [] });
  expect(lasting.exchange).not.toHaveBeenCalled();
  client.lastCall(events, { events: [] });
  expect(lasting.exchange).toHaveBeenCalledExactlyOnceWith(events, { events: [] });
});

test('every other call stays on its transport', async () => {
  const exchange = vi.fn(async () => ({ kind: 'answer' as const, status: 200, data: {} }));
  const lasting = { exchange: vi.fn() };
  const transport = withClosingCallOverHttp(
    { name: 'socket', exchange, onPush: () => () => undefined, renew: () => undefined, close: () => undefined },
    lasting,
  );
  await transport.exchange(depositCreate, {});
  expect(exchange).toHaveBeenCalledTimes(1);
  expect(lasting.exchange).not.toHaveBeenCalled();
});
