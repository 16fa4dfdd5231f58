import { createTestClock } from '@opencashier/core/time/test-clock';
import { beforeEach, expect, test, vi } from 'vitest';
import { createDeferredTelemetry } from './deferred-telemetry.ts';
import type { Telemetry } from './telemetry.ts';

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.stubGlobal('document', { querySelectorAll: () => [] });
});

function start() {
  const clock = createTestClock();
  const real = { note: vi.fn(), measure: vi.fn(), callFailed: vi.fn(), leave: vi.fn() };
  const loads: { come: () => void; fail: () => void }[] = [];
  const load = vi.fn(
    () =>
      new Promise<Telemetry>((resolve, reject) => {
        loads.push({ come: () => resolve(real), fail: () => reject(new TypeError('Failed to fetch')) });
      }),
  );
  return { clock, real, load, telemetry: createDeferredTelemetry(clock, load), last: () => loads.at(-1) };
}

test('[NET-8] nothing is loaded without an event, and events keep their order and their time', async () => {
  const { clock, real, load, telemetry, last } = start();
  expect(load).not.toHaveBeenCalled();
  const at = clock.now();
  telemetry.note('a', 1);
  await clock.advanceAsync(100);
  telemetry.note('b', true);
  telemetry.measure('c', 2);
  telemetry.callFailed('deposit-create', { code: 'x', status: 0, message: '' });
  expect(load).toHaveBeenCalledOnce();
  last()?.come();
  await clock.advanceAsync(0);
  expect(real.note.mock.calls).toEqual([
    ['a', 1, at],
    ['b', true, at + 100],
  ]);
  expect(real.measure).toHaveBeenCalledExactlyOnceWith('c', 2, at + 100);
  expect(real.callFailed).toHaveBeenCalledOnce();
  telemetry.note('d', 'later');
  expect(real.note).toHaveBeenLastCalledWith('d', 'later', at + 100);
  telemetry.leave();
  expect(real.leave).toHaveBeenCalledOnce();
});

test('code that does not come is asked for with the next event, and no event is lost', async () => {
  const { clock, real, load, telemetry, last } = start();
  telemetry.note('a', 1);
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    last()?.fail();
    await clock.advanceAsync(16_000);
  }
  expect(load).toHaveBeenCalledTimes(7);
  telemetry.leave();
  telemetry.note('b', 2);
  last()?.come();
  await clock.advanceAsync(0);
  expect(real.note.mock.calls.map(([key]) => key)).toEqual(['a', 'b']);
});
