import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { steadyClock, systemClock } from './clock.ts';
import { createTestClock } from './test-clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a delay of more than 24.8 days does not fire at once', () => {
  const run = vi.fn();
  const days30 = 30 * 86_400_000;
  systemClock.setTimer(run, days30);
  vi.advanceTimersByTime(days30 - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledTimes(1);
});

test('the system clock cancels timers, even within the second leg of a long delay', () => {
  const run = vi.fn();
  const cancel = systemClock.setTimer(run, 3_000_000_000);
  vi.advanceTimersByTime(2_500_000_000);
  cancel();
  const stop = systemClock.setRepeating(run, 10);
  vi.advanceTimersByTime(25);
  expect(run).toHaveBeenCalledTimes(2);
  stop();
  vi.advanceTimersByTime(1_000_000_000);
  expect(run).toHaveBeenCalledTimes(2);
});

test.each([86_400_000, -86_400_000])(
  '[DEP-5] changing the device’s clock by %i ms moves the system clock and not the steady clock',
  (ms) => {
    const before = { system: systemClock.now(), steady: steadyClock.now() };
    vi.setSystemTime(Date.now() + ms);
    expect(systemClock.now() - before.system).toBe(ms);
    expect(steadyClock.now()).toBe(before.steady);
    vi.advanceTimersByTime(1500);
    expect(steadyClock.now() - before.steady).toBe(1500);
  },
);

test('the steady clock reads whole milliseconds since the epoch', () => {
  vi.useRealTimers();
  expect(Number.isInteger(steadyClock.now())).toBe(true);
  expect(Math.abs(steadyClock.now() - Date.now())).toBeLessThan(60_000);
});

test('the test clock runs due timers in order of due time, then of creation', () => {
  const clock = createTestClock(1000);
  const log: string[] = [];
  clock.setTimer(() => log.push(`b${clock.now()}`), 20);
  clock.setTimer(() => log.push(`a${clock.now()}`), 10);
  clock.setTimer(() => log.push(`c${clock.now()}`), 20);
  clock.advance(20);
  expect(log).toEqual(['a1010', 'b1020', 'c1020']);
  expect(clock.pending()).toBe(0);
});

test('a timer set by a timer runs within the same advance when it falls due', () => {
  const clock = createTestClock(0);
  const seen: number[] = [];
  clock.setTimer(() => clock.setTimer(() => seen.push(clock.now()), 5), 5);
  clock.advance(9);
  expect(seen).toEqual([]);
  clock.advance(1);
  expect(seen).toEqual([10]);
});

test('repeating timers tick, and stop when cancelled from within', () => {
  const clock = createTestClock(0);
  const ticks: number[] = [];
  const cancel = clock.setRepeating(() => {
    ticks.push(clock.now());
    if (ticks.length === 3) cancel();
  }, 5000);
  clock.advance(60_000);
  expect(ticks).toEqual([5000, 10_000, 15_000]);
  expect(clock.pending()).toBe(0);
});

test('skew changes the reading but not the timers', () => {
  const clock = createTestClock(0);
  const run = vi.fn();
  clock.setTimer(run, 100);
  clock.skew(86_400_000);
  expect(clock.now()).toBe(86_400_000);
  clock.advance(99);
  expect(run).not.toHaveBeenCalled();
  clock.advance(1);
  expect(run).toHaveBeenCalledTimes(1);
  expect(() => clock.advance(-1)).toThrow(RangeError);
});

test('advanceAsync lets promises settle between timers', async () => {
  vi.useRealTimers();
  const clock = createTestClock(0);
  const log: string[] = [];
  const wait = (ms: number): Promise<void> => new Promise((resolve) => clock.setTimer(resolve, ms));
  const work = (async () => {
    for (const step of ['one', 'two', 'three']) {
      await wait(2000);
      log.push(`${step}@${clock.now()}`);
    }
  })();
  await clock.advanceAsync(6000);
  await work;
  expect(log).toEqual(['one@2000', 'two@4000', 'three@6000']);
});
