/** Operators' own accounts at Stripe, through the whole server. */
import { randomUUID } from 'node:crypto';
import type { ConnectionList, ConnectionView } from '@opencashier/contract/operator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Collector, startCollector } from '../observability/collector.fixture.ts';
import { Person } from '../transports/testing/person.ts';
import {
  addOperator,
  type Connected,
  dumpOf,
  MARK,
  REFUSED,
  sendEvent,
  signingSecret,
  startConnected,
  stripeKey,
} from './connected-operator.fixture.ts';

const card = { method: 'card_stripe', amount: '25.00', currency: 'EUR', country: 'DE' } as const;
const soon = { timeout: 20_000, interval: 50 };

let connected: Connected;
let otherKey: string;
let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
  connected = await startConnected({ METRICS_TOKEN: 'm'.repeat(32), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  otherKey = await addOperator(connected.running, 'other');
});
afterAll(async () => {
  await connected?.stop();
  await collector?.stop();
});

const change = (id: string, body: object) => connected.ask('PATCH', `/connections/${id}`, body);
const enable = (id: string) => change(id, { isEnabled: true });
const localUrl = ({ callbackUrl }: ConnectionView) => `${connected.running.url}${new URL(callbackUrl).pathname}`;
/** The key of the last request that Stripe got. */
const keyAtStripe = () => String(connected.stripe.asked.at(-1)?.headers.authorization);
const rowOf = async (depositId: string) => {
  const [row] = await connected.running.database.query<{ connectionId: string | null; ref: string }>({
    text: 'select connection_id as "connectionId", provider_ref as ref from deposit where id = $1',
    values: [depositId],
  });
  if (row === undefined) throw new Error('There is no such deposit');
  return row;
};

test('[SRV-4] a connection is made, and its secrets are used but never answered', async () => {
  const made = await connected.connect('canary', { options: { productName: 'Chips' }, staff: 'maria' });
  expect(made).toMatchObject({ name: 'canary', provider: 'stripe', mode: 'test', isEnabled: false });
  expect(made.secrets.map(({ name, lastFour }) => [name, lastFour])).toEqual([
    ['secretKey', 'abcd'],
    ['webhookSecret', 'wxyz'],
  ]);
  expect((await connected.ask('GET', `/connections/${made.connectionId}`)).body).toEqual(made);
  await connected.ask('POST', `/connections/${made.connectionId}/secrets`, {
    secrets: { secretKey: stripeKey('next') },
  });
  await connected.ask('POST', `/connections/${made.connectionId}/test`);
  expect(keyAtStripe()).toBe(`Bearer ${stripeKey('next')}`);
  // Wrong secrets are not repeated either.
  const wrong = { provider: 'stripe', name: 'x', mode: 'test', secrets: { secretKey: `${MARK}wrong` } };
  expect((await connected.ask('POST', '/connections', wrong)).status).toBe(400);
  expect((await connected.ask('POST', '/connections', { ...wrong, secrets: `${MARK}wrong` })).status).toBe(400);
});

test.each([
  ['an unknown provider', { provider: 'paypal' }, 'provider', 'Give one of: sandbox, sepa, stripe.'],
  [
    'a key of another form',
    { secrets: { secretKey: 'pk_test_1' } },
    'secrets.secretKey',
    'complete secret key of Stripe',
  ],
  ['no key', { secrets: { webhookSecret: signingSecret('x') } }, 'secrets.secretKey', 'It is required'],
  [
    'an unknown secret',
    { secrets: { secretKey: stripeKey('x'), password: 'x' } },
    'secrets.password',
    'Unknown. Give only',
  ],
  ['a key of the other mode', { secrets: { secretKey: stripeKey('x', 'live') } }, 'mode', 'live mode'],
  ['an unknown option', { options: { colour: 'red' } }, 'options.colour', 'Unknown. Give only: productName.'],
])('[SRV-4] %s is refused, and nothing is stored', async (_what, wrong, path, words) => {
  const secrets = { secretKey: stripeKey('x'), webhookSecret: signingSecret('x') };
  const wanted = { provider: 'stripe', name: 'wrong', mode: 'test', secrets, ...wrong };
  const { status, body } = await connected.ask('POST', '/connections', wanted);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(`"path":"${path}"`);
  expect(JSON.stringify(body)).toContain(words);
  const { connections } = (await connected.ask('GET', '/connections')).body as ConnectionList;
  expect(connections.some(({ name }) => name === 'wrong')).toBe(false);
});

