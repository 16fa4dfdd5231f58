import { depositCreate, depositLimits, events, type RequestOf } from '@opencashier/contract/api';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientError, type ManagedClient, networkErrorCode } from '../../api/client.ts';
import { codeTimeoutMs } from '../../api/insist.ts';
import { clearAfterMs, createSilence, silentAfterMs } from '../../api/silence.ts';
import { createDeferredClient } from './deferred-client.ts';

const limits = { currency: 'INR', paymentMethod: 'card' };
const create = { amount: '25.00', currency: 'INR' } as RequestOf<typeof depositCreate>;

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});

/** The real client, which answers every call with its name. */
function realClient() {
  const stop = vi.fn();
  return {
    stop,
    call: vi.fn(async ({ name }: { name: string }) => name),
    onPush: vi.fn((_name: string, _listen: (body: never) => void) => stop),
    serverOffsetMs: () => 90,
    lastCall: vi.fn(),
    tokenRenewed: vi.fn(),
    close: vi.fn(),
  };
}

/** A deferred client whose code comes when the test says so. */
function start(when?: Promise<void>) {
  const clock = createTestClock();
  const real = realClient();
  const onFailure = vi.fn();
  const loads: { come: () => void; fail: () => void }[] = [];
  const load = vi.fn(
    () =>
      new Promise<ManagedClient>((resolve, reject) => {
        loads.push({
          come: () => resolve(real as unknown as ManagedClient),
          fail: () => reject(new TypeError('Failed to fetch')),
        });
      }),
  );
  const client = createDeferredClient({ clock, silence: createSilence(clock), load, onFailure, start: when });
  return { clock, real, onFailure, load, client, last: () => loads.at(-1) };
}

/** Lets every attempt to load fail. */
async function failEveryAttempt({ clock, load, last }: ReturnType<typeof start>): Promise<void> {
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    expect(load).toHaveBeenCalledTimes(attempt);
    last()?.fail();
    await clock.advanceAsync(16_000);
  }
}

const failureOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe('the code of the client', () => {
  test('is loaded at once, and once for all calls', async () => {
    const { client, load, last, real } = start();
    expect(load).toHaveBeenCalledOnce();
    const calls = [client.call(depositLimits, limits), client.call(depositCreate, create)];
    last()?.come();
    expect(await Promise.all(calls)).toEqual(['deposit-limits', 'deposit-create']);
    await client.call(depositLimits, limits);
    expect(load).toHaveBeenCalledOnce();
    expect(real.call.mock.calls.map(([{ name }]) => name)).toEqual([
      'deposit-limits',
      'deposit-create',
      'deposit-limits',
    ]);
  });

  test.each([
    ['when the caller says so', () => Promise.resolve()],
    ['also when what the caller waited for has failed', () => Promise.reject(new Error('no list'))],
  ])('is loaded %s', async (_when, when) => {
    const { load, clock } = start(when());
    expect(load).not.toHaveBeenCalled();
    await clock.advanceAsync(0);
    expect(load).toHaveBeenCalledOnce();
  });

  test('is loaded by a call that does not wait for the caller', async () => {
    const { client, load, last } = start(new Promise(() => {}));
    const call = client.call(depositLimits, limits);
    expect(load).toHaveBeenCalledOnce();
    last()?.come();
    expect(await call).toBe('deposit-limits');
  });

  test('is requested again when a file fails to load', async () => {
    const { client, clock, load, last, onFailure } = start();
    const call = client.call(depositLimits, limits);
    last()?.fail();
    await clock.advanceAsync(500);
    expect(load).toHaveBeenCalledTimes(2);
    last()?.come();
    expect(await call).toBe('deposit-limits');
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('[NET-5] that never comes ends the call as a network error: nothing was sent; the next call tries again', async () => {
    const started = start();
    const call = failureOf(started.client.call(depositCreate, create));
    await failEveryAttempt(started);
    const failure = await call;
    expect(failure).toBeInstanceOf(ClientError);
    expect(failure).toMatchObject({ kind: 'network', code: networkErrorCode, status: 0 });
    expect(started.onFailure).toHaveBeenCalledExactlyOnceWith('deposit-create', failure);
    expect(started.real.call).not.toHaveBeenCalled();

    const next = started.client.call(depositCreate, create);
    started.last()?.come();
    expect(await next).toBe('deposit-create');
  });

  test('that hangs ends the call as well, and the next call asks for it again', async () => {
    const { client, clock, load, last, real } = start();
    const call = failureOf(client.call(depositCreate, create));
    await clock.advanceAsync(codeTimeoutMs);
    expect(await call).toMatchObject({ kind: 'network', code: networkErrorCode });
    const next = client.call(depositLimits, limits);
    expect(load).toHaveBeenCalledTimes(2);
    last()?.come();
    expect(await next).toBe('deposit-limits');
    expect(real.call).toHaveBeenCalledOnce();
    await clock.advanceAsync(clearAfterMs);
    expect(clock.pending()).toBe(0);
  });
});

describe('before the code is there', () => {
  test('an aborted call rejects with its reason, is no failure and is never made', async () => {
    const { client, last, real, onFailure, clock } = start();
    const controller = new AbortController();
    const call = client.call(depositLimits, limits, { signal: controller.signal });
    controller.abort('left the screen');
    await expect(call).rejects.toBe('left the screen');
    await expect(client.call(depositLimits, limits, { signal: controller.signal })).rejects.toBe('left the screen');
    last()?.come();
    await clock.advanceAsync(0);
    expect(real.call).not.toHaveBeenCalled();
    expect(onFailure).not.toHaveBeenCalled();
  });

  test('the signal of a call reaches the client', async () => {
    const { client, last, real } = start();
    const { signal } = new AbortController();
    const call = client.call(depositLimits, limits, { signal });
    last()?.come();
    await call;
    expect(real.call).toHaveBeenCalledExactlyOnceWith(depositLimits, limits, { signal });
  });

  test('a listener is registered for later, unless it has left by then', async () => {
    const { client, last, real, clock } = start();
    const [stays, leaves] = [vi.fn(), vi.fn()];
    const stop = client.onPush('login.token', stays);
    client.onPush('deposit.status', leaves)();
    last()?.come();
    await clock.advanceAsync(0);
    expect(real.onPush.mock.calls).toEqual([['login.token', stays]]);
    stop();
    expect(real.stop).toHaveBeenCalledOnce();
    client.onPush('deposit.status', leaves)();
    expect(real.onPush).toHaveBeenCalledTimes(2);
    expect(real.stop).toHaveBeenCalledTimes(2);
  });

  test('the server’s clock is taken to be this device’s', async () => {
    const { client, last, clock } = start();
    expect(client.serverOffsetMs()).toBe(0);
    last()?.come();
    await clock.advanceAsync(0);
    expect(client.serverOffsetMs()).toBe(90);
  });

  test('[NET-3] the line about silence is shown when the code is late, not for a call that nobody waits for', async () => {
    const { client, clock, last } = start();
    const background = client.call(events, { events: [] });
    await clock.advanceAsync(silentAfterMs);
    expect(client.silence?.getState()).toBe(false);
    const call = client.call(depositLimits, limits);
    await clock.advanceAsync(silentAfterMs);
    expect(client.silence?.getState()).toBe(true);
    last()?.come();
    await Promise.all([call, background]);
  });

  test('[HOST-11] a fresh token needs nothing, and later goes to the client', async () => {
    const { client, last, real, clock } = start();
    client.tokenRenewed();
    last()?.come();
    await clock.advanceAsync(0);
    expect(real.tokenRenewed).not.toHaveBeenCalled();
    client.tokenRenewed();
    expect(real.tokenRenewed).toHaveBeenCalledOnce();
  });

  test('a closed client is not opened, and waiting calls end as not made', async () => {
    const { client, last, real } = start();
    const call = failureOf(client.call(depositCreate, create));
    client.close();
    last()?.come();
    expect(await call).toMatchObject({ kind: 'network' });
    expect(real.close).toHaveBeenCalledOnce();
    expect(real.call).not.toHaveBeenCalled();
  });

  test('a client that is closed before its time loads nothing', async () => {
    const { client, load, clock } = start(Promise.resolve());
    client.close();
    await clock.advanceAsync(0);
    expect(load).not.toHaveBeenCalled();
  });

  test('what is sent while the page closes goes to the client that is there', async () => {
    const { client, last, real, clock } = start();
    client.lastCall(events, { events: [] });
    last()?.come();
    await clock.advanceAsync(0);
    expect(real.lastCall).not.toHaveBeenCalled();
    client.lastCall(events, { events: [] });
    expect(real.lastCall).toHaveBeenCalledExactlyOnceWith(events, { events: [] });
    client.close();
    expect(real.close).toHaveBeenCalledOnce();
  });
});
