/** A sandbox on a test database, with a receiver that keeps every callback. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createTestClock, type TestClock } from '@opencashier/core/time/test-clock';
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openTestDatabase, silentLogger, type TestDatabase } from '../../../database/testing/test-database.ts';
import { closeOnLoopback, openOnLoopback } from '../../loopback-server.fixture.ts';
import type { DepositReport, ProviderCreateResult, ProviderDeposit } from '../../provider.ts';
import { readCallback } from '../payments/callback-body.ts';
import { createSandboxProvider, type Sandbox, type SandboxOptions } from '../sandbox.ts';

export const RETURN_URL = 'https://cashier.example/return?product=main';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

/** Stands in for the cashier: keeps every callback and answers with `status`. */
class CallbackReceiver {
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

  open(): Promise<string> {
    return openOnLoopback(this.#server);
  }

  close(): Promise<void> {
    return closeOnLoopback(this.#server);
  }
}

interface OpenedPage {
  readonly request: ProviderDeposit;
  readonly path: string;
  readonly providerRef: string;
  readonly shown: LightMyRequestResponse;
  readonly token: string;
}

/** New for each test, except the database, which is emptied. */
export interface Bench {
  readonly opened: TestDatabase;
  readonly receiver: CallbackReceiver;
  readonly clock: TestClock;
  readonly sandbox: Sandbox;
  readonly app: FastifyInstance;
  options(more?: Partial<SandboxOptions>): SandboxOptions;
  openPage(more?: Partial<ProviderDeposit>): Promise<OpenedPage>;
  post(url: string, fields: Record<string, string>): Promise<LightMyRequestResponse>;
  choose(
    page: { path: string; token: string },
    decision: string,
    more?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** The report from all callbacks whose signature is valid. */
  verifiedReports(): DepositReport[];
  /** Moves the clock on in steps of half a second and sends the callbacks that are due. */
  pass(ms: number): Promise<void>;
}

export const deposit = (more: Partial<ProviderDeposit> = {}): ProviderDeposit => ({
  depositId: randomUUID(),
  operatorId: 'op',
  paymentMethod: 'card',
  amountMinor: 2_500n,
  currency: 'USD',
  country: 'IN',
  fields: {},
  providerOptions: {},
  returnUrl: RETURN_URL,
  language: 'en',
  signal: new AbortController().signal,
  ...more,
});

export function created(result: ProviderCreateResult): Extract<ProviderCreateResult, { kind: 'created' }> {
  if (result.kind !== 'created') throw new Error(`Expected a created payment, not ${result.kind}`);
  return result;
}

/** Registers the hooks of the test file. The result gives each test its bench. */
export function setUpBench(): () => Bench {
  let opened: TestDatabase;
  let bench: Bench;
  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened.drop());
  beforeEach(async () => {
    await opened.database.query({ text: 'delete from sandbox_payment' });
    bench = await openBench(opened);
  });
  afterEach(async () => {
    await bench.app.close();
    await bench.receiver.close();
  });
  return () => bench;
}

async function openBench(opened: TestDatabase): Promise<Bench> {
  const receiver = new CallbackReceiver();
  const clock = createTestClock();
  const publicUrl = await receiver.open();
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
  const sandbox = createSandboxProvider(options());
  const app = Fastify();
  await app.register(sandbox.pages);

  const post: Bench['post'] = (url, fields) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });

  return {
    opened,
    receiver,
    clock,
    sandbox,
    app,
    options,
    post,
    async openPage(more = {}) {
      const request = deposit(more);
      const { source, providerRef } = created(await sandbox.provider.create(request));
      if (typeof source !== 'string') throw new Error('Expected a plain address');
      const path = new URL(source).pathname;
      const shown = await app.inject({ url: path });
      const token = /name="token" value="([0-9a-f]+)"/.exec(shown.body)?.[1] ?? '';
      return { request, path, providerRef, shown, token };
    },
    choose: (page, decision, more = {}) => post(`${page.path}/decision`, { token: page.token, decision, ...more }),
    verifiedReports: () =>
      receiver.received
        .filter(({ headers, rawBody }) => {
          const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
          return sandbox.provider.verify({ headers: plain, rawBody, receivedAt: clock.now() }).kind === 'verified';
        })
        .map(({ rawBody }) => readCallback(rawBody)),
    async pass(ms) {
      await sandbox.deliverDue();
      for (let passed = 0; passed < ms; passed += 500) {
        clock.advance(500);
        await sandbox.deliverDue();
      }
    },
  };
}
