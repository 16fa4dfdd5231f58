// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followAccount } from './account-updates.ts';

let stream: EventTarget & { close: () => void };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close = vi.fn();

      constructor() {
        super();
        stream = this;
      }
    },
  );
});

afterEach(() => {
  vi.useRealTimers();
});

test('a told change is asked for; while the stream is down the page asks by itself, and stops when it is back', () => {
  const refresh = vi.fn();
  const stop = followAccount(refresh);
  vi.advanceTimersByTime(60_000);
  expect(refresh).not.toHaveBeenCalled();
  stream.dispatchEvent(new Event('changed'));
  expect(refresh).toHaveBeenCalledTimes(1);

  stream.dispatchEvent(new Event('error'));
  stream.dispatchEvent(new Event('error'));
  vi.advanceTimersByTime(8_000);
  expect(refresh).toHaveBeenCalledTimes(3);

  stream.dispatchEvent(new Event('open'));
  vi.advanceTimersByTime(60_000);
  expect(refresh).toHaveBeenCalledTimes(3);

  stream.dispatchEvent(new Event('error'));
  stop();
  vi.advanceTimersByTime(60_000);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(refresh).toHaveBeenCalledTimes(3);
  expect(stream.close).toHaveBeenCalledOnce();
});
