import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../../database/test-database.ts';
import type { ProviderCreateResult, ProviderDeposit } from '../provider.ts';
import { createSandboxProvider, type Sandbox, SandboxForbiddenError, type SandboxOptions } from './sandbox.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const RETURN_URL = 'https://cashier.example/return?product=main';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

/** A cashier that writes down what it is sent and answers as the test wants. */
class Sink {
  readonly received: Received[] = [];
  status = 204;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      this.received.push({ headers: request.headers, rawBody: Buffer.concat(chunks) });
      response.writeHead(this.status).end();
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let opened: TestDatabase;
let sink: Sink;
let clock: TestClock;
let publicUrl: string;
let sandbox: Sandbox;
let app: FastifyInstance;

const options = (more: Partial<SandboxOptions> = {}): SandboxOptions => ({
  isAllowed: true,
  publicUrl,
  secret: SECRET,
  merchantName: 'Harbour <Games>',
  database: opened.database,
  clock,
  log: silentLogger,
  ...more,
});

beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.drop());

beforeEach(async () => {
  sink = new Sink();
  clock = createTestClock();
  publicUrl = await sink.open();
  await opened.database.query({ text: 'delete from sandbox_payment' });
  sandbox = createSandboxProvider(options());
  app = Fastify();
  await app.register(sandbox.pages);
});
afterEach(async () => {
  await app.close();
  await sink.close();
});

const deposit = (more: Partial<ProviderDeposit> = {}): ProviderDeposit => ({
  depositId: randomUUID(),
  paymentMethod: 'card',
  amountMinor: 2_500n,
  currency: 'USD',
  country: 'IN',
  fields: {},
  returnUrl: RETURN_URL,
  language: 'en',
  signal: new AbortController().signal,
  ...more,
});

function created(result: ProviderCreateResult): Extract<ProviderCreateResult, { kind: 'created' }> {
  if (result.kind !== 'created') throw new Error(`Expected a created payment, not ${result.kind}`);
  return result;
}

async function openPage(more: Partial<ProviderDeposit> = {}) {
  const request = deposit(more);
  const { source, providerRef } = created(await sandbox.provider.create(request));
  if (typeof source !== 'string') throw new Error('Expected a plain address');
  const path = new URL(source).pathname;
  const shown = await app.inject({ url: path });
  const token = /name="token" value="([0-9a-f]+)"/.exec(shown.body)?.[1] ?? '';
  return { request, path, providerRef, shown, token };
}

const post = (url: string, fields: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  });

const choose = (page: { path: string; token: string }, decision: string, more: Record<string, string> = {}) =>
  post(`${page.path}/decision`, { token: page.token, decision, ...more });

/** What a cashier would believe of everything that came. */
const believed = () =>
  sink.received
    .filter(({ headers, rawBody }) => {
      const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      return sandbox.provider.verify({ headers: plain, rawBody, receivedAt: clock.now() }).kind === 'verified';
    })
    .map(({ rawBody }) => sandbox.provider.read(rawBody));

/** Moves time on in steps of half a second and sends what falls due. */
async function pass(ms: number): Promise<void> {
  await sandbox.deliverDue();
  for (let passed = 0; passed < ms; passed += 500) {
    clock.advance(500);
    await sandbox.deliverDue();
  }
}

