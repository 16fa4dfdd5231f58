/** Executes the samples for a backend, and compares what they do with what their documents say. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { createBonusEngine } from '../../examples/backend/bonuses.mjs';
import { openBook } from '../../examples/backend/book.mjs';
import { createWallet } from '../../examples/backend/wallet.mjs';
import { root } from '../../tools/documents/fences.ts';
import { run } from '../machine/run.mjs';
import type { Sample } from './build.ts';
import type { smallExpress } from './express.ts';

/** What samples export. Each one has a part of it. */
export interface Loaded {
  readonly token: string;
  currentUser(): Promise<{ readonly id: string }>;
  record(webhook: { readonly id: string; readonly type: string; readonly data: object }): Promise<void>;
  balanceInCents(userId: string): Promise<number>;
  GET(): Promise<Response>;
  POST(request?: Request): Promise<Response>;
}

export interface Given {
  readonly cashierUrl: string;
  readonly operatorKey: string;
  readonly webhookSecret: string;
  readonly pageUrl: string;
  /** Of the wallet. */
  readonly bookFile: string;
  readonly site: ReturnType<typeof smallExpress>;
  /** Imports the built program of a sample; a second import runs nothing. */
  readonly load: (sample: Sample) => Promise<Loaded>;
}

interface Credit {
  readonly id: string;
  readonly depositId: string;
  readonly amount: string;
}
type Plays = Readonly<Record<string, (sample: Sample) => Promise<void>>>;

const user = { id: 'u-1042' };
const tokenForm = /^\S{40,}$/;
const serverProgram = join(root, 'packages/server/dist/cli/main.js');

