import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../../apps/server/src/ledger/ledger-audit.ts';
import { appOperatorKey, type RunningApp, startApp } from '../../../apps/server/src/transports/testing/running-app.ts';
import { fill } from './fill.mjs';
import { growthTables } from './report.mjs';
import { timedRequests } from './requests.mjs';
import { bytesNeeded, sizeOf, sizesFor } from './sizes.mjs';
import { findTargets } from './targets.mjs';

// A small run of the benchmark, since a benchmark that nobody runs breaks unnoticed.
const size = { ...sizeOf(10_000), operators: 2 };
const providerSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
let running: RunningApp;
beforeAll(async () => {
  running = await startApp({ SANDBOX_PROVIDER_SECRET: providerSecret });
  await fill((text) => running.database.transaction((transaction) => transaction.query({ text })), size);
});
afterAll(() => running.stop());

test('[SRV-2] the audit accepts a filled ledger, which has about as many postings as its size says', async () => {
  const audit = await auditLedger(running.database);
  expect(audit).toMatchObject({ unbalancedAssets: [], wrongBalances: [], uncreditedDeposits: [], faults: [] });
  const [counted] = await running.database.query<{ n: number }>({ text: 'select count(*)::int as n from posting' });
  expect(counted?.n).toBeGreaterThan(size.postings * 0.8);
  expect(counted?.n).toBeLessThan(size.postings * 1.2);
});

test('every request that is timed gets its answer', async () => {
  const targets = await findTargets((text: string) => running.database.query({ text }));
  const requests = await timedRequests({ url: running.url, operatorKey: appOperatorKey, providerSecret }, targets);
  for (const { name, next } of requests) {
    const { path, headers, body } = next();
    const answer = await fetch(running.url + path, body === '' ? { headers } : { method: 'POST', headers, body });
    expect(answer.status, name).toBe(200);
  }
});

test('no rule of the database searches a table by an id as text, which would read every row', async () => {
  const rules = await running.database.query({
    text: `select proname from pg_proc where pronamespace = current_schema()::regnamespace and prosrc ~ '\\mid::text = |_id::text = '`,
  });
  expect(rules).toEqual([]);
});

test('a size that the disk has no space for is refused, unless it is one of the usual', () => {
  expect(() => sizesFor('100000', 1000)).toThrow(/need about \d+\.\d GB/);
  expect(sizesFor(undefined, bytesNeeded(1_200_000))).toEqual([100_000, 1_000_000]);
});

test('the tables mark what grew by more than the goal', () => {
  const time = (p50Ms: number) => ({ p50Ms, p99Ms: p50Ms, perSecond: 1, failed: 0 });
  const result = (postings: number, p50Ms: number) => ({
    ...{ postings, databaseBytes: 1e6, bytesPerPosting: 800, auditSeconds: 1, claims: {} },
    costs: { search: { pages: 10, times: { 1: time(p50Ms), 16: time(p50Ms) } } },
  });
  const tables = growthTables([result(100, 1), result(1000, 2)]);
  expect(tables).toContain('| search | 10 | 10 | 1.00 |');
  expect(tables).toContain('| search | 1.00 | 2.00 | **2.00** |');
});