describe('the pay page', () => {
  test('[SRV-4] an approved payment is reported by a signed call-back over HTTP, and the person goes back', async () => {
    const page = await openPage();
    expect(page.shown.statusCode).toBe(200);
    expect(page.shown.body).toContain('$25.00');
    const answer = await choose(page, 'approve');
    expect([answer.statusCode, answer.headers.location]).toEqual([303, RETURN_URL]);
    await sandbox.deliverDue();
    expect(believed()).toMatchObject([
      {
        provider: 'sandbox',
        providerRef: page.providerRef,
        depositId: page.request.depositId,
        outcome: 'paid',
        paidMinor: 2_500n,
        currency: 'USD',
      },
    ]);
  });

  test('names what it shows as text, never as markup', async () => {
    const { shown } = await openPage();
    expect(shown.body).toContain('Harbour &lt;Games&gt;');
    expect(shown.body).not.toContain('<Games>');
  });

  test('[SRV-9] may not be framed, runs no script and keeps its opener', async () => {
    const { shown } = await openPage();
    const policy = String(shown.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://cashier.example;");
    expect(policy).not.toContain('script-src');
    expect(shown.body).not.toContain('<script');
    expect(shown.headers['cross-origin-opener-policy']).toBe('unsafe-none');
    expect(shown.headers['set-cookie']).toBeUndefined();
  });

  test('a decline takes nothing', async () => {
    const page = await openPage();
    await choose(page, 'decline');
    await sandbox.deliverDue();
    expect(believed()).toMatchObject([{ outcome: 'declined', reason: 'declined-by-payer' }]);
    expect(believed()[0]?.paidMinor).toBeUndefined();
  });

  test('approve later says pending and, ten seconds on, paid', async () => {
    const page = await openPage();
    await choose(page, 'approve-later');
    await pass(9_500);
    expect(believed().map((one) => one.outcome)).toEqual(['pending']);
    await pass(500);
    expect(believed().map((one) => one.outcome)).toEqual(['pending', 'paid']);
  });

  test('pay less takes the typed amount', async () => {
    const page = await openPage();
    const answer = await choose(page, 'pay-less', { amount: ' 7.5 ' });
    expect(answer.headers.location).toBe(RETURN_URL);
    await sandbox.deliverDue();
    expect(believed()).toMatchObject([{ outcome: 'paid', paidMinor: 750n }]);
    expect((await app.inject({ url: page.path })).body).toContain('of $25.00');
  });

  test.each(['', '0', '25.00', '30', '1.001', '-5', '1,5', '5e0'])(
    'pay less refuses %j and keeps it',
    async (amount) => {
      const page = await openPage();
      const answer = await choose(page, 'pay-less', { amount });
      expect(answer.statusCode).toBe(422);
      expect(answer.body).toContain('aria-invalid="true"');
      expect(answer.body).toContain(`name="amount" value="${amount}"`);
      expect((await sandbox.provider.inquire(page.request))?.outcome).toBe('pending');
    },
  );

  test('abandon stays, tells nobody, and the payment has expired for who asks', async () => {
    const page = await openPage();
    const answer = await choose(page, 'abandon');
    expect(answer.headers.location).toBe(page.path);
    expect((await app.inject({ url: page.path })).body).toContain('You walked away');
    clock.advance(700_000);
    await sandbox.deliverDue();
    expect(sink.received).toEqual([]);
    expect((await sandbox.provider.inquire(page.request))?.outcome).toBe('expired');
  });

  test('a payment that nobody decides expires, is reported and can no longer be approved', async () => {
    const page = await openPage();
    clock.advance(600_000);
    await sandbox.deliverDue();
    expect(believed().map((one) => one.outcome)).toEqual(['expired']);
    await choose(page, 'approve');
    await sandbox.deliverDue();
    expect(believed().map((one) => one.outcome)).toEqual(['expired']);
    expect((await app.inject({ url: page.path })).body).toContain('Payment expired');
  });

  test('reload, a second click and another choice change nothing', async () => {
    const page = await openPage();
    const answers = await Promise.all([choose(page, 'approve'), choose(page, 'approve'), choose(page, 'approve')]);
    expect(answers.map((answer) => answer.headers.location)).toEqual([RETURN_URL, RETURN_URL, RETURN_URL]);
    expect((await choose(page, 'decline')).headers.location).toBe(page.path);
    await sandbox.deliverDue();
    expect(believed().map((one) => one.outcome)).toEqual(['paid']);
    const again = await app.inject({ url: page.path });
    expect(again.body).toContain('Payment approved');
    expect(again.body).toContain('href="https://cashier.example/return?product=main"');
  });

  test('opposite choices at the same moment: one counts', async () => {
    const page = await openPage();
    await Promise.all([choose(page, 'approve'), choose(page, 'decline')]);
    await sandbox.deliverDue();
    expect(believed()).toHaveLength(1);
  });

  test.each(['', 'wrong', '0'.repeat(32)])('a form with the token %j decides nothing', async (token) => {
    const page = await openPage();
    expect((await choose({ ...page, token }, 'approve')).statusCode).toBe(403);
    await sandbox.deliverDue();
    expect(sink.received).toEqual([]);
  });

  test('a form without a known choice, of another kind or too large decides nothing', async () => {
    const page = await openPage();
    expect((await choose(page, 'steal')).statusCode).toBe(400);
    expect((await choose(page, 'approve', { padding: 'x'.repeat(20_000) })).statusCode).toBe(413);
    const json = await app.inject({ method: 'POST', url: `${page.path}/decision`, payload: { token: page.token } });
    expect(json.statusCode).toBe(403);
    expect((await sandbox.provider.inquire(page.request))?.outcome).toBe('pending');
  });

  test.each(['sbx_unknown', `sbx_${'0'.repeat(32)}`, '..%2f..', '%00'])('%s is no payment', async (ref) => {
    const answer = await app.inject({ url: `/sandbox/pay/${ref}` });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toContain('text/html');
    expect((await post(`/sandbox/pay/${ref}/decision`, { decision: 'approve' })).statusCode).toBe(404);
  });

  test.each([
    ['bank_transfer_in', 'POST'],
    ['webmoney_usd', 'GET'],
  ])('%s is entered by a form by %s', async (paymentMethod, method) => {
    const request = deposit({ paymentMethod });
    const { source } = created(await sandbox.provider.create(request));
    if (typeof source !== 'object') throw new Error('Expected a form');
    expect(source).toMatchObject({ method, fields: { order: request.depositId, amount: '25.00', currency: 'USD' } });
    const path = new URL(source.action).pathname;
    if (method === 'POST') expect((await post(path, source.fields)).headers.location).toBe(path);
    const query = new URLSearchParams(source.fields).toString();
    expect((await app.inject({ url: `${path}?${query}` })).body).toContain('Approve');
  });

  test('a way back that no browser should follow is not offered', async () => {
    const page = await openPage({ returnUrl: 'javascript:alert(1)' });
    expect((await choose(page, 'approve')).headers.location).toBe(page.path);
    expect((await app.inject({ url: page.path })).body).not.toContain('javascript:');
  });
});

describe('amounts that choose the outcome', () => {
  const run = async (amountMinor: bigint, currency = 'USD') => {
    const request = deposit({ amountMinor, currency });
    const result = await sandbox.provider.create(request);
    return { request, result };
  };

  test('[SRV-4] .01 and .14 are declined, the latter with a message', async () => {
    expect((await run(2_501n)).result).toEqual({ kind: 'declined', code: 'insufficient-funds' });
    expect((await run(2_514n)).result).toMatchObject({ kind: 'declined', code: 'banking.merchantClientError' });
    expect((await run(2_514n)).result).toHaveProperty('message', expect.stringContaining('another method'));
  });

  test('[SRV-4] .02 fails and the payment is not known afterwards', async () => {
    const { request, result } = await run(2_502n);
    expect(result).toEqual({ kind: 'failed', code: 'sandbox-unavailable' });
    expect(await sandbox.provider.inquire(request)).toBeUndefined();
  });

  test('[SRV-4] .03 hangs, no call-back comes, and asking later says paid', async () => {
    const request = deposit({ amountMinor: 2_503n });
    const asked = sandbox.provider.create(request);
    await expect.poll(() => clock.pending()).toBeGreaterThan(0);
    clock.advance(3_000);
    expect(await asked).toEqual({ kind: 'unknown', code: 'timeout' });
    await pass(2_000);
    expect(sink.received).toEqual([]);
    expect(await sandbox.provider.inquire(request)).toMatchObject({ outcome: 'paid', paidMinor: 2_503n });
  });

  test('[SRV-4] .04 hangs until the caller gives up, and nothing is ever known', async () => {
    const controller = new AbortController();
    const request = deposit({ amountMinor: 2_504n, signal: controller.signal });
    const asked = sandbox.provider.create(request);
    controller.abort();
    expect(await asked).toEqual({ kind: 'unknown', code: 'timeout' });
    await expect(sandbox.provider.inquire(request)).rejects.toThrow('does not answer');
  });

  test.each([
    [2_505n, 'USD', 0, ['paid'], 2_505n],
    [100_005n, 'BTC', 0, ['paid'], 100_005n],
    [2_506n, 'USD', 5_500, [], undefined],
    [2_506n, 'USD', 6_000, ['paid'], 2_506n],
    [2_507n, 'USD', 0, ['paid'], 1_253n],
    [2_508n, 'USD', 2_000, ['paid', 'paid', 'paid'], 2_508n],
    [2_509n, 'USD', 1_000, ['paid', 'pending'], 2_509n],
    [2_511n, 'USD', 1_000, ['paid'], 2_511n],
    [2_512n, 'USD', 15_000, ['expired'], undefined],
    [2_513n, 'USD', 9_500, ['paid'], 2_513n],
    [2_513n, 'USD', 10_000, ['paid', 'reversed'], 2_513n],
    [2_515n, 'USD', 10_000, ['expired', 'paid'], undefined],
  ] as const)('[SRV-4] %s %s after %i ms: %j', async (amountMinor, currency, ms, outcomes, paidMinor) => {
    const { result } = await run(amountMinor, currency);
    expect(created(result).source).toBeUndefined();
    await pass(ms);
    expect(believed().map((one) => one.outcome)).toEqual(outcomes);
    if (paidMinor !== undefined) expect(believed()[0]?.paidMinor).toBe(paidMinor);
  });

  test('copies of one report share one event; different reports never do', async () => {
    await run(2_508n);
    await run(2_509n);
    await pass(2_000);
    const ids = believed().map((one) => one.eventId);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(3);
  });

  test('.11 sends a forged call-back before the true one', async () => {
    await run(2_511n);
    await pass(1_000);
    expect(sink.received).toHaveLength(2);
    expect(sink.received[0]?.headers['webhook-id']).toBe(sink.received[1]?.headers['webhook-id']);
    expect(believed()).toHaveLength(1);
  });

  test('a question and the call-back name the same event', async () => {
    const { request } = await run(2_505n);
    await sandbox.deliverDue();
    expect(await sandbox.provider.inquire(request)).toEqual(believed()[0]);
  });
});

describe('the company', () => {
  test('[SRV-6] answers the same payment for the same deposit, also when asked at once', async () => {
    const request = deposit();
    const answers = await Promise.all([1, 2, 3, 4].map(() => sandbox.provider.create(request)));
    expect(new Set(answers.map((answer) => created(answer).providerRef)).size).toBe(1);
    const other = await sandbox.provider.create({ ...request, amountMinor: 2_600n });
    expect(other).toEqual({ kind: 'unknown', code: 'idempotency-conflict' });
  });

  test('does not know a deposit that it never saw', async () => {
    expect(await sandbox.provider.inquire({ depositId: randomUUID() })).toBeUndefined();
  });

  test('cancels an open payment once and reports it; a paid one it refuses to cancel', async () => {
    const page = await openPage();
    const query = { depositId: page.request.depositId, providerRef: page.providerRef };
    await sandbox.provider.cancel?.(query);
    await sandbox.provider.cancel?.(query);
    await sandbox.deliverDue();
    expect(believed().map((one) => one.outcome)).toEqual(['cancelled']);
    expect((await choose(page, 'approve')).headers.location).toBe(page.path);
    const paid = await openPage();
    await choose(paid, 'approve');
    await expect(
      sandbox.provider.cancel?.({ depositId: paid.request.depositId, providerRef: paid.providerRef }),
    ).rejects.toThrow('cannot cancel');
  });

  test('tries again after 1, 5, 30 and 120 seconds with a fresh signature, until it is taken', async () => {
    const page = await openPage();
    sink.status = 503;
    await choose(page, 'approve');
    await sandbox.deliverDue();
    const tries = [sink.received.length];
    for (const seconds of [1, 5, 30, 120]) {
      clock.advance(seconds * 1_000 - 1);
      await sandbox.deliverDue();
      tries.push(sink.received.length);
      clock.advance(1);
      if (seconds === 120) sink.status = 204;
      await sandbox.deliverDue();
      tries.push(sink.received.length);
    }
    expect(tries).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(5);
    clock.advance(86_400_000);
    expect(await sandbox.deliverDue()).toBe(0);
  });

  test('gives up in the end, and still answers a question', async () => {
    sink.status = 500;
    const request = deposit({ amountMinor: 2_505n });
    await sandbox.provider.create(request);
    for (let day = 0; day < 20; day += 1) {
      await sandbox.deliverDue();
      clock.advance(86_400_000);
    }
    expect(sink.received).toHaveLength(11);
    expect((await sandbox.provider.inquire(request))?.outcome).toBe('paid');
  });

  test('[SRV-3] what was decided before a crash is reported after it', async () => {
    const page = await openPage();
    await choose(page, 'approve');
    // A sender took the row and died with it: nothing was sent, the lease still runs.
    await opened.database.query({
      text: 'update sandbox_callback set attempts = 1, leased_until = $1 where ref = $2',
      values: [new Date(clock.now() + 30_000), page.providerRef],
    });
    const afterRestart = createSandboxProvider(options());
    expect(await afterRestart.deliverDue()).toBe(0);
    clock.advance(30_000);
    expect(await afterRestart.deliverDue()).toBe(1);
    expect(believed().map((one) => one.outcome)).toEqual(['paid']);
    expect((await afterRestart.provider.inquire(page.request))?.outcome).toBe('paid');
  });

  test('two senders at once send each call-back once', async () => {
    for (let count = 0; count < 20; count += 1) await sandbox.provider.create(deposit({ amountMinor: 2_505n }));
    const second = createSandboxProvider(options());
    await Promise.all([sandbox.deliverDue(), second.deliverDue()]);
    expect(sink.received).toHaveLength(20);
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
  });

  test('sends by itself from the moment the server listens, on time, and stops with it', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    await sandbox.provider.create(deposit({ amountMinor: 2_506n }));
    await expect.poll(() => clock.pending()).toBe(1);
    await clock.advanceAsync(6_000);
    await expect.poll(() => believed().map((one) => one.outcome)).toEqual(['paid']);
    await app.close();
    expect(clock.pending()).toBe(0);
  });

  test('survives a cashier that is away', async () => {
    const away = createSandboxProvider(options({ callbackUrl: 'http://127.0.0.1:9/callbacks' }));
    await away.provider.create(deposit({ amountMinor: 2_505n }));
    expect(await away.deliverDue()).toBe(1);
    clock.advance(1_000);
    expect(await sandbox.deliverDue()).toBe(1);
    expect(believed()).toHaveLength(1);
  });

  test('[SRV-4] is not to be had where the configuration forbids it', () => {
    expect(() => createSandboxProvider(options({ isAllowed: false }))).toThrow(SandboxForbiddenError);
  });
});
