/** `opencashier` as an operator's engineer runs it, on a database of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import { createTestClock } from '@opencashier/core/time/test-clock';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openWithoutMigration } from '../database/connection/open-database.ts';
import type { Database } from '../database/database.ts';
import { forgetOperator } from '../database/testing/forget-operator.fixture.ts';
import { makeTestPlace, silentLogger, type TestPlace } from '../database/testing/test-database.ts';
import { loadOperators } from '../operators/operators.ts';
import { createSeal } from '../outbox/sealed-data.ts';
import { StripeApi } from '../providers/stripe/stripe-api.fixture.ts';
import { widgetFixture } from '../transports/testing/running-server.ts';
import { signWebhook } from '../webhooks/send-webhook.ts';
import { deliverWebhooks } from '../webhooks/webhook-deliveries.ts';
import { runCommand } from './run-command.fixture.ts';

let place: TestPlace;
let database: Database;
let secrets: string[];
let settings: Record<string, string>;
beforeAll(async () => {
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
  stripeApi = await stripe.open();
  stripe.answer = () => ({ status: 200, body: { object: 'list', data: [], has_more: false } });
  // As on a new machine: there are no tables yet.
  expect(await run(create, {}, { open: openWithoutMigration })).toBe(0);
  secrets = [printed('secret key'), printed('webhook secret')];
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
const stripe = new StripeApi();
let stripeApi: Awaited<ReturnType<StripeApi['open']>>;

async function run(
  command: string,
  environment: Record<string, string> = {},
  { clock = systemClock, open = opened }: { clock?: Clock; open?: typeof openWithoutMigration } = {},
): Promise<number> {
  const printed = await runCommand(command, { environment: { ...settings, ...environment }, clock, open, stripeApi });
  ({ out, errors } = printed);
  return printed.exitCode;
}

const printed = (what: string): string => new RegExp(`${what} {2,}(\\S+)`).exec(out)?.[1] ?? '';

const create =
  'create-operator acme --name "Acme Ltd" --origin https://www.acme.example --webhook-url https://api.acme.example/h?k=hidden';

describe('[SRV-1] the first operator', () => {
  test('is made on an empty database, with secrets that are shown once and work', async () => {
    const [secretKey = '', webhookSecret = ''] = secrets;
    expect(secretKey).toMatch(/^sk_[\w-]{43}$/);
    expect(webhookSecret).toMatch(/^whsec_[\w+/=]{44}$/);
    expect(await run('list operators')).toBe(0);
    expect(out).toMatch(
      /acme\s+Acme Ltd\s+https:\/\/www\.acme\.example\s+https:\/\/api\.acme\.example\/h\s+cashier\s+–\s+–\s+1/,
    );
    expect(out).not.toMatch(/hidden|sk_|whsec_/);
    expect(await run('add-origin acme https://m.acme.example https://www.acme.example')).toBe(0);
    expect(out).toContain('https://www.acme.example https://m.acme.example\n');
    expect(await run('add-origin acme https://m.acme.example/pay')).toBe(2);
    expect(await run('add-origin nobody https://m.acme.example')).toBe(1);
    expect(await run(create)).toBe(1);
    expect(errors).toBe('The operator acme already exists.\n');

    out = '';
    expect(await run('rotate-key acme')).toBe(0);
    const second = printed('secret key');
    expect(out).toContain('Older keys stay valid until');
    expect(await run('rotate-webhook-secret acme --until 2999-01-01')).toBe(0);
    const newest = printed('webhook secret');
    const operators = await loadOperators(database, createTestClock(), () => undefined);
    for (const key of [secretKey, second]) expect((await operators.bySecretKey(key))?.partnerKey).toBe('acme');
    expect(await signers(database)).toEqual([newest, webhookSecret]);
    // The dates of `--until` are past.
    await database.query({ text: `update operator set webhook_old_secrets_until = now() - interval '1 second'` });
    await database.query({
      text: `update operator_api_key set revoked_at = now() - interval '1 second' where revoked_at is not null`,
    });
    await operators.refresh();
    expect(await operators.bySecretKey(secretKey)).toBeUndefined();
    expect((await operators.bySecretKey(second))?.partnerKey).toBe('acme');
    operators.stop();
    expect(await signers(database)).toEqual([newest]);
    const body = '{}';
    const headers = signWebhook({ id: 'm', body, secrets: [newest] }, Date.now());
    expect(new Webhook(newest).verify(body, headers)).toEqual({});
  });

  /** The secrets that the next delivery would be signed with. */
  async function signers(database: Database): Promise<readonly string[]> {
    await database.query({
      text: `with delivery as (insert into webhook_delivery (operator_id, type, body) values ('acme', 'deposit.processed', '{}') returning *)
        insert into webhook_queue (operator_id, delivery_id) select operator_id, id from delivery`,
    });
    const work = deliverWebhooks({
      database,
      clock: systemClock,
      allowInsecure: false,
      seal: createSeal('one'),
      logger: silentLogger,
    });
    return (await work.claim([]))[0]?.secrets ?? [];
  }

  test('[SRV-5] is not made with a webhook into a private network, or with a password in its address', async () => {
    const make = (url: string) =>
      `create-operator inside --name Inside --origin https://in.example --webhook-url ${url}`;
    for (const url of [
      'https://127.0.0.1/h',
      'https://[::ffff:10.0.0.1]/h',
      'https://[64:ff9b::a9fe:a9fe]/h',
      'https://localhost/h',
      'https://user:pw@api.acme.example/h',
      'http://api.acme.example/h',
    ]) {
      expect(await run(make(url)), url).toBe(2);
      expect(errors, url).toContain('--webhook-url must begin with https://');
    }
    expect(await run('list operators')).toBe(0);
    expect(out).not.toContain('inside');
    const sandbox = { SANDBOX: '1', SANDBOX_PROVIDER_SECRET: `whsec_${'s'.repeat(32)}` };
    expect(await run(make('https://user:pw@localhost/h'), sandbox)).toBe(2);
    expect(await run(make('http://localhost:3001/h'), sandbox)).toBe(0);
    // A restored or copied database may have such an address. Nothing is sent there, and the doctor says so.
    expect(await run('doctor')).toBe(1);
    expect(out).toMatch(/fail {2}webhook address of inside: not https\n {6}\S/);
    await forgetOperator(database, 'inside');
  });

  test('of the settings keeps its secrets: the command refuses to change them, because every start renews them', async () => {
    await database.query({ text: `update operator_api_key set label = 'seed', revoked_at = null` });
    expect(await run('rotate-key acme')).toBe(1);
    expect(errors).toContain('SEED_DEMO_OPERATOR_KEY');
  });
});

