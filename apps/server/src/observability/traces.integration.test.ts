import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type DepositResponse, depositCreate } from '@opencashier/contract/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodRequests } from '../transports/testing/good-requests.ts';
import { appOperatorKey, type RunningApp, startApp } from '../transports/testing/running-app.ts';
import { type CollectedSpan, type Collector, startCollector } from './collector.fixture.ts';

// The traces of one deposit that the collector receives, from the widget's call to the operator's webhook.
const canary = 'canary.person@example.com';
const hooks = createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
let collector: Collector;
let running: RunningApp;
beforeAll(async () => {
  collector = await startCollector();
  await new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve));
  running = await startApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    SEED_DEMO_WEBHOOK_URL: `http://127.0.0.1:${(hooks.address() as AddressInfo).port}/${canary}`,
    SEED_DEMO_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 3).toString('base64')}`,
  });
});
afterAll(async () => {
  await running.stop();
  hooks.close();
  await collector.stop();
});

const theirs = 'ab'.repeat(16);
const traceparent = `00-${theirs}-${'cd'.repeat(8)}-01`;

test('[SRV-9] a payment is one trace from the provider to the webhook, and nothing of its user is in any', async () => {
  const delivered = once(hooks, 'request');
  const depositId = randomUUID();
  const token = await running.tokenOf(canary);
  const created = await fetch(`${running.url}/api/BANKING/deposit-create?${canary}`, {
    method: 'POST',
    // Trace headers of a browser are ignored.
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, traceparent },
    body: JSON.stringify({
      ...(goodRequests['deposit-create'] as object),
      depositId,
      // The sandbox provider pays this amount at once.
      amount: '25.05',
      returnUrl: `https://play.example/${canary}`,
    }),
  });
  expect({ status: created.status, body: (await created.json()) as DepositResponse }).toMatchObject({ status: 200 });
  await delivered;
  await running.clients.socket.call(depositCreate, { amount: canary }, { token });
  await fetch(`${running.url}/operator/v1/users/${canary}/balances?${canary}`, {
    headers: { authorization: `Bearer ${appOperatorKey}`, traceparent },
  });
  await fetch(`${running.url}/operator/v1/transactions`, {
    headers: { authorization: `Bearer ${canary}`, traceparent },
  });
  await running.app.stop();

  const spans = collector.spans();
  const ofPayment = spans.filter(({ traceId }) => traceId === depositId.replaceAll('-', ''));
  expect(ofPayment.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['deposit submit', 'provider create', 'deposit apply', 'transaction', 'webhook deliver']),
  );
  const names = spans.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'http deposit-create',
      'handle deposit-create',
      'sql deposit-insert',
      'callback receive',
      'job callbacks',
      'socket deposit-create',
    ]),
  );
  const call = spans.find(({ name }) => name === 'http deposit-create');
  const submit = spans.find(({ name }) => name === 'deposit submit');
  // The statements of a created deposit: its row, the sandbox provider's row, and the answer.
  const statementsIn = (parent: CollectedSpan | undefined): string[] =>
    spans
      .filter(({ parentSpanId }) => parent !== undefined && parentSpanId === parent.spanId)
      .flatMap((span) => [...(span.name.startsWith('sql ') ? [span.name] : []), ...statementsIn(span)]);
  expect(statementsIn(call)).toEqual(['sql deposit-insert']);
  expect(statementsIn(submit).sort()).toEqual(['sql deposit-created', 'sql sandbox-create']);
  expect(submit?.links?.map(({ traceId }) => traceId)).toEqual([call?.traceId]);
  const joined = spans.filter(({ traceId, parentSpanId }) => traceId === theirs && parentSpanId === 'cd'.repeat(8));
  expect(joined.map(({ name }) => name)).toEqual(['GET /operator/v1/users/:userId/balances']);

  const sent = collector.bodies.join('\n');
  for (const secret of ['canary', 'example.com', token, appOperatorKey, '25.05', '127.0.0.1']) {
    expect(sent, secret).not.toContain(secret);
  }
});
