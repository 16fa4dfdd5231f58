/** Settings, keys and history of an operator, through the operator API of a whole server and on the command line. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '@opencashier/contract/api';
import { operatorSettingsSchema, settingChangePageSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keptOpen, runCommand } from '../../cli/run-command.fixture.ts';
import { createOperator } from '../../operators/manage-operators.ts';
import { appOperatorKey, type RunningApp } from '../../transports/testing/running-app.ts';
import { withApp } from '../../transports/testing/with-app.fixture.ts';

let running: RunningApp;
let key: string;
let folder: string;
withApp((app) => {
  running = app;
});
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cashier-settings-'));
  const secrets = await createOperator(running.database, {
    partnerKey: 'acme',
    name: 'Acme',
    origins: ['https://www.acme.example'],
  });
  key = secrets?.secretKey ?? '';
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ask(path: string, body?: object, secretKey = key) {
  const response = await fetch(`${running.url}/operator/v1${path}`, {
    method: body === undefined ? 'GET' : 'PATCH',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
const settings = async () => v.parse(operatorSettingsSchema, (await ask('/settings')).body);
const history = async (setting: string) =>
  v.parse(settingChangePageSchema, (await ask(`/setting-changes?setting=${encodeURIComponent(setting)}`)).body).changes;

const cli = (command: string, more: Record<string, string> = {}) =>
  runCommand(command, {
    environment: { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: 't'.repeat(32), ...more },
    open: keptOpen(running.database),
  });
const fieldsOf = (answer: { body: { error?: { fields?: { path: string }[] } } }) =>
  answer.body.error?.fields?.map(({ path }) => path);

async function tokenOf(userId: string): Promise<string> {
  const response = await fetch(`${running.url}/operator/v1/user-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ userId, currency: 'USD', country: 'IN' }),
  });
  return ((await response.json()) as { token: string }).token;
}
const deposit = async (token: string, amount = '25.00') => {
  const request = { amount, currency: 'USD', depositId: randomUUID(), paymentType: 'card' };
  return running.clients.http.call(calls['deposit-create'], request, { token });
};
const frameRule = async () =>
  (await fetch(`${running.url}/cashier/deposit?partner=acme`)).headers.get('content-security-policy');

describe('[SRV-1] the settings of an operator', () => {
  test('change through the API, apply at once, and each change is recorded with its key', async () => {
    expect(await settings()).toMatchObject({
      operator: 'acme',
      depositsOpen: true,
      playthrough: '1',
      webhookUrl: null,
    });
    const change = {
      name: 'Acme Ltd',
      addOrigins: ['https://m.acme.example'],
      webhookUrl: 'https://api.acme.example/hook?k=hidden',
      playthrough: '2.5',
      withdrawalCodes: [{ channel: 'sms', currency: 'USD', from: '100' }],
      staff: 'eve',
    };
    const { status, body } = await ask('/settings', change);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'Acme Ltd',
      origins: ['https://www.acme.example', 'https://m.acme.example'],
      webhookUrl: 'https://api.acme.example/hook?k=hidden',
      withdrawalCodes: [{ channel: 'sms', currency: 'USD', from: '100' }],
    });
    expect(await frameRule()).toContain('https://m.acme.example');
    const { keys } = (await ask('/api-keys')).body as { keys: { keyId: string; isThis: boolean }[] };
    const [own] = keys.filter(({ isThis }) => isThis);
    expect(await history('operator.name')).toMatchObject([
      { by: 'eve', keyId: own?.keyId, before: 'Acme', after: 'Acme Ltd' },
    ]);
    expect(await history('operator.webhookUrl')).toMatchObject([
      { before: null, after: 'https://api.acme.example/hook' },
    ]);
    expect(JSON.stringify((await ask('/setting-changes')).body)).not.toMatch(/hidden|sk_|whsec_/);

    // The same change again changes nothing, so nothing is recorded.
    await ask('/settings', change);
    expect(await history('operator.name')).toHaveLength(1);
  });

  test('sites are removed, and then no longer show the cashier', async () => {
    await ask('/settings', { removeOrigins: ['https://m.acme.example'] });
    expect(await frameRule()).not.toContain('https://m.acme.example');
    expect((await history('operator.origins'))[0]).toMatchObject({ by: 'operator-api' });
  });

  test.each([
    [{ addOrigins: ['https://acme.example/pay'] }, ['addOrigins.0']],
    [{ name: ' ' }, ['name']],
    [{ playthrough: 'often' }, ['playthrough']],
    [{ withdrawalCodes: [{ channel: 'sms', from: '100' }] }, ['withdrawalCodes.0.from']],
    [{ depositLimits: [{ paymentMethod: 'card', currency: 'USD', min: '20', max: '10' }] }, ['depositLimits.0.max']],
    [{ depositLimits: [{ paymentMethod: 'upi', currency: 'EUR', min: '1', max: '10' }] }, ['depositLimits.0.currency']],
    [
      { depositLimits: [{ paymentMethod: 'card', currency: 'USD', min: '9007199254740993', max: '9007199254740992' }] },
      ['depositLimits.0.max'],
    ],
    [{ withdrawalCodes: [{ channel: 'sms', currency: 'XXX' }] }, ['withdrawalCodes.0.currency']],
    [
      { withdrawalCodes: [{ channel: 'sms' }, { channel: 'app', paymentMethod: 'card' }] },
      ['withdrawalCodes.1.paymentMethod'],
    ],
    [
      { depositLimits: [{ paymentMethod: 'crad', currency: 'USD', min: '20', max: '30' }] },
      ['depositLimits.0.paymentMethod'],
    ],
    [{ webhookUrl: 'nonsense' }, ['webhookUrl']],
    [{ webhookUrl: 'https://user:pw@acme.example/' }, ['webhookUrl']],
    [{ unknown: 1 }, ['unknown']],
  ])('%j is refused, and names the place', async (change, places) => {
    const before = await settings();
    const answer = await ask('/settings', change);
    expect([answer.status, fieldsOf(answer as never)]).toEqual([400, places]);
    expect(await settings()).toEqual(before);
  });

  test('a rule about a method that cannot be meant is refused, and the method that is meant is named', async () => {
    const file = join(folder, 'misspelt.json');
    writeFileSync(file, '[{"channel":"sms","paymentMethod":"card"}]');
    const printed = await cli(`update-operator acme --codes ${file}`);
    expect(printed.exitCode).toBe(1);
    expect(printed.errors).toContain(
      'The rule is for withdrawals, and card has none. Did you mean card_stripe_payout or card_withdrawal?',
    );
    const answer = await ask('/settings', { withdrawalCodes: [{ channel: 'sms', paymentMethod: 'card_witdrawal' }] });
    expect(JSON.stringify(answer.body)).toContain('no method card_witdrawal. Did you mean card_withdrawal?');
  });

  test('a webhook address into a private network is refused where there is no sandbox', async () => {
    const refused = await cli('update-operator acme --webhook-url https://127.0.0.1/h');
    expect(refused).toMatchObject({ exitCode: 1, out: '' });
    expect(refused.errors).toContain('leads to a public address (private address)');
  });

  test('limits of deposits apply to new deposits', async () => {
    const token = await tokenOf('limited');
    expect((await deposit(token)).status).toBe(200);
    await ask('/settings', { depositLimits: [{ paymentMethod: 'card', currency: 'USD', min: '30', max: '0' }] });
    expect((await deposit(token)).error?.code).toBe('limit-min');
    await ask('/settings', { depositLimits: [] });
    expect((await deposit(token)).status).toBe(200);
  });

  test('closed deposits are refused at once, also by a node that does not know it yet', async () => {
    const token = await tokenOf('waiting');
    // On the command line, so that the running server is not told.
    expect((await cli('update-operator acme --deposits off')).out).toContain('depositsOpen: on -> off');
    expect(await deposit(token)).toMatchObject({ status: 503, error: { code: 'temporarily-unavailable' } });
    await ask('/settings', { depositsOpen: true });
    expect((await deposit(token)).status).toBe(200);
  });

  test('debugging is switched on for one operator', async () => {
    // The sandbox always allows it, so the setting itself is compared.
    await ask('/settings', { isDebugAllowed: true });
    expect(await settings()).toMatchObject({ isDebugAllowed: true });
    await cli('update-operator acme --debug off');
    expect(await settings()).toMatchObject({ isDebugAllowed: false });
  });

  test('the settings of the server go before those of the demo operator', async () => {
    const answer = await ask('/settings', { addOrigins: ['https://other.example'] }, appOperatorKey);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'state-conflict' } } });
    expect((await ask('/settings', { name: 'Demo' }, appOperatorKey)).status).toBe(200);
    const seeded = await ask('/setting-changes?setting=operator.origins', undefined, appOperatorKey);
    expect(seeded.body).toMatchObject({ changes: [{ by: 'server-settings', after: ['https://play.example'] }] });
  });
});

describe('[SRV-1] the command line', () => {
  test('shows the settings, changes them from files, and prints before and after', async () => {
    const file = join(folder, 'codes.json');
    writeFileSync(file, '[{"channel":"email"}]');
    const printed = await cli(`update-operator acme --name "Acme Two" --codes ${file} --by bob`);
    expect(printed.exitCode).toBe(0);
    expect(printed.out).toContain('name: Acme Ltd -> Acme Two');
    expect(printed.out).toMatch(/withdrawalCodes: .*sms.* -> \{"channel":"email"\}/);
    const shown = await cli('update-operator acme');
    expect(shown.out).toContain('name: Acme Two');
    expect(shown.out).not.toContain('hidden');
    expect(JSON.parse((await cli('update-operator acme --json')).out)).toEqual(await settings());
    expect((await cli('update-operator acme --name "Acme Two"')).out).toContain('Nothing has changed');
    expect((await cli('add-origin acme https://two.acme.example')).out).toContain('https://two.acme.example');
    expect((await cli('remove-origin acme https://two.acme.example')).exitCode).toBe(0);
    expect((await settings()).origins).toEqual(['https://www.acme.example']);
  });

  test.each([
    ['--deposits maybe', '--deposits must be `on` or `off`'],
    ['--playthrough often', '--playthrough is wrong: expected a factor'],
    ['--codes /nowhere.json', '/nowhere.json could not be read'],
    ['--add-origin https://acme.example/', 'is not an origin'],
    ['--name " "', '--name is wrong'],
  ])('refuses %s', async (options, words) => {
    const printed = await cli(`update-operator acme ${options}`);
    expect(printed.exitCode).toBe(2);
    expect(printed.errors).toContain(words);
  });

  test('lists the history page by page, with who made each change', async () => {
    const printed = await cli('history acme --setting operator.name');
    expect(printed.out).toMatch(/Z {2}operator\.name {2}by bob\n {2}before {2}"Acme Ltd"\n {2}after {3}"Acme Two"\n/);
    const json = (await cli('history acme --limit 1 --json')).out.trim().split('\n');
    expect(json).toHaveLength(1);
    expect((await cli('history acme')).out).toContain('operator-api');
    const page = await cli('history acme --limit 1');
    const cursor = /--cursor (\S+)/.exec(page.errors)?.[1] ?? '';
    expect((await cli(`history acme --limit 1 --cursor ${cursor}`)).out).not.toBe(page.out);
    expect(await cli('history acme --cursor nonsense')).toMatchObject({ exitCode: 2 });
  });

  test('lists the changes of a setting by its name in the API, and names the settings where it knows no change', async () => {
    expect(await history('name')).toEqual(await history('operator.name'));
    expect((await cli('history acme --setting name')).out).toContain('operator.name');
    const none = await cli('history acme --setting nonsense');
    expect(none).toMatchObject({ exitCode: 0, out: 'None.\n' });
    expect(none.errors).toMatch(/No setting nonsense was changed\. These were: .*operator\.name/);
  });

  test('adds a further key and revokes it; the history never has the key', async () => {
    const made = await cli('keys add acme --label back-office --by bob');
    const secret = /secret key\s+(\S+)/.exec(made.out)?.[1] ?? '';
    const id = /key id\s+(\S+)/.exec(made.out)?.[1] ?? '';
    expect((await ask('/settings', undefined, secret)).status).toBe(200);
    expect((await cli('keys list acme')).out).toMatch(new RegExp(`${id}\\s+back-office`));
    const listed = (await cli('keys list acme --json')).out.trim().split('\n');
    expect(listed.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ keyId: id, isValid: true }),
    );
    expect((await cli(`keys revoke acme ${id}`)).exitCode).toBe(0);
    expect(await cli(`keys revoke acme ${id}`)).toMatchObject({ exitCode: 1 });
    expect(await history('operator.secretKey')).toMatchObject([
      { by: 'opencashier', before: { keyId: id, label: 'back-office' }, after: null },
      { by: 'bob', before: null, after: { keyId: id } },
    ]);
    expect(await cli('keys add acme --label seed')).toMatchObject({ exitCode: 2 });
  });

  test('puts a coin box on sale and changes it, with a record of each change', async () => {
    const file = join(folder, 'box.json');
    writeFileSync(file, '{"price":"10.00","currency":"USD","gold":"1000","stock":5}');
    const printed = await cli(`boxes put acme starter ${file} --by eve`);
    expect(printed).toMatchObject({ exitCode: 0, errors: '', out: expect.stringContaining('starter') });
    writeFileSync(file, '{"price":"12.00","currency":"USD","gold":"1000","stock":5}');
    await cli(`boxes put acme starter ${file} --by eve`);
    expect((await cli('boxes list acme --json')).out).toContain('"price":"12.00"');
    expect(await history('box starter')).toMatchObject([
      { by: 'eve', before: { price: '10.00' }, after: { price: '12.00' } },
      { by: 'eve', before: null, after: { price: '10.00', stock: 5 } },
    ]);
    writeFileSync(file, '{"price":"12.00"}');
    const refused = await cli(`boxes put acme starter ${file}`);
    expect(refused.exitCode).toBe(2);
    expect(refused.errors).toContain('currency: This field is required.\ngold: This field is required.');
    writeFileSync(file, '{"price":"12.001","currency":"USD","gold":"1000","badges":"new"}');
    const wrong = await cli(`boxes put acme starter ${file}`);
    expect(wrong.errors).toContain('badges: This field is unknown. Did you mean badge?');
    writeFileSync(file, '{"price":"12.001","currency":"USD","gold":"1000"}');
    expect((await cli(`boxes put acme starter ${file}`)).errors).toContain('price: Give a price above zero in this');
  });

  test('settings with an endpoint of their own are recorded, too', async () => {
    await cli('approvals set acme --currency USD --above 500 --by eve');
    await cli('debts deposits acme --pay yes --by eve');
    await cli('catalogue disable acme card --by eve');
    await cli('catalogue enable acme card --by eve');
    await cli('rotate-key acme --by eve');
    expect(await history('approvals')).toMatchObject([{ by: 'eve', before: { thresholds: [] } }]);
    expect(await history('debts')).toMatchObject([
      { before: { paidByDeposits: false }, after: { paidByDeposits: true } },
    ]);
    expect((await history('catalogue')).map(({ after }) => after)).toEqual([
      { methods: {} },
      { methods: { card: { enabled: false } } },
    ]);
    expect((await history('operator.secretKey'))[0]).toMatchObject({
      by: 'eve',
      before: null,
      after: { rotated: true },
    });
  });
});
