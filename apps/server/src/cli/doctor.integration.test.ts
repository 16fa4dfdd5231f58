/** `opencashier doctor`, as an operator's engineer runs it. */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engineBonus, openFakeEngine, useEngine } from '../bonus-engine/fake-engine.fixture.ts';
import { openWithoutMigration } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';
import { makeTestPlace, silentLogger, type TestPlace } from '../database/testing/test-database.ts';
import { StripeApi } from '../providers/stripe/stripe-api.fixture.ts';
import { widgetFixture } from '../transports/testing/running-server.ts';
import { runCommand } from './run-command.fixture.ts';

/** A stand-in for Stripe, which accepts the key unless a test says otherwise. */
const stripe = new StripeApi();
const accepts: StripeApi['answer'] = () => ({ status: 200, body: { object: 'list', data: [], has_more: false } });
let stripeApi: Awaited<ReturnType<StripeApi['open']>>;
let place: TestPlace;
let database: Database;
let settings: Record<string, string>;
beforeAll(async () => {
  stripeApi = await stripe.open();
  stripe.answer = accepts;
  place = await makeTestPlace();
  settings = {
    ...place.environment,
    PUBLIC_URL: 'https://pay.example',
    TOKEN_SECRET: 't'.repeat(32),
    DATA_KEY: 't'.repeat(33),
    STRIPE_SECRET_KEY: `sk_test_canary${'1'.repeat(20)}`,
    STRIPE_WEBHOOK_SECRET: `whsec_canary${'1'.repeat(20)}`,
    WIDGET_DIR: widgetFixture,
  };
  const create =
    'create-operator acme --name "Acme Ltd" --origin https://acme.example --webhook-url https://hooks.acme.example/';
  expect(await run(create, {}, { open: openWithoutMigration })).toBe(0);
  database = await openWithoutMigration({ ...place, logger: silentLogger });
});
afterAll(async () => {
  await database?.close();
  await place.remove();
  await stripe.close();
});

let out: string;
let errors: string;
beforeEach(() => {
  out = '';
  errors = '';
});

/** All tests share one open database, because opening one takes long. */
const opened = async (): Promise<Database> => ({ ...database, close: async () => undefined });

async function run(
  command: string,
  environment: Record<string, string> = {},
  { clock = systemClock, open = opened }: { clock?: Clock; open?: typeof openWithoutMigration } = {},
): Promise<number> {
  const printed = await runCommand(command, { environment: { ...settings, ...environment }, clock, open, stripeApi });
  ({ out, errors } = printed);
  return printed.exitCode;
}

test('[SRV-4] reports unread lists callbacks that could not be read, with the name of the last error', async () => {
  await database.query({
    text: `insert into inbox_queue (source, message_id, inbox_id, status, tries, last_error) values
      ('stripe', 'evt_1', time_id(now() - interval '2 hours'), 'dead', 10, 'SyntaxError'),
      ('stripe', 'evt_2', time_id(now() - interval '1 hour'), 'new', 3, 'TypeError'),
      ('stripe', 'evt_3', time_id(), 'new', 0, null)`,
  });
  expect(await run('reports unread --json')).toBe(0);
  const rows = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(rows).toMatchObject([
    { provider: 'stripe', callback: 'evt_1', state: 'set aside', tries: 10, error: 'SyntaxError' },
    { provider: 'stripe', callback: 'evt_2', state: 'tried again', tries: 3, error: 'TypeError' },
  ]);
  await database.query({ text: 'delete from inbox_queue' });
});