test('[SRV-4] the method is offered with an enabled connection alone, and a payment uses its account', async () => {
  const person = await Person.with(connected.running, card);
  const names = async () =>
    JSON.stringify((await person.call('methods-payment-v5', { country: 'DE', currency: 'EUR' })).data);
  expect(await names()).not.toContain('card_stripe');
  expect(await person.create()).toMatchObject({ error: { code: 'method-unavailable' } });

  const main = await connected.connect('main', { currencies: ['EUR'] });
  expect((await enable(main.connectionId)).status).toBe(200);
  expect(await names()).toContain('card_stripe');
  const depositId = randomUUID();
  expect((await person.create(depositId)).status).toBe(200);
  expect(keyAtStripe()).toBe(`Bearer ${stripeKey('main')}`);
  const { connectionId, ref } = await rowOf(depositId);
  expect(connectionId).toBe(main.connectionId);

  // Switched off: no new payment, but this one goes on.
  await change(main.connectionId, { isEnabled: false });
  expect(await person.create()).toMatchObject({ error: { code: 'method-unavailable' } });
  expect(await sendEvent(localUrl(main), signingSecret('main'), connected.sessions.pay(ref))).toBe(202);
  expect(await person.becomes(depositId, { finalAmount: '25.00' })).toMatchObject({ status: 1 });
});

test('[SRV-4] the owner of one connection cannot change payments of another one', async () => {
  const own = await connected.connect('own', { currencies: ['GBP'] });
  await enable(own.connectionId);
  const theirs = await connected.connect('theirs', {}, otherKey);
  const person = await Person.with(connected.running, { ...card, currency: 'GBP', country: 'GB' });
  const depositId = randomUUID();
  await person.create(depositId);
  const { ref } = await rowOf(depositId);
  const paid = { ...connected.sessions.pay(ref) };
  expect(await sendEvent(localUrl(theirs), signingSecret('theirs'), paid, 'evt_1')).toBe(202);
  // By the other address, or with the other secret, it is refused at once.
  expect(await sendEvent(localUrl(own), signingSecret('theirs'), paid)).toBe(401);
  expect(await sendEvent(localUrl(own).replace(own.connectionId, randomUUID()), signingSecret('own'), paid)).toBe(404);
  expect(await sendEvent(localUrl(own).replace(own.connectionId, 'x'), signingSecret('own'), paid)).toBe(404);
  await vi.waitFor(async () => {
    const events = await connected.running.database.query({
      text: `select outcome, deposit_id as "depositId" from deposit_event where event_id like $1 and status = 'parked'`,
      values: [`${theirs.connectionId}/%`],
    });
    expect(events).toEqual([{ outcome: 'unknown-deposit', depositId: null }]);
  }, soon);
  expect(await person.status(depositId)).toMatchObject({ status: 0 });
  // The forged report is shown to the owner of its connection alone.
  const reportsOf = async (key?: string) =>
    JSON.stringify((await connected.ask('GET', '/unmatched-reports', undefined, key)).body);
  expect(await reportsOf(otherKey)).toContain(ref);
  expect(await reportsOf()).not.toContain(ref);
  expect(JSON.stringify((await connected.ask('GET', `/transactions/${depositId}`)).body)).not.toContain(
    theirs.connectionId,
  );
  // The forged event has not used up the id of the real one.
  expect(await sendEvent(localUrl(own), signingSecret('own'), paid, 'evt_1')).toBe(202);
  await person.becomes(depositId, { finalAmount: '25.00' });
});

