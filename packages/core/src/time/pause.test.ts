import { expect, test } from 'vitest';
import { pause } from './pause.ts';
import { createTestClock } from './test-clock.ts';

/** Whether a pause has ended, after what waits for promises has run. */
async function hasEnded(paused: Promise<void>): Promise<boolean> {
  const pending = Symbol();
  await Promise.resolve();
  return (await Promise.race([paused, Promise.resolve(pending)])) !== pending;
}

test('a pause ends when its time is over, and leaves no timer', async () => {
  const clock = createTestClock();
  const paused = pause(clock, 1000);
  await clock.advanceAsync(999);
  expect(await hasEnded(paused)).toBe(false);
  await clock.advanceAsync(1);
  await paused;
  expect(clock.pending()).toBe(0);
});

test('an abort ends a pause at once, and cancels its timer', async () => {
  const clock = createTestClock();
  const caller = new AbortController();
  const paused = pause(clock, 1000, caller.signal);
  expect(clock.pending()).toBe(1);
  caller.abort();
  await paused;
  expect(clock.pending()).toBe(0);
});

test.each([
  ['no time', 0, undefined],
  ['a time that is over', -5, undefined],
  ['an aborted signal', 1000, AbortSignal.abort()],
])('%s needs no timer', async (_what, ms, signal) => {
  const clock = createTestClock();
  await pause(clock, ms, signal);
  expect(clock.pending()).toBe(0);
});
