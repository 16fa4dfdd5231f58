/** The search for a payment, through the operator API of a whole server and on the command line. */

import { randomUUID } from 'node:crypto';
import { type FoundPayment, lookupResponseSchema, unmatchedPageSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { keptOpen, runCommand } from '../../cli/run-command.fixture.ts';
import { forgetOperator } from '../../database/testing/forget-operator.fixture.ts';
import { createOperator } from '../../operators/manage-operators.ts';
import { atProvider, dataOf, intents, Person } from '../../transports/testing/person.ts';
import { appOperatorKey, type RunningApp } from '../../transports/testing/running-app.ts';
import { withApp } from '../../transports/testing/with-app.fixture.ts';

const eventsSchema = v.object({
  reports: v.array(v.object({ eventId: v.string() })),
  nextCursor: v.optional(v.string()),
});

let running: RunningApp;
withApp((app) => {
  running = app;
});

const ask = (path: string, key = appOperatorKey) =>
  fetch(`${running.url}/operator/v1${path}`, { headers: { authorization: `Bearer ${key}` } });

async function find(name: string, key?: string) {
  const response = await ask(`/payments?find=${encodeURIComponent(name)}`, key);
  expect(response.status).toBe(200);
  return v.parse(lookupResponseSchema, await response.json()).payments;
}

const cli = (command: string) =>
  runCommand(command, {
    environment: { DATABASE_URL: 'postgres://none/none' },
    open: keptOpen(running.database),
  });

const linesOf = (message: string) =>
  running.log.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message);

let person: Person;
let depositId: string;
let address: string;
let otherKey: string;
beforeAll(async () => {
  otherKey =
    (await createOperator(running.database, { partnerKey: 'other', name: 'Other', origins: [] }))?.secretKey ?? '';
  await running.database.query({
    text: `update operator set webhook_url = 'http://127.0.0.1:1/hooks', webhook_secrets = $1 where id = 'demo'`,
    values: [[`whsec_${Buffer.alloc(32, 4).toString('base64')}`]],
  });
  person = await Person.with(running, intents.tron);
  depositId = randomUUID();
  address = dataOf(await person.create(depositId)).depositAddress ?? '';
  expect(await atProvider(running, depositId, 'seen')).toBe(303);
  await person.becomes(depositId, { confirmations: 0 });
  expect(await atProvider(running, depositId, 'confirm', { blocks: '20' })).toBe(303);
  await person.becomes(depositId, { status: 1 });
});

