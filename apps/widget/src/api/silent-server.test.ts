import { depositCancel, depositLimits, sessionStart } from '@opencashier/contract/api';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import { createClient } from './create-client.ts';
import { readJson } from './read-json.ts';
import { requestGroupTimeoutMs } from './request-group.ts';
import { retries, retryDelayMs } from './retry.ts';
import { clearAfterMs, silentAfterMs, slowAfterMs } from './silence.ts';
import { renewalTimeoutMs, wrongTokenTimeoutMs } from './token-renewal.ts';
import type { Exchange } from './transport.ts';

const limits = { currency: 'INR', paymentMethod: 'card' };
const bounds = { currency: 'INR', min: '0', max: '0' };
const deposit = { depositId: '01890a5d-ac96-774b-bcce-000000000001', paymentMethod: 'card' };

/** A client whose calls are answered by hand, in order. */
function start() {
  const clock = createTestClock();
  const waiting: ((exchange: Exchange) => void)[] = [];
  const asked: string[] = [];
  const client = createClient({
    clock,
    onTokenExpired: () => asked.push('host'),
    transport: {
      name: 'http',
      exchange: () => new Promise((resolve) => waiting.push(resolve)),
      onPush: () => () => {},
      renew() {},
      close() {},
    },
  });
  return { clock, client, asked, answer: (exchange: Exchange) => waiting.shift()?.(exchange) };
}

test.each(['unauthorized', undefined])(
  '[HOST-11] a token that is missing or another user’s fails the call soon: %s',
  async (code) => {
    const { clock, client, asked, answer } = start();
    const call = client.call(depositLimits, limits).catch((error: unknown) => error);
    answer({ kind: 'answer', status: 401, ...(code && { error: { code, message: 'Another user.' } }) } as Exchange);
    await clock.advanceAsync(wrongTokenTimeoutMs);
    expect(await call).toMatchObject({ kind: 'refused', status: 401 });
    expect(asked).toEqual(['host']);
    expect(wrongTokenTimeoutMs).toBeLessThan(renewalTimeoutMs);
    // Otherwise the user would read about a timeout instead of the session.
    expect(renewalTimeoutMs).toBeLessThan(requestGroupTimeoutMs);
  },
);

test('[NET-3] it is known within seconds that no answer comes, and with the next answer that one does', async () => {
  const { clock, client, answer } = start();
  const call = client.call(depositLimits, limits);
  await clock.advanceAsync(silentAfterMs - 1);
  expect(client.silence?.getState()).toBe(false);
  await clock.advanceAsync(1);
  expect(client.silence?.getState()).toBe(true);
  answer({ kind: 'answer', status: 200, data: bounds });
  await call;
  expect(client.silence?.getState()).toBe(false);
});

const lost: Exchange = { kind: 'lost', sent: true, reason: 'cut' };

test('[NET-3] after the last try nothing is said for longer than a poll pauses, and nothing at all once the device is online again', async () => {
  const { clock, client, answer } = start();
  const call = client.call(depositLimits, limits).catch((error: unknown) => error);
  for (let attempt = 0; attempt <= retries; attempt += 1) {
    expect(client.silence?.getState()).toBe(attempt > 0);
    answer(lost);
    await clock.advanceAsync(retryDelayMs);
  }
  expect(await call).toMatchObject({ kind: 'network' });
  expect(client.silence?.getState()).toBe(true);
  await clock.advanceAsync(clearAfterMs - retryDelayMs);
  expect(client.silence?.getState()).toBe(false);

  const next = client.call(depositLimits, limits).catch((error: unknown) => error);
  answer(lost);
  await clock.advanceAsync(0);
  expect(client.silence?.getState()).toBe(true);
  client.silence?.clear();
  expect(client.silence?.getState()).toBe(false);
  await clock.advanceAsync(retryDelayMs);
  answer({ kind: 'answer', status: 200, data: bounds });
  expect(await next).toEqual(bounds);
});

test('[NET-3] the words stay over the pause between two questions that go unanswered', async () => {
  const { clock, client, answer } = start();
  const ask = async () => {
    const call = client.call(depositLimits, limits).catch((error: unknown) => error);
    for (let attempt = 0; attempt <= retries; attempt += 1) {
      answer(lost);
      await clock.advanceAsync(retryDelayMs);
    }
    await call;
  };
  await ask();
  const told: boolean[] = [];
  client.silence?.subscribe(() => told.push(client.silence?.getState() === true));
  await clock.advanceAsync(clearAfterMs - retryDelayMs - 1);
  await ask();
  expect(told).toEqual([]);
});

test('[NET-3] a create waits for a provider: nothing is said of it for some seconds more', async () => {
  const { clock, client, answer } = start();
  const create = client.call(depositCancel, deposit).catch((error: unknown) => error);
  await clock.advanceAsync(slowAfterMs - 1);
  expect(client.silence?.getState()).toBe(false);
  await clock.advanceAsync(1);
  expect(client.silence?.getState()).toBe(true);
  answer({ kind: 'answer', status: 200, data: { depositId: deposit.depositId, isCancelled: true } });
  await create;
  expect(client.silence?.getState()).toBe(false);
});

test('[NET-3] of a call that is sent once nobody says that we keep trying', async () => {
  const { clock, client, answer } = start();
  const call = client.call(sessionStart, { amount: '25.00', currency: 'INR' }).catch((error: unknown) => error);
  await clock.advanceAsync(slowAfterMs);
  answer(lost);
  expect(await call).toMatchObject({ code: 'socket.networkError' });
  expect(client.silence?.getState()).toBe(false);
});

test('[UI-2] what turns the direction of text is taken out of answers, as it is and as it is written', () => {
  expect(readJson('{"a":"x\u202e001\u2067y"}')).toEqual({ a: 'x001y' });
  expect(readJson('{"a":"x\\u202E001\\u2067y"}')).toEqual({ a: 'x001y' });
  // A backslash of the text itself, before what only looks like an escape.
  for (const value of ['a\\u202e', '\\u2066x', 'C:\\u202enew']) {
    expect(readJson(JSON.stringify({ value }))).toEqual({ value });
  }
});
