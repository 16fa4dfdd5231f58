/** `connections …` beside a running cashier on the embedded database. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { openWithoutMigration } from '../database/connection/open-database.ts';
import { copyTemplate } from '../database/testing/test-template.ts';
import { createLogger } from '../observability/logger.ts';
import { StripeApi } from '../providers/stripe/stripe-api.fixture.ts';
import { widgetFixture } from '../transports/testing/running-server.ts';
import { runCommand } from './run-command.fixture.ts';

const MARK = 'CANARYMARK';
const secrets = { secretKey: `sk_test_${MARK}00000000000000abcd`, webhookSecret: `whsec_${MARK}0000000000000wxyz` };

let app: App;
let folder: string;
let environment: Record<string, string>;
const stripe = new StripeApi();
let stripeApi: Awaited<ReturnType<StripeApi['open']>>;
beforeAll(async () => {
  stripeApi = await stripe.open();
  folder = mkdtempSync(join(tmpdir(), 'cashier-connections-'));
  await copyTemplate(folder);
  environment = {
    DATA_DIR: folder,
    PORT: '0',
    SANDBOX: '1',
    SANDBOX_PROVIDER_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    MASTER_KEY: `2026-11:${'k'.repeat(40)}`,
    PUBLIC_URL: 'https://pay.example',
    WIDGET_DIR: widgetFixture,
  };
  app = await createApp(readConfig(environment), { logger: createLogger('silent') });
  await app.start();
  await run('create-operator acme --name Acme --origin https://www.acme.example');
});
afterAll(async () => {
  await app?.stop();
  await stripe.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: string) => runCommand(command, { environment, open: openWithoutMigration, stripeApi });
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

test('[SRV-4] an operator gets a connection, tests it, enables it and replaces its secrets', async () => {
  const all = file('secrets.json', JSON.stringify(secrets));
  const made = await run(
    `connections create acme --provider stripe --name main --mode test --currencies EUR,USD --option productName=Chips --secrets ${all} --by maria`,
  );
  expect(made).toMatchObject({ exitCode: 0, errors: '' });
  expect(made.out).not.toContain('Still needed');
  expect(made.out).toMatch(/https:\/\/pay\.example\/providers\/stripe\/[0-9a-f-]{36}\/callbacks/);
  stripe.answer = () => ({ status: 200, body: { object: 'list', data: [] } });
  expect(await run('connections test acme main')).toMatchObject({ exitCode: 0, out: 'Stripe accepts the key.\n' });
  stripe.answer = () => ({ status: 401, body: { error: { type: 'invalid_request_error' } } });
  expect(await run('connections test acme main')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('Stripe refuses secretKey'),
  });
  expect((await run('connections enable acme main')).out).toContain('it is enabled');
  const next = file('next.json', JSON.stringify({ webhookSecret: `whsec_${MARK}next0000000000000` }));
  const rotated = await run(`connections rotate acme main --secrets ${next} --old-secrets-hours 2`);
  expect(rotated.out).toContain('Replaced webhookSecret of main.');
  expect(rotated.out).toContain('Callbacks may be signed with the old secrets until');
  expect((await run('connections update acme main --currencies all')).exitCode).toBe(0);
  expect((await run('connections disable acme main')).out).toContain('it is disabled');
  expect((await run('connections acme')).out).toMatch(/main +stripe +test +all +no/);
  expect(JSON.parse((await run('connections show acme main')).out)).toMatchObject({
    options: { productName: 'Chips' },
  });
  expect((await run('doctor')).out).toContain('connections: 1, under the master key 2026-11');
  const history = (await run('history acme')).out;
  expect(history).toContain('maria');
  for (const command of ['history acme --json', 'connections list acme --json', 'connections show acme main']) {
    expect((await run(command)).out, command).not.toContain(MARK);
  }
});

test('[SRV-4] a new connection says which secret is still needed, and by which command it comes', async () => {
  const half = file('half.json', JSON.stringify({ secretKey: secrets.secretKey }));
  const made = await run(`connections create acme --provider stripe --name half --mode test --secrets ${half}`);
  expect(made.out).toContain('Still needed: webhookSecret. Add it by `connections rotate acme half --secrets FILE`.');
  const late = file('late.json', JSON.stringify({ webhookSecret: secrets.webhookSecret }));
  const rotated = await run(`connections rotate acme half --secrets ${late}`);
  // It was never set, so callbacks cannot be signed with an old one.
  expect(rotated).toMatchObject({ exitCode: 0, out: expect.not.stringContaining('old secrets') });
});

test.each([
  ['no JSON', `{"secretKey": "${MARK}`, 'is no JSON'],
  [
    'another form',
    JSON.stringify({ secretKey: MARK }),
    'secrets.secretKey: It must be a complete secret key of Stripe',
  ],
  ['no secrets', '{}', 'secrets.secretKey: It is required'],
])('[SRV-4] a file with %s is refused, and none of it is printed', async (_what, content, words) => {
  const path = file('wrong.json', content);
  const printed = await run(`connections create acme --provider stripe --name wrong --mode test --secrets ${path}`);
  expect(printed.exitCode).toBeGreaterThan(0);
  expect(printed.errors).toContain(words);
  expect(printed.errors).not.toContain(MARK);
});

test.each([
  ['connections show acme none', 'acme has no connection none'],
  ['connections create acme --provider stripe --name a --mode test --secrets /nowhere', 'could not be read: ENOENT'],
  ['connections update acme main', 'Give at least one of'],
  ['connections update acme main --option x', '--option must be a name'],
])('[SRV-4] %s says what is wrong', async (command, words) => {
  expect(await run(command)).toMatchObject({ errors: expect.stringContaining(words) });
});