test.each([
  ['', 0],
  ['nonsense', 2],
  ['toString', 2],
  ['create-operator', 2],
  ['create-operator Acme --name A --origin https://a.example', 2],
  ['create-operator beta --origin https://a.example', 2],
  ['create-operator beta --name B', 2],
  ['create-operator beta --name B --origin https://a.example/path', 2],
  ['create-operator beta --name B --origin https://a.example --webhook-url http://a.example', 2],
  ['create-operator beta --name B --origin https://a.example --secret x', 2],
  ['rotate-key acme --until yesterday', 2],
  ['rotate-key acme --until 2001-01-01', 2],
  ['list transactions', 2],
  ['list transactions acme --status done', 2],
  ['list everything', 2],
  ['replay 17', 2],
  ['audit now', 2],
  ['doctor now', 2],
  ['catalogue', 2],
  ['catalogue list', 2],
  ['catalogue list acme --min 5', 2],
  ['catalogue disable acme', 2],
  ['catalogue limits acme card', 2],
  ['catalogue limits acme card USD --group --min 5', 2],
  ['catalogue order acme card card', 2],
  ['catalogue enable acme card --by "two words"', 2],
])('a wrong command opens no database: %s', async (command, code) => {
  const nowhere = { DATA_DIR: join(place.dataDir, 'nowhere'), DATABASE_URL: '' };
  expect(await run(command, nowhere)).toBe(code);
  if (code === 2) expect(errors).toContain('opencashier help');
});