/** @returns what is wrong, one line each */
export async function playServer(all: readonly Sample[], given: Given): Promise<string[]> {
  const problems: string[] = [];
  const credited = await giveReadersOwn(given);
  // In this order: the first one takes the webhook that later ones use.
  const plays = { ...playsOfPackage(given, credited), ...playsOfGuide(given) };
  for (const [id, play] of Object.entries(plays)) {
    for (const sample of all.filter((one) => one.id === id)) {
      try {
        await play(sample);
      } catch (error) {
        problems.push(`${sample.place}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      }
    }
  }
  const forgotten = all.filter((one) => one.in === 'server' && !(one.id in plays));
  return [...problems, ...forgotten.map(({ place }) => `${place}: nothing executes this sample`)];
}

/** What belongs to the reader's own program, under the names that samples use. @returns what `creditOnce` gets */
async function giveReadersOwn({ site, cashierUrl, operatorKey, webhookSecret, bookFile }: Given): Promise<Credit[]> {
  const credited: Credit[] = [];
  const book = await openBook(bookFile);
  const engine = createBonusEngine(() => false);
  Object.assign(globalThis, {
    ...{ app: site.app, express: site.express, user, operatorKey, webhookSecret, secrets: [webhookSecret] },
    creditOnce: async (id: string, { depositId, amount }: Credit) => void credited.push({ id, depositId, amount }),
    wallet: createWallet(book, (id: string) => id === user.id || id === 'wallet-check'),
    bonusesOf: (userId: string, currency?: string) => engine({ userId, currency } as never),
  });
  Object.assign(process.env, { OPERATOR_KEY: operatorKey, WEBHOOK_SECRET: webhookSecret, CASHIER_URL: cashierUrl });
  return credited;
}

function arrivedWebhook({ site }: Given) {
  const found = site.asked.findLast(({ path, headers }) => path === '/webhooks/cashier' && 'webhook-id' in headers);
  assert.ok(found, 'no webhook has arrived');
  return found;
}

async function command(args: readonly string[], env = {}): Promise<void> {
  const result = await run(process.execPath, [serverProgram, ...args], { env, timeoutMs: 3 * 60_000 });
  assert.ok(result.ok, result.output);
}

function playsOfPackage(given: Given, credited: readonly Credit[]): Plays {
  const { cashierUrl, webhookSecret, pageUrl, load } = given;
  return {
    backend: async (sample) => {
      await load(sample);
      const answer = await fetch(`${pageUrl}/api/cashier-token`, { method: 'POST' });
      assert.equal(answer.status, 200);
      assert.match(await answer.text(), tokenForm);
      assert.equal((await fetch(`${pageUrl}/webhooks/cashier`, { method: 'POST', body: '{}' })).status, 401);
      await command(['trigger', 'deposit.processed', '--user', user.id]);
      assert.deepEqual(
        credited.map(({ amount }) => amount),
        ['25.05'],
      );
    },
    wallet: async (sample) => {
      await load(sample);
      await command(['check', `${pageUrl}/wallet`], { WEBHOOK_SECRETS: webhookSecret });
    },
    bonuses: async (sample) => {
      await load(sample);
      const id = crypto.randomUUID();
      const body = JSON.stringify({ type: 'bonuses', id, userId: user.id, currency: 'EUR' });
      const now = new Date();
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(webhookSecret).sign(id, now, body),
      };
      const answer = await fetch(`${pageUrl}/bonuses`, { method: 'POST', headers, body });
      assert.equal(answer.status, 200);
      assert.equal(((await answer.json()) as { bonuses: unknown[] }).bonuses.length, 1);
    },
    token: async (sample) => assert.match((await load(sample)).token, tokenForm),
    webhook: async (sample) => {
      const arrived = arrivedWebhook(given);
      Object.assign(globalThis, { rawBody: arrived.body.toString('utf8'), request: arrived });
      await load(sample);
      assert.deepEqual(credited[1], credited[0]);
    },
    control: async (sample) => {
      Object.assign(globalThis, { cashier: cashierUrl, depositId: credited[0]?.depositId });
      await load(sample);
    },
  };
}

/** The guide of the first deposit. Its page waits for a request of Next.js, which is not here. */
function playsOfGuide(given: Given): Plays {
  const { load, pageUrl } = given;
  return {
    'guide-session': async (sample) => assert.equal((await (await load(sample)).currentUser()).id, user.id),
    'guide-book': async (sample) => {
      const { record, balanceInCents } = await load(sample);
      const webhook = (id: string, type: string, depositId: string, amount: string, more = {}) =>
        record({ id, type, data: { depositId, userId: 'someone', amount, ...more } });
      await Promise.all(['d-1', 'd-1', 'd-2'].map((id) => webhook(`w ${id}`, 'deposit.processed', id, '5.10')));
      assert.equal(await balanceInCents('someone'), 1020);
      await webhook('w-3', 'deposit.refunded', 'd-1', '5.10');
      await webhook('w-4', 'deposit.refunded', 'd-1', '5.10');
      assert.equal(await balanceInCents('someone'), 510);
      // A provider takes a part back before the credit has arrived.
      await webhook('w-5', 'deposit.reversed', 'd-3', '1.00');
      assert.equal(await balanceInCents('someone'), 510);
      await webhook('w-6', 'deposit.processed', 'd-3', '4.00', { fee: '0.50' });
      assert.equal(await balanceInCents('someone'), 760);
      await webhook('w-7', 'deposit.reinstated', 'd-3', '1.00');
      assert.equal(await balanceInCents('someone'), 860);
    },
    'guide-token': async (sample) => {
      const answer = await (await load(sample)).POST();
      assert.match(await answer.text(), tokenForm);
    },
    'guide-webhook': async (sample) => {
      const { headers, body } = arrivedWebhook(given);
      const { POST } = await load(sample);
      const request = (text: string) =>
        new Request(pageUrl, { method: 'POST', headers: headers as Record<string, string>, body: text });
      assert.equal((await POST(request('{}'))).status, 401);
      assert.equal((await POST(request(body.toString('utf8')))).status, 204);
    },
    'guide-balance': async (sample) => {
      const answer = await (await load(sample)).GET();
      assert.deepEqual(await answer.json(), { cents: 2505 });
    },
  };
}
