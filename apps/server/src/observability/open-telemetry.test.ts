import { AsyncResource } from 'node:async_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Collector, startCollector } from './collector.fixture.ts';
import { openTelemetrySpans } from './open-telemetry.ts';
import { apart, type SpanFacts } from './spans.ts';

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.stop());

const logger = () => ({ warn: vi.fn() });
const settingsOf = (url: string, sampler = 'parentbased_always_on') => ({
  url: `${url}/v1/traces`,
  sampler,
  samplerArgument: undefined,
});
const payment = '7b0a3a52-1f0e-4a1f-8f0b-0c2a5c9d1e2f';

test('[SRV-9] spans about one payment share its trace, and link to the span in which they started', async () => {
  const spans = openTelemetrySpans(settingsOf(collector.url), logger());
  await spans.begin('call', {}, {}, () =>
    spans.begin('submit', {}, { payment }, () => spans.step('provider', {}, async () => undefined)),
  );
  await spans.begin('apply', {}, { payment }, async () => undefined);
  await spans.stop();
  const [provider, submit, call, apply] = collector.spans();
  expect([provider, submit, call, apply].map((span) => span?.name)).toEqual(['provider', 'submit', 'call', 'apply']);
  const trace = payment.replaceAll('-', '');
  expect([submit, provider, apply].map((span) => span?.traceId)).toEqual([trace, trace, trace]);
  expect(call?.traceId).not.toBe(trace);
  expect(submit?.links?.map(({ traceId }) => traceId)).toEqual([call?.traceId]);
});

test('a valid traceparent continues the trace of its sender; an invalid one starts a new trace', async () => {
  const spans = openTelemetrySpans(settingsOf(collector.url), logger());
  const traceId = 'ab'.repeat(16);
  await spans.begin('good', {}, { traceparent: `00-${traceId}-${'cd'.repeat(8)}-01` }, async () => undefined);
  await spans.begin('bad', {}, { traceparent: `00-${'0'.repeat(32)}-${'cd'.repeat(8)}-01` }, async () => undefined);
  await spans.begin('unsampled', {}, { traceparent: `00-${traceId}-${'cd'.repeat(8)}-00` }, async () => undefined);
  await spans.stop();
  const [good, bad, ...others] = collector.spans();
  expect(good).toMatchObject({ name: 'good', traceId, parentSpanId: 'cd'.repeat(8) });
  expect(bad?.name).toBe('bad');
  expect(bad?.parentSpanId).toBeUndefined();
  expect(others).toEqual([]);
});

test('[SRV-9] facts that are not on the list, texts of people and messages of errors are not sent', async () => {
  const spans = openTelemetrySpans(settingsOf(collector.url), logger());
  const facts = { operator: 'op_1', method: 'canary, typed by a person', email: 'canary' } as SpanFacts;
  const fail = () => Promise.reject(Object.assign(new Error('canary in a message'), { code: 'in-flight' }));
  await expect(spans.begin('job', facts, {}, fail)).rejects.toThrow();
  await spans.stop();
  expect(collector.bodies.join()).not.toContain('canary');
  expect(collector.spans()[0]?.attributes.map(({ key }) => key)).toEqual(['cashier.operator', 'cashier.outcome']);
});

test('work that a request wakes, or that continues after its end, is not part of its span', async () => {
  const spans = openTelemetrySpans(settingsOf(collector.url), logger());
  let late = async (): Promise<unknown> => undefined;
  await spans.begin('call', {}, {}, async () => {
    await apart(() => spans.step('loop', {}, async () => undefined));
    late = AsyncResource.bind(() => spans.step('late', {}, async () => undefined));
  });
  await late();
  await spans.stop();
  expect(collector.spans().map(({ name }) => name)).toEqual(['call']);
});

test('a step outside of a span, and a trace that is not sampled, send nothing', async () => {
  const spans = openTelemetrySpans(settingsOf(collector.url), logger());
  expect(await spans.step('alone', {}, async () => 'done')).toBe('done');
  await spans.stop();
  const off = openTelemetrySpans(settingsOf(collector.url, 'always_off'), logger());
  expect(await off.begin('call', {}, {}, async () => 'done')).toBe('done');
  await off.stop();
  expect(collector.bodies).toEqual([]);
});

test('[SRV-9] an unreachable collector breaks nothing, does not delay a stop and is logged once', async () => {
  await collector.stop();
  const { warn } = logger();
  const spans = openTelemetrySpans(settingsOf(collector.url), { warn }, { sendWithinMs: 200 });
  expect(await spans.begin('call', {}, {}, async () => 'done')).toBe('done');
  await spans.flush();
  await spans.begin('call', {}, {}, async () => 'done');
  await spans.stop();
  expect(warn).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(warn.mock.calls)).not.toContain('127.0.0.1');
});
