import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test, vi } from 'vitest';
import { createTelemetry, failureText, pageLoadTimings } from './telemetry.ts';

function make() {
  const clock = createTestClock();
  const ports = { clock, postMetric: vi.fn(), send: vi.fn(() => Promise.resolve()), sendLast: vi.fn() };
  return { ...ports, telemetry: createTelemetry(ports) };
}

test('a noted thing goes to the host at once and to the server in a batch', () => {
  const { telemetry, clock, postMetric, send } = make();
  telemetry.note('deposit.create', 'ok');
  telemetry.measure('page.load', 120);
  const timestamp = clock.now();
  expect(postMetric).toHaveBeenCalledExactlyOnceWith({ key: 'deposit.create', value: 'ok', timestamp });
  expect(send).not.toHaveBeenCalled();
  clock.advance(2000);
  expect(send).toHaveBeenCalledExactlyOnceWith([
    { key: 'deposit.create', value: 'ok', timestamp },
    { key: 'page.load', value: 120, timestamp },
  ]);
  expect(clock.pending()).toBe(0);
});

test('a batch holds a hundred at most; the rest follows', () => {
  const { telemetry, clock, send } = make();
  for (let noted = 0; noted < 150; noted += 1) telemetry.measure('k', noted);
  clock.advance(2000);
  clock.advance(2000);
  expect(send.mock.calls.map((call: unknown[]) => (call[0] as unknown[]).length)).toEqual([100, 50]);
});

test('what the contract refuses is cut to fit or left out', () => {
  const { telemetry, clock, send } = make();
  telemetry.note('call failed/x', 'y'.repeat(500));
  telemetry.measure('', 1);
  telemetry.measure('nan', Number.NaN);
  clock.advance(2000);
  expect(send).toHaveBeenCalledExactlyOnceWith([
    { key: 'call-failed-x', value: 'y'.repeat(120), timestamp: expect.any(Number) },
  ]);
});

test('leaving the page sends what is left, once', () => {
  const { telemetry, clock, send, sendLast } = make();
  telemetry.measure('k', 1);
  telemetry.leave();
  telemetry.leave();
  clock.advance(5000);
  expect(sendLast).toHaveBeenCalledOnce();
  expect(send).not.toHaveBeenCalled();
});

test('timings are read from what the platform counted', () => {
  const entries: Record<string, object[]> = {
    navigation: [{ responseStart: 10.4, domInteractive: 20, domContentLoadedEventEnd: 30, loadEventEnd: 40.6 }],
    paint: [{ name: 'first-contentful-paint', startTime: 25 }],
  };
  const performance = { getEntriesByType: (type: string) => entries[type] ?? [] } as unknown as Performance;
  expect(Object.fromEntries(pageLoadTimings(performance))).toEqual({
    'page.response-start': 10,
    'page.dom-interactive': 20,
    'page.dom-content-loaded': 30,
    'page.load': 41,
    'page.first-contentful-paint': 25,
  });
});

test('[ERR-3] a failed call is told by code and text, without a word that a person may have typed', () => {
  const failure = {
    code: 'invalid-request',
    status: 422,
    message: 'The field "phone" is 98765 43210 of jane@example.com and not a number',
  };
  expect(failureText(failure)).toBe('invalid-request 422 The field … is … … of … and not a number');
});