describe('[SRV-1] doctor', () => {
  test('prints ok for what is set up, and no secret', async () => {
    expect(await run('doctor')).toBe(0);
    expect(out).toMatch(/ok {4}operators: 1/);
    expect(out).toMatch(/ok {4}tables: \d+ schema files applied.*ok {4}partitions: /s);
    expect(out).toContain('provider stripe: test key, moves no real money');
    expect(out).toContain('ok    key of stripe: Stripe accepts it');
    const isEmbedded = database.kind === 'embedded';
    expect(/ok {4}free space of the data folder: [\d.]+ GiB/.test(out)).toBe(isEmbedded);
    expect(/version of PostgreSQL: 1[5-9].+role of DATABASE_URL/s.test(out)).toBe(!isEmbedded);
    expect(out).not.toMatch(/canary|tttt|fail/);
  });

  test('[SRV-2] asks for a data key, and counts saved accounts that are encrypted with another key', async () => {
    expect(out).toBe('');
    await run('doctor');
    expect(out).toMatch(/ok {4}data key: set\n/);
    expect(out).toContain('ok    saved payout accounts: encrypted');
    await run('doctor', { DATA_KEY: '' });
    expect(out).toMatch(
      database.kind === 'embedded'
        ? /ok {4}data key: the token secret/
        : /fail {2}data key: the token secret\n {6}Set DATA_KEY/,
    );
    expect(await run('doctor', { DATA_KEY: `${'n'.repeat(32)},short` })).toBe(1);
    expect(out).toContain('DATA_KEY must be');
    await database.query({
      text: `insert into payout_account (operator_id, user_id, payment_method, key_id, sealed, fingerprint)
        select id, 'ann', 'payout_bank', 'gone', 'x', sha256('x') from operator limit 1`,
    });
    expect(await run('doctor')).toBe(1);
    expect(out).toMatch(
      /fail {2}saved payout accounts: 1 encrypted with a key that is not in the settings\n {6}Add the old key/,
    );
    await database.query({ text: 'delete from payout_account' });
  });

  test('[SRV-4] asks Stripe whether it accepts the key, and says that nobody knows if Stripe does not answer', async () => {
    const refusal = (status: number) => () => ({ status, body: { error: { type: 'x', message: 'No canary key' } } });
    stripe.answer = refusal(401);
    expect(await run('doctor')).toBe(1);
    expect(out).toMatch(/fail {2}key of stripe: Stripe refuses it, .+\n {6}Copy the key again/);
    expect(stripe.asked.at(-1)).toMatchObject({ method: 'GET', path: '/v1/checkout/sessions' });
    stripe.answer = refusal(403);
    expect(await run('doctor')).toBe(1);
    expect(out).toMatch(/fail {2}key of stripe: .+ may not read Checkout sessions/);
    stripe.answer = () => 'break';
    expect(await run('doctor')).toBe(1);
    expect(out).toMatch(/\?\? {4}key of stripe: Stripe did not answer \(StripeConnectionError\)/);
    expect(out).not.toContain('canary');
    stripe.answer = accepts;
  });

  test('[SRV-9] names operators without origin or webhook address, and the last audit and backup', async () => {
    await database.query({ text: `update operator set webhook_url = null, allowed_origins = '{}'` });
    await database.query({
      text: `insert into maintenance_run (kind, at, faults) select kind, now() - interval '3 days', 0 from unnest('{audit,full-audit,backup}'::text[]) kind`,
    });
    expect(await run('doctor')).toBe(1);
    expect(out).toMatch(/fail {2}origins of acme: none, .+\n {6}Allow .+ add-origin acme/);
    expect(out).toMatch(/note {2}webhook address of acme: none/);
    expect(out).toMatch(/fail {2}backup: 3 days ago/);
    expect(out).toMatch(/ok {4}full audit of the ledger: 3 days ago/);
    await database.query({ text: 'update maintenance_run set faults = 2' });
    await run('doctor');
    expect(out).toMatch(/fail {2}audit of the ledger: 3 days ago, with 2 faults/);
    await database.query({ text: 'delete from maintenance_run' });
    await database.query({
      text: `update operator set webhook_url = 'https://hooks.acme.example/', allowed_origins = '{https://acme.example}'`,
    });
    expect(await run('doctor')).toBe(0);
    expect(out).toMatch(/note {2}backup: none is known/);
  });

  test('[SRV-9] asks each bonus engine once, as the cashier does', async () => {
    const engine = await openFakeEngine();
    await useEngine(database, engine.url, { operatorId: 'acme' });
    const doctor = () => run('doctor', { SANDBOX: '1' });
    await doctor();
    expect(out).toMatch(/(ok {2}|note) {2}bonus engine of acme: 0 bonuses in \d+ ms/);
    expect(engine.questions).toMatchObject([{ userId: 'opencashier-doctor' }]);
    engine.bonuses.set('opencashier-doctor', [{ ...engineBonus('wrong'), currency: 'USX' }]);
    await doctor();
    expect(out).toMatch(/fail {2}bonus engine of acme: leaves out bonuses: bonuses\.0\.currency: .+USX/);
    engine.behaviour = 'broken';
    await doctor();
    expect(out).toMatch(/fail {2}bonus engine of acme: status 500\n {6}Users see the last answer/);
    await database.query({ text: `update operator set settings = settings - 'bonusEngine'` });
    await engine.close();
  });

  test('says what is wrong and what to do', async () => {
    await database.query({ text: 'update operator set webhook_disabled_at = now()' });
    expect(await run('doctor')).toBe(1);
    expect(out).toMatch(/fail {2}webhooks of acme: switched off since .+\n {6}Fix/);
    await database.query({ text: `delete from schema_migration where name = 'baseline/operators'` });
    const refusing = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const address = refusing.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const ahead = { ...systemClock, now: () => systemClock.now() + 60_000 };
    const code = await run(
      'doctor',
      {
        PUBLIC_URL: 'http://pay.example',
        REDIS_URL: `redis://:canary@127.0.0.1:${port}`,
        STRIPE_SECRET_KEY: '',
        STRIPE_WEBHOOK_SECRET: '',
        CRYPTO_FILE: join(place.dataDir, 'no-such-file.json'),
        WIDGET_DIR: place.dataDir,
        TOKEN_SECRET: '',
      },
      { clock: ahead },
    );
    await new Promise((resolve) => refusing.close(resolve));
    expect(code).toBe(1);
    for (const name of ['public address', 'token secret', 'clock', 'tables', 'Redis', 'provider crypto', 'widget']) {
      expect(out).toMatch(new RegExp(`fail {2}${name}: .+\\n {6}\\S`));
    }
    expect(out).not.toContain('canary');
    expect(await run('list operators')).toBe(1);
    expect(errors).toContain('start the cashier first');
  });

  test('tests the disk if nobody else holds the embedded database', async () => {
    await database.close();
    await run('doctor', {}, { open: openWithoutMigration });
    expect(out).toContain(database.kind === 'embedded' ? 'commits reach the disk' : 'PostgreSQL: reachable');
  });

  test('names the settings that it cannot read', async () => {
    expect(await run('doctor', { PORT: 'x', DATABASE_URL: 'mysql://canary' })).toBe(1);
    expect(out).toContain('PORT must be');
    expect(out).toContain('DATABASE_URL must be');
    expect(out).not.toContain('canary');
  });
});
