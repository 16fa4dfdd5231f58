import { sessionStart } from '@opencashier/contract/api';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import { createClient, renewalTimeoutMs, strangerTimeoutMs } from './create-client.ts';
import { readJson } from './read-json.ts';
import { requestGroupTimeoutMs } from './request-group.ts';
import { silentAfterMs } from './silence.ts';
import type { Exchange } from './transport.ts';

const session = { amount: '25.00', currency: 'INR' };

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
    const call = client.call(sessionStart, session).catch((error: unknown) => error);
    answer({ kind: 'answer', status: 401, ...(code && { error: { code, message: 'Another user.' } }) } as Exchange);
    await clock.advanceAsync(strangerTimeoutMs);
    expect(await call).toMatchObject({ kind: 'refused', status: 401 });
    expect(asked).toEqual(['host']);
    expect(strangerTimeoutMs).toBeLessThan(renewalTimeoutMs);
    // Else the person would be told of a timeout instead of the session.
    expect(renewalTimeoutMs).toBeLessThan(requestGroupTimeoutMs);
  },
);

test('[NET-3] it is known within seconds that no answer comes, and with the next answer that one does', async () => {
  const { clock, client, answer } = start();
  const call = client.call(sessionStart, session);
  await clock.advanceAsync(silentAfterMs - 1);
  expect(client.silence?.get()).toBe(false);
  await clock.advanceAsync(1);
  expect(client.silence?.get()).toBe(true);
  answer({ kind: 'answer', status: 200, data: { paymentSessionId: 'p' } });
  await call;
  expect(client.silence?.get()).toBe(false);
});

test('[UI-2] what turns the direction of text is taken out of answers, as it is and as it is written', () => {
  expect(readJson('{"a":"x\u202e001\u2067y"}')).toEqual({ a: 'x001y' });
  expect(readJson('{"a":"x\\u202E001\\u2067y"}')).toEqual({ a: 'x001y' });
  // A backslash of the text itself, before what only looks like an escape.
  for (const value of ['a\\u202e', '\\u2066x', 'C:\\u202enew']) {
    expect(readJson(JSON.stringify({ value }))).toEqual({ value });
  }
});
