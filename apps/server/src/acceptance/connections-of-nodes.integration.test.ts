/** Operators' own accounts beside the account of the installation, on two nodes, and at the sandbox. */
import { randomUUID } from 'node:crypto';
import type { ConnectionList, ConnectionView } from '@opencashier/contract/operator';
import { systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { App } from '../app.ts';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { constraintOf } from '../database/pool-database.ts';
import { intents, Person } from '../transports/testing/person.ts';
import { startOtherNode } from '../transports/testing/running-app.ts';
import { httpClient } from '../transports/testing/running-server.ts';
import {
  type Connected,
  masterKey,
  sendEvent,
  signingSecret,
  startConnected,
  stripeKey,
} from './connected-operator.fixture.ts';

const card = { method: 'card_stripe', amount: '25.00', currency: 'EUR', country: 'DE' } as const;
const soon = { timeout: 30_000, interval: 50 };
const shared = {
  STRIPE_SECRET_KEY: stripeKey('shared'),
  STRIPE_WEBHOOK_SECRET: signingSecret('shared'),
  // The nodes accept each other's tokens.
  TOKEN_SECRET: 't'.repeat(40),
  PUBLIC_URL: 'http://localhost:3999',
};

let connected: Connected;
let other: App;
beforeAll(async () => {
  connected = await startConnected(shared);
  const settings = { ...shared, MASTER_KEY: masterKey('2026-01') };
  other = await startOtherNode(connected.running, settings, systemClock, connected.stripeApi);
});
afterAll(async () => {
  await other?.stop();
  await connected?.stop();
});

const change = (id: string, body: object) => connected.ask('PATCH', `/connections/${id}`, body);
const keyAtStripe = () => String(connected.stripe.asked.at(-1)?.headers.authorization);
const usesShared = async () => {
  const { installation } = (await connected.ask('GET', '/connections')).body as ConnectionList;
  return installation.find(({ provider }) => provider === 'stripe')?.isUsed;
};
const depositOf = async (depositId: string) => {
  const [row] = await connected.running.database.query<{ connection: string | null; ref: string }>({
    text: 'select connection_id as connection, provider_ref as ref from deposit where id = $1',
    values: [depositId],
  });
  if (row === undefined) throw new Error('There is no such deposit');
  return row;
};
/** The same person at the second node. */
const there = (person: Person) => {
  const same = new Person(
    { ...connected.running, clients: { ...connected.running.clients, http: httpClient(other.url) } },
    card,
  );
  same.token = person.token;
  return same;
};

test('[SRV-4] the account of the installation serves an operator until its own is enabled, on every node, and never again', async () => {
  const person = await Person.with(connected.running, card);
  const first = randomUUID();
  expect((await person.create(first)).status).toBe(200);
  expect(keyAtStripe()).toBe(`Bearer ${stripeKey('shared')}`);
  const { connection, ref } = await depositOf(first);
  expect([connection, await usesShared()]).toEqual([null, true]);

  const own = await connected.connect('own');
  expect(await usesShared()).toBe(true);
  await change(own.connectionId, { isEnabled: true });
  // The other node has not read the change, but stores no payment for the former account.
  const second = randomUUID();
  expect((await there(person).create(second)).status).toBe(200);
  expect(keyAtStripe()).toBe(`Bearer ${stripeKey('own')}`);
  expect([(await depositOf(second)).connection, await usesShared()]).toEqual([own.connectionId, false]);

  // The first payment stays with its account, by the address without a connection.
  const address = `${connected.running.url}/providers/stripe/callbacks`;
  expect(await sendEvent(address, signingSecret('own'), connected.sessions.pay(ref))).toBe(401);
  expect(await sendEvent(address, signingSecret('shared'), connected.sessions.pay(ref))).toBe(202);
  await person.becomes(first, { finalAmount: '25.00' });

  await change(own.connectionId, { isEnabled: false });
  for (const at of [there(person), person]) {
    expect(await at.create()).toMatchObject({ error: { code: 'method-unavailable' } });
  }
  expect(await usesShared()).toBe(false);
});

test('[SRV-4] new secrets are used at once by a node that has not read them yet', async () => {
  const turned = await connected.connect('turned');
  await change(turned.connectionId, { isEnabled: true });
  const person = await Person.with(connected.running, card);
  expect((await there(person).create()).status).toBe(200);
  expect(keyAtStripe()).toBe(`Bearer ${stripeKey('turned')}`);
  const secrets = { secretKey: stripeKey('renewed') };
  await connected.ask('POST', `/connections/${turned.connectionId}/secrets`, { secrets });
  expect((await there(person).create()).status).toBe(200);
  expect(keyAtStripe()).toBe(`Bearer ${stripeKey('renewed')}`);
});

test('[SRV-4] the sandbox signs callbacks by the secret of the connection, for deposits and for withdrawals', async () => {
  const secrets = { callbackSecret: `whsec_${Buffer.alloc(32, 9).toString('base64')}` };
  const made = await connected.ask('POST', '/connections', {
    provider: 'sandbox',
    name: 'practice',
    mode: 'test',
    secrets,
  });
  const { connectionId } = made.body as ConnectionView;
  await change(connectionId, { isEnabled: true });
  const person = await Person.with(connected.running, { ...intents.redirect, amount: '200.05' });
  const depositId = randomUUID();
  await person.create(depositId);
  await person.becomes(depositId, { status: 1 });
  const withdrawalId = randomUUID();
  const fields = { cardNumber: '4111111111111111' };
  const wanted = { withdrawalId, amount: '100.05', currency: 'USD', paymentMethod: 'card_withdrawal', fields };
  expect((await person.call('withdrawal-create', wanted)).status).toBe(200);
  await change(connectionId, { isEnabled: false });
  expect((await person.call('withdrawal-confirm', { withdrawalId })).status).toBe(200);
  await vi.waitFor(
    async () => expect((await person.call('withdrawal-status', { withdrawalId })).data).toMatchObject({ status: 1 }),
    soon,
  );
  const sources = await connected.running.database.query<{ source: string }>({
    text: `select distinct source from inbox_key where source like 'sandbox%'`,
  });
  expect(sources).toEqual([{ source: `sandbox/${connectionId}` }]);
  const rows = await connected.running.database.query<{ connection: string }>({
    text: `select connection_id as connection from deposit where id = $1
      union all select connection_id from withdrawal where id = $2`,
    values: [depositId, withdrawalId],
  });
  expect(rows.map(({ connection }) => connection)).toEqual([connectionId, connectionId]);
  for (const table of ['deposit', 'withdrawal']) {
    const text = `update ${table} set connection_id = null where connection_id = $1`;
    const refused = await connected.running.database.query({ text, values: [connectionId] }).catch(constraintOf);
    expect(refused).toBe(`${table}_immutable`);
  }
});

test('[SRV-4] a new master key wraps the data keys, and then the old one is not needed', async () => {
  const { database } = connected.running;
  const run = (command: string, ...keys: string[]) =>
    runCommand(command, {
      environment: { DATABASE_URL: 'postgres://nowhere', SANDBOX: '1', MASTER_KEY: keys.map(masterKey).join() },
      open: keptOpen(database),
    });
  expect(await run('connections test demo practice', '2026-11')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('The master key 2026-01 is not in MASTER_KEY'),
  });
  expect(await run('connections test demo practice')).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining('The server has no master key'),
  });
  expect(await run('connections rewrap', '2026-11')).toMatchObject({
    exitCode: 1,
    out: expect.stringContaining('of 0'),
  });
  expect(await run('connections rewrap', '2026-11', '2026-01')).toMatchObject({ exitCode: 0, errors: '' });
  expect(await run('connections test demo practice', '2026-11')).toMatchObject({ exitCode: 0 });
  expect((await run('history demo', '2026-11')).out).toContain('2026-11');
  // The running nodes know the old key alone. What a node has opened stays open there.
  const person = await Person.with(connected.running, card);
  expect((await there(person).create()).status).toBe(200);
});
