import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import { requestGroup } from './request-group.ts';

test('[NET-6] a group that takes over thirty seconds fails with Request timeout and gives its requests up', async () => {
  const clock = createTestClock();
  let given: AbortSignal | undefined;
  const group = requestGroup(clock, (signal) => {
    given = signal;
    return new Promise<never>(() => {});
  }).catch((error: unknown) => error);
  await clock.advanceAsync(29_999);
  expect(given?.aborted).toBe(false);
  await clock.advanceAsync(1);
  const error = await group;
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ message: 'Request timeout', stack: expect.stringContaining('request-group') });
  expect(given?.aborted).toBe(true);
});

test('[NET-6] a group in time gives its answer and leaves no timer behind', async () => {
  const clock = createTestClock();
  expect(await requestGroup(clock, async () => 'both')).toBe('both');
  expect(clock.pending()).toBe(0);
});

test('a failing group fails with its own error, an abandoned one with the reason', async () => {
  const clock = createTestClock();
  await expect(requestGroup(clock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const screen = new AbortController();
  const group = requestGroup(clock, () => new Promise<never>(() => {}), screen.signal);
  screen.abort('left');
  await expect(group).rejects.toBe('left');
  expect(clock.pending()).toBe(0);
});
