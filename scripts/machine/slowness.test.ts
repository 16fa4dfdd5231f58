import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterIdleTime, slowness } from './slowness.mjs';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (slow: () => number) => {
  const action = vi.fn();
  const stop = afterIdleTime(60_000, action, { now: () => Date.now(), slow });
  return { action, stop };
};

test('a limit is itself on an idle machine', () => {
  const { action } = wait(() => 1);
  vi.advanceTimersByTime(59_000);
  expect(action).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(action).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(600_000);
  expect(action).toHaveBeenCalledTimes(1);
});

test('a limit grows while other programs use the machine', () => {
  let load = 5;
  const { action } = wait(() => load);
  vi.advanceTimersByTime(200_000);
  load = 1;
  vi.advanceTimersByTime(19_000);
  expect(action).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(action).toHaveBeenCalledTimes(1);
});

test('a stopped limit never ends anything', () => {
  const { action, stop } = wait(() => 1);
  stop();
  vi.advanceTimersByTime(600_000);
  expect(action).not.toHaveBeenCalled();
});

test('no load makes a limit shorter, and none makes it endless', () => {
  expect(slowness()).toBeGreaterThanOrEqual(1);
  expect(slowness()).toBeLessThanOrEqual(10);
});