test('the help lists every command, and the help of a command lists its options', async () => {
  expect(await run('help')).toBe(0);
  for (const name of ['create-operator', 'reports', 'catalogue', 'migrate', 'doctor'])
    expect(out).toContain(`  ${name}`);
  expect(await run('help reports')).toBe(0);
  expect(out).toContain('dismisses a duplicate event, such as a duplicate chargeback');
  expect(await run('debts settle --help')).toBe(0);
  expect(out).toMatch(/--amount <amount> +pays a part of the debt/);
  expect(await run('auditt')).toBe(2);
  expect(errors).toContain('Did you mean audit?');
});

test.each([
  ['day-closes propose acme 29.11.2026 --by eve', '<day> is wrong.'],
  ['day-closes confirm acme none --by ivan', '<close> is wrong.'],
  ['settlements set-mapping acme Str@pe main none.json --by eve', '<provider> is wrong.'],
  ['settlements list acme --limit many', '--limit is wrong.'],
])('what is wrong with %s is named as the command has it', async (command, words) => {
  expect(await run(command)).toBe(2);
  expect(errors).toContain(words);
});

describe('[SRV-1] the catalogue', () => {
  const items = async (more = ''): Promise<Record<string, unknown>[]> => {
    out = '';
    expect(
      await run(`catalogue list acme --json ${more}`, {
        SANDBOX: '1',
        SANDBOX_PROVIDER_SECRET: `whsec_${'s'.repeat(32)}`,
      }),
    ).toBe(0);
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  test('is switched, limited, put in order and listed; wrong changes are refused, and who made a change is stored', async () => {
    const names = (await items()).map(({ name }) => name);
    expect(names).toContain('card');
    expect(await run('catalogue disable acme card upi --by maria')).toBe(0);
    expect(await run('catalogue limits acme card USD --min 20 --max 100')).toBe(0);
    expect(await run('catalogue order acme pix card')).toBe(0);
    const changed = await items();
    expect(changed.slice(0, 2).map(({ name }) => name)).toEqual(['pix', 'card']);
    expect(changed[1]).toMatchObject({ enabled: false, isOffered: false, limits: { USD: { min: '20', max: '100' } } });
    expect(changed).toContainEqual(expect.objectContaining({ provider: 'crypto', isProviderSetUp: false }));

    expect(await run('catalogue limits acme card USD --min 1.005')).toBe(1);
    expect(errors).toContain('limits.USD.min: Expected an amount of USD with at most 2 decimals.');
    expect(await run('catalogue disable acme no_such')).toBe(1);
    expect(await run('catalogue enable acme crad')).toBe(1);
    expect(errors).toContain('No method is called crad. Did you mean card?');
    expect(await run('catalogue limits acme crad USD')).toBe(1);
    expect(await run('catalogue list nobody')).toBe(1);

    for (const command of ['enable acme card upi', 'limits acme card USD', 'disable acme crypto --group']) {
      expect(await run(`catalogue ${command}`)).toBe(0);
    }
    const after = await items();
    expect(after.find(({ name }) => name === 'card')).toMatchObject({ enabled: true, isOffered: true, limits: {} });
    expect(after.find(({ name }) => name === 'usdt')).toMatchObject({ enabled: true, isOffered: false });
    expect((await items('--group')).find(({ name }) => name === 'crypto')).toMatchObject({ enabled: false });
    const kept = await database.query<{ staff: string }>({
      text: `select staff from catalogue_change where operator_id = 'acme' order by version`,
    });
    expect(kept.map(({ staff }) => staff)).toEqual(['maria', ...Array.from({ length: 5 }, () => 'opencashier')]);
  });
});

describe('[SRV-1] [UI-1] own texts', () => {
  test('are applied from a file, listed beside the shipped texts, and removed by an empty file', async () => {
    const file = join(place.dataDir, 'texts.json');
    const apply = (content: string, rest = '') => {
      writeFileSync(file, content);
      return run(`texts apply acme ar ${file} ${rest}`);
    };
    expect(await run('texts list acme')).toBe(0);
    expect(out).toBe('None.\n');
    expect(await apply('{"empty.hint": "شغّل VPN"}', '--by maria')).toBe(0);
    expect(out).toContain('now have version 1');
    expect(await run('texts list acme --json')).toBe(0);
    expect(JSON.parse(out)).toEqual({
      locale: 'ar',
      key: 'empty.hint',
      text: 'شغّل VPN',
      replaces: 'اختر منطقة أخرى',
    });
    expect(await apply('{"pay": "x", "none": "y"}')).toBe(1);
    expect(errors).toContain('texts.pay: The text lost {amount}. texts.none: The widget has no text with this key.');
    for (const wrong of ['[]', '{"pay": 1}', 'x']) expect(await apply(wrong)).toBe(2);
    expect(await run(`texts apply acme xx ${file.replace('texts', 'missing')}`)).toBe(2);
    expect(await apply('{}')).toBe(0);
    expect(await run('texts list acme')).toBe(0);
    expect(out).toBe('None.\n');
    const kept = await database.query<{ staff: string }>({
      text: `select staff from own_texts_change where operator_id = 'acme' order by version`,
    });
    expect(kept.map(({ staff }) => staff)).toEqual(['maria', 'opencashier']);
  });
});

describe('[SRV-5] deliveries and [SRV-2] the ledger', () => {
  test('are listed, replayed and audited; an unsound ledger ends with 1', async () => {
    expect(await run('audit')).toBe(0);
    expect(out).toBe('The ledger is sound.\n');
    const text = `select until = date_trunc('day', now() - interval '1 hour', 'UTC') as midnight from audit_point where operator_id = 'acme'`;
    expect(await database.query({ text })).toEqual([{ midnight: true }]);
    out = '';
    expect(await run('audit --full')).toBe(0);
    expect(await run('audit')).toBe(0);
    expect(out).toBe('The ledger is sound.\n');
    out = '';
    expect(await run('list deliveries acme --json --limit 1')).toBe(0);
    const { id } = JSON.parse(out) as { id: string };
    expect(errors).toMatch(/^More: --cursor \S+\n$/);
    errors = '';
    expect(await run('list deliveries acme --cursor nonsense')).toBe(2);
    expect(errors).toContain('--cursor is wrong');
    expect(await run(`replay ${id}`)).toBe(0);
    expect(out).toMatch(/will send deposit\.processed \S+ again/);
    out = '';
    expect(await run('list transactions acme --user ann --status waiting')).toBe(0);
    expect(out).toBe('None.\n');
    expect(await run('list deliveries nobody')).toBe(1);
    // The owner of the tables can do this.
    await database.query({
      text: `alter table account disable trigger account_begins;
        insert into account (operator_id, kind, owner, asset, balance) values ('acme', 'user', 'ann', 'USD', 5);
        alter table account enable trigger account_begins`,
    });
    expect(await run('audit')).toBe(1);
    const sentence = /has the balance 5, but its postings sum to 0\.\nThe ledger is NOT sound\./;
    expect(out).toMatch(sentence);
    expect(await run('audit --full')).toBe(1);
    expect(out).toMatch(sentence);
  });

  test('[SRV-9] each audit and backup tells the database of its run, for the metrics', async () => {
    expect(await run('backup-done')).toBe(0);
    const runs = await database.query({
      text: `select kind, faults from maintenance_run where at > now() - interval '5 minutes' order by kind`,
    });
    expect(runs).toEqual([
      { kind: 'audit', faults: 1 },
      { kind: 'backup', faults: 0 },
      { kind: 'full-audit', faults: 1 },
    ]);
  });

  test('a command on the embedded database fails with a clear error while the cashier holds it', async () => {
    const code = await run('list operators', {}, { open: openWithoutMigration });
    const isEmbedded = database.kind === 'embedded';
    if (isEmbedded) expect([code, errors]).toEqual([1, expect.stringContaining('stop the cashier')]);
    else expect(code).toBe(0);
    // A doctor that can look inside finds the fault of the audit above.
    expect(await run('doctor', {}, { open: openWithoutMigration })).toBe(isEmbedded ? 0 : 1);
    if (!isEmbedded) expect(out).toContain('ago, with 1 fault');
    expect(out).toContain(isEmbedded ? 'in use by a running cashier' : 'PostgreSQL: reachable');
  });
});