describe('[SRV-3] a payment is found with all that happened to it', () => {
  let found: FoundPayment;
  beforeAll(async () => {
    const [first, ...others] = await find(depositId);
    expect(others).toEqual([]);
    if (first === undefined) throw new Error('not found');
    found = first;
  });

  test('its history, reports, journals and webhooks', async () => {
    expect(found).toMatchObject({
      type: 'deposit',
      id: depositId,
      matchedBy: expect.arrayContaining(['id']),
      operator: 'demo',
      userId: person.userId,
      paymentMethod: 'usdt',
      provider: 'sandbox',
      state: 'credited',
      currency: 'USDT',
      addresses: [address],
    });
    expect(found.history[0]).toMatchObject({ to: 'created', cause: 'create' });
    expect(found.history.at(-1)).toMatchObject({ to: 'credited', cause: 'provider' });
    expect(found.reports.at(-1)).toMatchObject({ outcome: 'paid', status: 'applied', currency: 'USDT' });
    const credit = found.journals.find(({ kind }) => kind === 'deposit_credit');
    expect(credit?.postings.map(({ account, owner, amount }) => ({ account, owner, amount }))).toEqual([
      { account: 'provider_clearing', owner: 'sandbox', amount: expect.stringMatching(/^-50/) },
      { account: 'user', owner: person.userId, amount: expect.stringMatching(/^50/) },
    ]);
    expect(found.webhooks).toMatchObject([{ type: 'deposit.processed', depositId }]);
    expect(JSON.stringify(found)).not.toMatch(/whsec_|"body"|fingerprint/);
  });

  test('by each of its names, in capital or small letters', async () => {
    const txid = found.transaction ?? found.reports.at(-1)?.transaction ?? '';
    expect(txid).not.toBe('');
    const names: [string, string][] = [
      [depositId.toUpperCase(), 'id'],
      [found.webhooks[0]?.id ?? '', 'id'],
      [found.journals[0]?.journalId ?? '', 'id'],
      [found.reference ?? '', 'reference'],
      [txid, 'transaction'],
      [txid.toUpperCase(), 'transaction'],
      [address, 'address'],
      [` ${address} `, 'address'],
      [person.userId, 'user'],
    ];
    for (const [name, by] of names) {
      const payments = await find(name);
      expect(
        payments.map(({ id }) => id),
        name,
      ).toEqual([depositId]);
      expect(payments[0]?.matchedBy, name).toContain(by);
    }
    for (const none of [randomUUID(), 'nobody', "'; --", '%', address.slice(0, -1)])
      expect(await find(none)).toEqual([]);
    expect((await ask('/payments')).status).toBe(400);
    expect((await ask(`/payments?find=${'x'.repeat(257)}`)).status).toBe(400);
    expect((await ask('/payments?find=a%00')).status).toBe(400);
  });

  test('only by its own operator; the command line finds the payments of all', async () => {
    for (const name of [depositId, address, person.userId]) expect(await find(name, otherKey)).toEqual([]);
    expect(await cli(`find ${address} --operator other`)).toMatchObject({ exitCode: 1, out: '' });
    const printed = await cli(`find ${address}`);
    expect(printed.exitCode).toBe(0);
    expect(printed.out).toContain(`deposit ${depositId}: 50`);
    expect(printed.out).toMatch(/move +confirming → credited|→ credited \(provider\)/);
    expect(printed.out).toMatch(/journal +deposit_credit: provider_clearing -50/);
    expect(printed.out).toMatch(/webhook deposit\.processed/);
    const json = JSON.parse((await cli(`find ${depositId} --json`)).out) as FoundPayment;
    expect(json.id).toBe(depositId);
  });

  test('a withdrawal as well, by its id, its user and its hold', async () => {
    const other = await Person.with(running, intents.redirect);
    const transfer = { transferId: randomUUID(), currency: 'USD', from: 'operator', to: 'main', amount: '150' };
    await fetch(`${running.url}/operator/v1/users/${other.userId}/transfers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(transfer),
    });
    const withdrawalId = randomUUID();
    const created = await other.call('withdrawal-create', {
      withdrawalId,
      amount: '100',
      currency: 'USD',
      paymentMethod: 'card_withdrawal',
      fields: { cardNumber: '4111111111111111' },
    });
    expect(created.status).toBe(200);
    for (const name of [withdrawalId, other.userId]) {
      const [withdrawal] = await find(name);
      expect(withdrawal).toMatchObject({ type: 'withdrawal', id: withdrawalId, state: 'held', amount: '100.00' });
      expect(withdrawal?.journals.map(({ kind }) => kind)).toContain('hold');
      expect(JSON.stringify(withdrawal)).not.toMatch(/(?:4111 ?1111|1111 ?1111)/);
    }
    expect(linesOf('payment moved')).toContainEqual(
      expect.objectContaining({ payment: withdrawalId, type: 'withdrawal', to: 'held', cause: 'create' }),
    );
  });
});

describe('[SRV-9] the log', () => {
  test('has one line for each change of a payment’s state, and no personal data', async () => {
    const [payment] = await find(depositId);
    const lines = linesOf('payment moved').filter(({ payment: id }) => id === depositId);
    expect(lines.map(({ from, to, cause }) => ({ ...(from !== undefined && { from }), to, cause }))).toEqual(
      payment?.history.map(({ at: _at, ...step }) => step),
    );
    for (const line of lines) {
      expect(line).toMatchObject({ type: 'deposit', operator: 'demo', provider: 'sandbox', level: 30 });
      expect(JSON.stringify(line)).not.toContain(person.userId);
    }
  });

  test.each(['25.01', '25.02', '25.14'])('logs no error when a provider refuses %s at once', async (amount) => {
    const before = running.log.length;
    const payer = await Person.with(running, { ...intents.redirect, amount });
    const id = randomUUID();
    expect((await payer.create(id)).error).toBeDefined();
    await payer.becomes(id, { status: 2 });
    const lines = running.log.slice(before).map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'payment moved', payment: id, to: 'declined' }));
  });

  test('logs no error when a provider declines later', async () => {
    const before = running.log.length;
    const payer = await Person.with(running, intents.redirect);
    const id = randomUUID();
    await payer.create(id);
    expect(await atProvider(running, id, 'decline')).toBe(303);
    await payer.becomes(id, { status: 2 });
    const lines = running.log.slice(before).map((line) => JSON.parse(line) as { level: number });
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });
});

test('[SRV-3] a report that names no payment is shown only to the operator that it names', async () => {
  const { database } = running;
  const told = (event: string, body: object, deposit: string | null = null) =>
    database.query({
      text: `insert into deposit_event (provider, event_id, body, body_hash, deposit_id, status, outcome)
        values ('sandbox', $1, $2, '\\x00', $3, 'parked', 'unknown-deposit')`,
      values: [event, JSON.stringify({ outcome: 'paid', providerRef: `ref of ${event}`, ...body }), deposit],
    });
  const [known] = await database.query<{ ref: string }>({
    text: 'select provider_ref as ref from deposit where id = $1',
    values: [depositId],
  });
  const lost = randomUUID();
  await told('theirs', { operatorId: 'demo', depositId: lost }, lost);
  await told('others', { operatorId: 'other' });
  await told('nobodys', {});
  await told('unknown operator', { operatorId: 'gone' });
  await told('wallet', { unassigned: { operator: 'other' } });
  await told('more of theirs', { operatorId: 'demo' });
  // The id is unknown, but the reference is that of a known payment, so its operator sees the report with the parked ones.
  await told('renamed', { depositId: lost, providerRef: known?.ref }, lost);

  const seen = async (path: string, key?: string) =>
    v.parse(eventsSchema, await (await ask(path, key)).json()).reports.map(({ eventId }) => eventId);
  expect((await seen('/unmatched-reports')).toSorted()).toEqual(['more of theirs', 'theirs']);
  expect((await seen('/unmatched-reports', otherKey)).toSorted()).toEqual(['others', 'wallet']);
  expect(await seen('/parked-reports')).toEqual(['renamed']);
  expect(await seen('/parked-reports', otherKey)).toEqual([]);
  // Pages have the same order.
  const first = v.parse(eventsSchema, await (await ask('/unmatched-reports?limit=1')).json());
  expect(first.reports).toHaveLength(1);
  expect(await seen(`/unmatched-reports?limit=1&cursor=${first.nextCursor}`)).not.toEqual(
    first.reports.map(({ eventId }) => eventId),
  );
  for (const event of ['theirs', 'others', 'nobodys', 'unknown operator', 'wallet']) {
    expect((await cli('reports unmatched --json')).out).toContain(`ref of ${event}`);
  }
  await database.query({ text: `delete from deposit_event where status = 'parked'` });
});

test('[SRV-3] money for an unknown payment is seen on the command line, and by the operator if there is only one', async () => {
  const lost = randomUUID();
  const body = {
    provider: 'sandbox',
    outcome: 'paid',
    depositId: lost,
    providerRef: 'lost-1',
    paidMinor: '2500',
    currency: 'USD',
  };
  await running.database.query({
    text: `insert into deposit_event (provider, event_id, body, body_hash, deposit_id, status, outcome)
      values ('sandbox', 'lost-event', $1, '\\x00', $2, 'parked', 'unknown-deposit')`,
    values: [JSON.stringify(body), lost],
  });
  const unmatched = async (key?: string) =>
    v.parse(unmatchedPageSchema, await (await ask('/unmatched-reports', key)).json()).reports;
  // It may belong to either of two operators, so neither sees it. Only the command line shows it.
  expect(await unmatched()).toEqual([]);
  expect(await unmatched(otherKey)).toEqual([]);
  const printed = await cli('reports unmatched');
  expect(printed.out).toMatch(new RegExp(`deposit +${lost} +sandbox +lost-1 +paid +unknown-deposit +25\\.00 USD +– `));
  expect((await cli('reports unmatched other')).out).toBe('None.\n');
  expect((await cli('doctor')).out).toMatch(/fail {2}reports without a payment: 1 of sandbox\n {6}Run opencashier/);
  // The metric is of the last snapshot of the database.
  const metrics = async () => (await fetch(`${running.url}/metrics`)).text();
  await expect
    .poll(metrics, { timeout: 60_000, interval: 250 })
    .toContain('cashier_unmatched_reports{provider="sandbox"} 1');

  // The report itself may name its operator. Reports are immutable, so the owner of the tables changes this one.
  await running.database.query({
    text: `alter table deposit_event disable trigger deposit_event_immutable;
      update deposit_event set body = body || '{"unassigned":{"operator":"other"}}' where event_id = 'lost-event';
      alter table deposit_event enable trigger deposit_event_immutable`,
  });
  expect(await unmatched()).toEqual([]);
  expect(await unmatched(otherKey)).toMatchObject([
    {
      operator: 'other',
      id: lost,
      reference: 'lost-1',
      outcome: 'paid',
      reason: 'unknown-deposit',
      amount: '25.00',
      currency: 'USD',
    },
  ]);
  // With only one operator the report can only belong to this one.
  await running.database.query({
    text: `alter table deposit_event disable trigger deposit_event_immutable;
      update deposit_event set body = body - 'unassigned' where event_id = 'lost-event';
      alter table deposit_event enable trigger deposit_event_immutable`,
  });
  await forgetOperator(running.database, 'other');
  await vi.waitFor(async () => expect(await unmatched()).toMatchObject([{ operator: 'demo', id: lost }]));
});
