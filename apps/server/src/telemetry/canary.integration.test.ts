/**
 * Canaries: a token, an e-mail address, a phone and card numbers are put into every place of every call, into headers and addresses. The
 * tests then search the database, the log and the metrics for them. They may be only in the stored form of a payment.
 */
import { randomUUID } from 'node:crypto';
import { type CallName, calls, extraParamsHeader, formatExtraParams, rumBeaconSchema } from '@opencashier/contract/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { goodRequests } from '../transports/testing/good-requests.ts';
import { placesOf, withValue } from '../transports/testing/request-places.ts';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';
import { contextOf } from '../transports/testing/running-server.ts';

/** Each canary in its possible forms, without spaces, so that it passes wherever a code passes. */
const canaries = [
  'eyJjYW5hcnkiOiJ0b2tlbiJ9.eyJjYW5hcnkiOjF9.Q2FuYXJ5U2lnbmF0dXJl',
  'canary.person@example.com',
  '+919812345670',
  '919812345670',
  '4276380012345671',
  'canary_person_9812345670',
  'CANARYPERSON',
];
const wanted = /eyJjYW5hcnki|canary|9812345670|4276380012345671/i;
const names = Object.keys(calls) as CallName[];

let running: RunningApp;
let token: string;
beforeAll(async () => {
  running = await startApp({ LOG_LEVEL: 'trace' });
  token = await running.tokenOf('observed');
});
afterAll(() => running?.stop());

/** Every row of every table as text, without `deposit.request`, which holds the payment's form. */
async function databaseDump(): Promise<{ table: string; row: string }[]> {
  const tables = await running.database.query<{ name: string }>({
    text: `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  });
  const dumps = await Promise.all(
    tables.map(async ({ name }) => {
      const json = name === 'deposit' ? `to_jsonb(t) - 'request'` : 'to_jsonb(t)';
      const rows = await running.database.query<{ row: string }>({
        text: `select (${json})::text as row from "${name}" t`,
      });
      return rows.map(({ row }) => ({ table: name, row }));
    }),
  );
  return dumps.flat();
}

test('[NET-8] nothing that names a person or opens an account is kept, logged or counted outside the payment it belongs to', async () => {
  for (const name of names) {
    for (const place of [...placesOf(calls[name].request), ...placesOf(calls[name].request, ['number'])]) {
      for (const canary of canaries) {
        const fresh = withValue(goodRequests[name], ['depositId'], randomUUID());
        const base = Object.hasOwn(goodRequests[name] as object, 'depositId') ? fresh : goodRequests[name];
        for (const value of [canary, Number(canary.replace(/\D/g, '')) || 0]) {
          const request = withValue(base, place, value);
          await Promise.all([
            running.clients.http.call(calls[name], request, { token }),
            running.clients.socket.call(calls[name], request, { token }),
          ]);
        }
      }
    }
  }

  const { url } = running;
  for (const canary of canaries) {
    const context = contextOf({
      userId: canary,
      partnerKey: canary,
      xOrigin: canary,
      platform: canary,
      language: canary,
    });
    const headers = {
      authorization: `Bearer ${canary}`,
      'user-agent': canary,
      referer: `https://play.example/${canary}`,
      [extraParamsHeader]: formatExtraParams(context),
      'content-type': 'application/json',
    };
    const query = `?x=${encodeURIComponent(canary)}&token=${encodeURIComponent(canary)}`;
    for (const path of [
      `/api/BANKING/deposit-status${query}`,
      `/cashier/deposit/${encodeURIComponent(canary)}${query}`,
      `/captcha/frame${query}&partner=${encodeURIComponent(canary)}&scenario=${encodeURIComponent(canary)}`,
      `/no/${encodeURIComponent(canary)}`,
      `/sandbox/pay/${encodeURIComponent(canary)}`,
    ]) {
      await fetch(`${url}${path}`, { headers });
    }
    await fetch(`${url}/api/BANKING/deposit-create`, { method: 'POST', headers, body: `{"amount": ${canary}` });
    await fetch(`${url}/operator/v1/user-tokens`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ userId: canary }),
    });
    await fetch(`${url}/providers/sandbox/callbacks`, { method: 'POST', headers, body: JSON.stringify({ canary }) });
    const visit = {
      partner: 'demo',
      version: 'v1',
      path: '/deposit',
      vitals: [{ name: 'LCP', value: 1 }],
      errors: [{ name: 'Error', at: '', count: 1 }],
    };
    for (const place of [...placesOf(rumBeaconSchema), ['errors', 0, 'name'], ['errors', 0, 'at']]) {
      for (const value of [
        canary,
        `${canary}.js:1:1`,
        `${canary.replace(/\W/g, '')}.js:1:1`,
        canary.replace(/\W/g, ''),
      ]) {
        await fetch(`${url}/cashier/rum`, {
          method: 'POST',
          headers,
          body: JSON.stringify(withValue(visit, place, value)),
        });
      }
    }
  }

  const found = (await databaseDump()).filter(({ row }) => wanted.test(row));
  expect(found.map(({ table, row }) => `${table}: ${wanted.exec(row)?.[0]} in ${row.slice(0, 300)}`)).toEqual([]);
  expect(running.log.length).toBeGreaterThan(500);
  expect(running.log.filter((line) => wanted.test(line))).toEqual([]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('cashier_widget_events_total');
  expect(wanted.test(metrics)).toBe(false);
  // The input into a payment's form is stored where it belongs.
  const kept = await running.database.query({
    text: `select 1 from deposit where user_id = 'observed' and request::text ~ '4276380012345671'`,
  });
  expect(kept.length).toBeGreaterThan(0);
}, 240_000);