test('[SRV-4] old secrets are valid for callbacks until their time is over, and new requests use the new key', async () => {
  const turned = await connected.connect('turned', { currencies: ['CHF'] });
  await enable(turned.connectionId);
  const rotate = (name: string, oldSecretsHours: number) =>
    connected.ask('POST', `/connections/${turned.connectionId}/secrets`, {
      secrets: { secretKey: stripeKey(name), webhookSecret: signingSecret(name) },
      oldSecretsHours,
    });
  const person = await Person.with(connected.running, { ...card, currency: 'CHF', country: 'CH' });
  const depositId = randomUUID();
  await person.create(depositId);
  expect((await rotate('second', 1)).body).toMatchObject({ oldSecretsUntil: expect.any(String) });
  await person.create();
  expect(keyAtStripe()).toBe(`Bearer ${stripeKey('second')}`);
  const session = connected.sessions.pay((await rowOf(depositId)).ref);
  expect(await sendEvent(localUrl(turned), signingSecret('turned'), session)).toBe(202);
  expect(await sendEvent(localUrl(turned), signingSecret('second'), session)).toBe(202);
  // A change of another secret takes no time from the old ones, and gives them none.
  const keyAlone = await connected.ask('POST', `/connections/${turned.connectionId}/secrets`, {
    secrets: { secretKey: stripeKey('key') },
    oldSecretsHours: 2,
  });
  expect(keyAlone.status).toBe(200);
  expect(await sendEvent(localUrl(turned), signingSecret('turned'), session)).toBe(202);
  // The same file again, as after a lost answer.
  await connected.ask('POST', `/connections/${turned.connectionId}/secrets`, {
    secrets: { webhookSecret: signingSecret('second') },
  });
  expect(await sendEvent(localUrl(turned), signingSecret('turned'), session)).toBe(202);
  await rotate('third', 0);
  expect(await sendEvent(localUrl(turned), signingSecret('second'), session)).toBe(401);
  expect(await sendEvent(localUrl(turned), signingSecret('third'), session)).toBe(202);
  await person.becomes(depositId, { finalAmount: '25.00' });
});

test('[SRV-4] a test call says what the provider answered', async () => {
  const secrets = { secretKey: stripeKey(REFUSED), webhookSecret: signingSecret('refused') };
  const refused = await connected.connect('refused', { secrets });
  const asked = await connected.ask('POST', `/connections/${refused.connectionId}/test`);
  expect(asked.body).toEqual({ result: 'refused', message: expect.stringContaining('Stripe refuses secretKey') });
  expect((await connected.ask('GET', `/connections/${refused.connectionId}`)).body).toMatchObject({
    lastTest: { result: 'refused' },
  });
});

test('[SRV-4] what cannot be enabled is refused with the reason', async () => {
  const first = await connected.connect('first', { currencies: ['PLN', 'CZK'] });
  await enable(first.connectionId);
  const second = await connected.connect('second', { currencies: ['CZK'] });
  expect(await enable(second.connectionId)).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('The connection first is enabled and covers a currency') } },
  });
  const live = await connected.connect('live', { mode: 'live', secrets: { secretKey: stripeKey('l', 'live') } });
  expect(await enable(live.connectionId)).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('This server is a sandbox (SANDBOX=1)') } },
  });
  const half = await connected.connect('half', { currencies: ['DKK'], secrets: { secretKey: stripeKey('half') } });
  expect(await enable(half.connectionId)).toMatchObject({
    status: 400,
    body: { error: { fields: [{ path: 'secrets.webhookSecret' }] } },
  });
  expect((await connected.ask('GET', `/connections/${first.connectionId}`, undefined, otherKey)).status).toBe(404);
});

test('[SRV-4] after all of this no secret is in the database, logs, answers, metrics or traces', async () => {
  await connected.ask('GET', '/setting-changes');
  const headers = { authorization: `Bearer ${'m'.repeat(32)}` };
  const metrics = await (await fetch(`${connected.running.url}/metrics`, { headers })).text();
  const database = await dumpOf(connected.running);
  await connected.running.app.stop();
  const places = {
    database,
    metrics,
    logs: connected.running.log.join('\n'),
    answers: connected.answers.join('\n'),
    traces: collector.bodies.join('\n'),
  };
  // Each place has what belongs there, so that an empty one proves nothing.
  expect(places.database).toContain('provider_connection: (demo,');
  expect(places.answers).toContain('maria');
  expect(places.metrics).toContain('cashier_provider_call');
  expect(places.traces).toContain('provider create');
  expect(places.logs).toContain('callback rejected');
  const written = [MARK, Buffer.from(MARK).toString('base64').slice(0, 12), Buffer.from(MARK).toString('hex')];
  for (const [place, text] of Object.entries(places)) {
    for (const mark of written) expect(text.includes(mark), place).toBe(false);
  }
});
