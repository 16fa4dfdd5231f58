import { depositCreate } from '@opencashier/contract/api';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/testing/test-database.ts';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';
import { createBounce } from './bounce.ts';
import { bouncePage } from './bounce-page.ts';

let store: Awaited<ReturnType<typeof openTestDatabase>>;
let database: Database;
let running: RunningApp;

beforeAll(async () => {
  store = await openTestDatabase();
  running = await startApp({ SEED_DEMO_ORIGIN: 'https://play.example' });
  database = running.database;
});

afterAll(async () => {
  await running.stop();
  await store.drop();
});

const action = 'https://pay.example/start?shop=1&x="><script>alert(1)</script>';
const fields = { submit: 'yes', 'a"><b>': `"><img src=x onerror='alert(1)'>`, empty: '' };
const visitor = { operatorId: 'demo', language: 'ar' };
const bounceAt = (publicUrl = running.url) => createBounce({ database, publicUrl, product: 'cashier' });
const keep = async (form = { action, fields }) => {
  const address = await bounceAt().keep(visitor, form);
  if (address === undefined) throw new Error('not kept');
  return address;
};

describe('[DEP-3] a form for a provider', () => {
  test('is posted by a page whose address holds a token alone and whose policy lets it go there, and on by https', async () => {
    const address = await keep();
    expect(address).toMatch(new RegExp(`^${running.url}/cashier/bounce/[A-Za-z0-9_-]{43}$`));
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('form-action https://pay.example https: http://localhost:* http://127.0.0.1:*;');
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    const html = await page.text();
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('name="submit" value="yes"');
    expect(html).toContain('<button>المتابعة إلى الدفع</button>');
    // A provider's text stays text inside a quoted attribute.
    expect(html).not.toMatch(/<(?:img|b)\b/);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  test('leads on by https alone where money is real, while the widget’s own page still posts to nobody else', async () => {
    const app = fastify();
    const bounce = {
      take: async () => ({ operatorId: 'demo', action: 'https://pay.example/start', fields: {}, language: 'en' }),
    };
    const operators = { byId: () => undefined };
    await app.register(bouncePage({ bounce, operators, publicUrl: 'https://cashier.example', product: 'cashier' }));
    const page = await app.inject({ url: `/cashier/bounce/${'A'.repeat(43)}` });
    expect(page.headers['content-security-policy']).toContain('form-action https://pay.example https:;');
    await app.close();
    const widget = await fetch(`${running.url}/cashier/?partner=demo`);
    expect(widget.headers.get('content-security-policy')).toMatch(/form-action 'self';/);
  });

  test('its script is a file of the cashier’s own', async () => {
    const script = await fetch(`${running.url}/cashier/bounce/submit.js`);
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(await script.text()).toContain('HTMLFormElement.prototype.submit.call');
  });

  test('is given out once', async () => {
    const address = await keep();
    // A HEAD request does not use up the address.
    expect((await fetch(address, { method: 'HEAD' })).status).toBe(200);
    const both = await Promise.all([fetch(address), fetch(address)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
    expect((await fetch(address)).status).toBe(410);
  });

  test('is gone after its time, and a token that was never made looks alike', async () => {
    const address = await keep();
    await database.query({ text: `update bounce set expires_at = now() - interval '1 second'` });
    const late = await fetch(address);
    const unknown = await fetch(`${running.url}/cashier/bounce/${'A'.repeat(43)}`);
    const malformed = await fetch(`${running.url}/cashier/bounce/A'--`);
    expect([late.status, unknown.status, malformed.status]).toEqual([410, 410, 410]);
    expect(await late.text()).toBe(await unknown.text());
    expect(late.headers.get('content-security-policy')).toContain("form-action 'none'");
    await keep();
    expect(await database.query({ text: 'select 1 from bounce where expires_at < now()' })).toEqual([]);
  });

  test('no token is stored as it is', async () => {
    const token = (await keep()).split('/').at(-1) ?? '';
    const rows = await database.query<{ row: string }>({ text: 'select bounce::text as row from bounce' });
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test.each(['javascript:alert(1)', 'http://pay.example/', 'https://user@pay.example/', '//pay.example', 'upi://pay'])(
    'that leads to %s is not kept where money is real',
    async (bad) => {
      expect(await bounceAt('https://cashier.example').keep(visitor, { action: bad, fields: {} })).toBeUndefined();
    },
  );
});

describe('[DEP-3] a create answer', () => {
  const answerWith = (source: unknown, method?: 'GET' | 'POST') =>
    ({
      apiResponse: { depositId: '5f0c2f4e-7b0e-4a53-9a3e-2f1d6c0b9a11', source, ...(method && { method }) },
    }) as Parameters<ReturnType<typeof bounceAt>['wrap']>[1];

  test('with a form to post becomes an address to open, a new one each time, without the form', async () => {
    for (const posted of [answerWith({ action, method: 'POST', fields }), answerWith(action, 'POST')]) {
      const [first, second] = [await bounceAt().wrap(visitor, posted), await bounceAt().wrap(visitor, posted)];
      expect(first.apiResponse).toMatchObject({ method: 'GET', source: expect.stringContaining('/cashier/bounce/') });
      expect(first.apiResponse.source).not.toBe(second.apiResponse.source);
      expect(JSON.stringify(first)).not.toContain('pay.example');
    }
  });

  test.each([
    answerWith('https://pay.example/1', 'GET'),
    answerWith({ action: 'https://pay.example/1', method: 'GET', fields: { a: '1' } }),
    answerWith(null),
    answerWith(''),
    answerWith({ action: 'javascript:alert(1)', method: 'POST', fields: {} }),
  ])('%j stays as it is', async (response) => {
    expect(await bounceAt().wrap(visitor, response)).toBe(response);
  });

  test('of the sandbox goes through unchanged when there is nothing to post', async () => {
    const { clients, tokenOf } = running;
    const request = { amount: '25.00', currency: 'USD', depositId: crypto.randomUUID(), paymentType: 'card' };
    const answer = await clients.http.call(depositCreate, request, { token: await tokenOf('u-1') });
    expect(answer).toMatchObject({ status: 200, data: { apiResponse: { source: expect.any(String) } } });
  });
});

describe('[DEP-4] the page after the provider’s', () => {
  test.each([
    ['locale=ar&theme=dark', '<html lang="ar" dir="rtl" data-theme="dark">', 'يمكنك إغلاق هذه النافذة'],
    ['locale=ar-EG', '<html lang="ar" dir="rtl">', 'يمكنك إغلاق هذه النافذة'],
    ['locale=en', '<html lang="en" dir="ltr">', 'You can close this window'],
    ['locale=%22%3E%3Cscript%3E&theme=%22%3E', '<html lang="en" dir="ltr">', 'You can close this window'],
  ])('speaks %s', async (query, html, words) => {
    const page = await fetch(`${running.url}/cashier/returned?${query}`);
    const text = await page.text();
    expect(text).toContain(html);
    expect(text).toContain(words);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
