/** Payouts to the card that paid, by refunds at Stripe, through the whole server (WD-2). */
import { createHmac, randomUUID } from 'node:crypto';
import type { PayoutAccount, WithdrawalTransaction } from '@opencashier/contract/api';
import type { ConnectionView, ParkedPage } from '@opencashier/contract/operator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callbacksAreApplied, Person, untilFound } from '../transports/testing/person.ts';
import { type Connected, sendEvent, signingSecret, startConnected } from './connected-operator.fixture.ts';

const card = { method: 'card_stripe', amount: '25.00', currency: 'EUR', country: 'DE' } as const;
const visa = { fingerprint: 'fp_visa', brand: 'visa', last4: '4242' };
const amex = { fingerprint: 'fp_amex', brand: 'amex', last4: '0005' };
const METHOD = 'card_stripe_payout';

let connected: Connected;
let main: ConnectionView;
beforeAll(async () => {
  connected = await startConnected();
  main = await connected.connect('main', { currencies: ['EUR'] });
  await connected.ask('PATCH', `/connections/${main.connectionId}`, { isEnabled: true });
});
afterAll(() => connected?.stop());

const address = () => `${connected.running.url}${new URL(main.callbackUrl).pathname}`;

/** @returns our id of the deposit, and Stripe's of its session */
async function deposit(person: Person, paidBy = visa): Promise<{ depositId: string; ref: string }> {
  const depositId = randomUUID();
  expect((await person.create(depositId)).status).toBe(200);
  const [row] = await connected.running.database.query<{ ref: string }>({
    text: 'select provider_ref as ref from deposit where id = $1',
    values: [depositId],
  });
  const ref = row?.ref ?? '';
  expect(await sendEvent(address(), signingSecret('main'), connected.sessions.pay(ref, paidBy))).toBe(202);
  await person.becomes(depositId, { status: 1 });
  return { depositId, ref };
}

/** Sends an event of Stripe about any object, and waits until it is applied. */
async function tell(type: string, object: object, before?: object): Promise<void> {
  const at = Math.floor(Date.now() / 1000) + 1;
  const data = { object, ...(before && { previous_attributes: before }) };
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, created: at, livemode: false, data });
  const signature = createHmac('sha256', signingSecret('main')).update(`${at}.${body}`).digest('hex');
  const headers = { 'stripe-signature': `t=${at},v1=${signature}` };
  expect((await fetch(address(), { method: 'POST', headers, body })).status).toBe(202);
  await callbacksAreApplied(connected.running);
}

const cards = async (person: Person): Promise<PayoutAccount[]> => {
  const { data } = await person.call('payout-accounts-get', { paymentMethod: METHOD, currency: 'EUR' });
  return (data as { accounts: PayoutAccount[] }).accounts;
};

const newest = async (person: Person): Promise<string> => (await cards(person))[0]?.accountId ?? '';

async function begin(person: Person, amount: string, accountId: string) {
  const withdrawalId = randomUUID();
  const made = await person.call('withdrawal-create', {
    withdrawalId,
    amount,
    currency: 'EUR',
    paymentMethod: METHOD,
    fields: {},
    accountType: 'main',
    payoutAccountId: accountId,
    selectedCountry: 'DE',
  });
  return { withdrawalId, made };
}

async function withdraw(person: Person, amount: string, accountId: string): Promise<string> {
  const { withdrawalId, made } = await begin(person, amount, accountId);
  expect(made).toMatchObject({ status: 200 });
  const confirmed = await person.call('withdrawal-confirm', { withdrawalId });
  expect(confirmed).toMatchObject({ status: 200 });
  return withdrawalId;
}

const status = async (person: Person, withdrawalId: string) =>
  (await person.call('withdrawal-status', { withdrawalId })).data as WithdrawalTransaction;

async function becomes(person: Person, withdrawalId: string, expected: object): Promise<void> {
  await untilFound(connected.running, { table: 'withdrawal', id: withdrawalId }, async () =>
    expect(await status(person, withdrawalId)).toMatchObject(expected),
  );
}

const faults = () =>
  connected.running.database.query({
    text: `select id, payout_fault(withdrawal) from withdrawal where payout_fault(withdrawal) is not null`,
  });

test('[WD-2] a user chooses a card that paid, and gets several of its payments back in one withdrawal', async () => {
  const person = await Person.with(connected.running, card);
  expect(await cards(person)).toEqual([]);
  const [first, second] = [await deposit(person), await deposit(person)];
  await deposit(person, amex);
  const offered = await cards(person);
  expect(offered.map(({ destination, max }) => [destination[0]?.value, max])).toEqual([
    ['American Express •••• 0005', '25.00'],
    ['Visa •••• 4242', '50.00'],
  ]);
  const id = await withdraw(person, '30.00', offered[1]?.accountId ?? '');
  expect(await person.balance()).toBe(4500n);
  await becomes(person, id, { status: 1, receives: '30.00' });
  // The newest payment first, and of the older one only what was missing.
  expect([connected.sessions.sentBack(first.ref), connected.sessions.sentBack(second.ref)]).toEqual([[500], [2500]]);
  expect((await cards(person)).map(({ max }) => max)).toEqual(['25.00', '20.00']);
  const shown = await person.call('withdrawal-status', { withdrawalId: id });
  expect(shown.data).toMatchObject({ destination: [{ name: 'cardNumber', value: 'Visa •••• 4242' }] });
  expect(await faults()).toEqual([]);
});

test('[WD-2] [SRV-2] the refund of a payout is no chargeback, and the operator cannot refund the same money again', async () => {
  const person = await Person.with(connected.running, card);
  const { depositId, ref } = await deposit(person);
  const id = await withdraw(person, '25.00', await newest(person));
  const charge = { id: `ch_${ref}`, payment_intent: `pi_${ref}`, amount_refunded: 2500, refunded: true };
  await tell('charge.refunded', charge, { amount_refunded: 0 });
  await becomes(person, id, { status: 1 });
  expect(await person.status(depositId)).toMatchObject({ status: 1 });
  const refund = await connected.ask('POST', `/transactions/${depositId}/refund`, {
    refundId: randomUUID(),
    staff: 'eve',
  });
  expect(refund).toMatchObject({ status: 409, body: { error: { code: 'state-conflict' } } });
  const disputes = await connected.running.database.query({
    text: 'select 1 from dispute where deposit_id = $1',
    values: [depositId],
  });
  expect(disputes).toEqual([]);
  expect(connected.sessions.sentBack(ref)).toEqual([2500]);
});

test('[WD-2] more than the card has left is refused before anything is held', async () => {
  const person = await Person.with(connected.running, card);
  await deposit(person);
  await deposit(person, amex);
  const [offered] = await cards(person);
  const { made } = await begin(person, '30.00', offered?.accountId ?? '');
  expect(made).toMatchObject({ error: { code: 'limit-max', params: { max: '25.00' } } });
  expect(await person.balance()).toBe(5000n);
  const other = await Person.with(connected.running, card);
  await deposit(other);
  // Nobody chooses the card of somebody else.
  expect((await begin(other, '10.00', offered?.accountId ?? '')).made).toMatchObject({
    error: { code: 'banking.paymentMethodRegex' },
  });
});

test('[WD-2] two withdrawals at once never use the same money of a payment', async () => {
  const person = await Person.with(connected.running, card);
  await deposit(person);
  await deposit(person, amex);
  const accountId = await newest(person);
  const both = await Promise.all([begin(person, '20.00', accountId), begin(person, '20.00', accountId)]);
  expect(both.map(({ made }) => made.status).toSorted()).toEqual([200, 422]);
});

test('[WD-2] the payment is refunded in the dashboard meanwhile: the payout is declined and the hold released', async () => {
  const person = await Person.with(connected.running, card);
  const { ref } = await deposit(person);
  const { withdrawalId } = await begin(person, '20.00', await newest(person));
  connected.sessions.dispute(ref);
  expect(await person.call('withdrawal-confirm', { withdrawalId })).toMatchObject({
    error: { code: 'provider-error' },
  });
  expect(await person.balance()).toBe(2500n);
  expect(connected.sessions.sentBack(ref)).toEqual([]);
  // Its payment can be refunded again.
  expect((await cards(person)).map(({ max }) => max)).toEqual(['25.00']);
});

test('[WD-2] a refused part is replaced by another payment of the card, and the withdrawal is paid once', async () => {
  const person = await Person.with(connected.running, card);
  const [spare, second, third] = [await deposit(person), await deposit(person), await deposit(person)];
  const usual = connected.stripe.answer;
  connected.stripe.answer = (asked) =>
    asked.method === 'POST' && asked.form['payment_intent'] === `pi_${second.ref}`
      ? { status: 400, body: { error: { type: 'invalid_request_error', code: 'charge_disputed' } } }
      : usual(asked);
  const { withdrawalId } = await begin(person, '45.00', await newest(person));
  expect(await person.call('withdrawal-confirm', { withdrawalId })).toMatchObject({
    error: { code: 'unknown-outcome' },
  });
  expect(await status(person, withdrawalId)).toMatchObject({ isOutcomeUnknown: true });
  await untilFound(connected.running, { table: 'withdrawal', id: withdrawalId }, async () => {
    expect(connected.sessions.sentBack(spare.ref)).toEqual([2000]);
    expect(await status(person, withdrawalId)).not.toHaveProperty('isOutcomeUnknown');
  });
  await becomes(person, withdrawalId, { status: 1, receives: '45.00' });
  connected.stripe.answer = usual;
  const sent = [spare, second, third].map(({ ref }) => connected.sessions.sentBack(ref));
  expect(sent).toEqual([[2000], [], [2500]]);
  expect(await person.balance()).toBe(3000n);
});

test('[SRV-2] a refund in the dashboard after a payout takes only the rest, and the audit of the ledger stays sound', async () => {
  const person = await Person.with(connected.running, card);
  const { depositId, ref } = await deposit(person);
  const id = await withdraw(person, '10.00', await newest(person));
  await becomes(person, id, { status: 1 });
  const charge = { id: `ch_${ref}`, payment_intent: `pi_${ref}`, amount_refunded: 2500, refunded: true };
  connected.sessions.refundRest(ref);
  await tell('charge.refunded', charge, { amount_refunded: 1000 });
  await vi.waitFor(async () => expect(await person.balance()).toBe(0n), { timeout: 20_000 });
  expect(await person.status(depositId)).toMatchObject({ status: 1 });
  expect(await cards(person)).toEqual([]);
  const wrong = await connected.running.database.query({
    text: 'select payment_fault(payment) from payment where payment_fault(payment) is not null',
  });
  expect(wrong).toEqual([]);
});

test('[WD-1] the list has the method only for a user with a card that can get something back', async () => {
  const person = await Person.with(connected.running, card);
  const names = async () => {
    const { data } = await person.call('methods-withdrawal-v4', { currency: 'EUR' });
    return (data as { methods: { name: string }[] }).methods.map(({ name }) => name);
  };
  expect(await names()).not.toContain(METHOD);
  await deposit(person);
  expect(await names()).toContain(METHOD);
});

test('[WD-2] money that comes back after it was paid is on the balance again', async () => {
  const person = await Person.with(connected.running, card);
  const { ref } = await deposit(person);
  const id = await withdraw(person, '25.00', await newest(person));
  await becomes(person, id, { status: 1 });
  const [refund] = connected.sessions.refunds(ref);
  if (refund === undefined) throw new Error('No refund');
  Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
  await tell('refund.failed', refund);
  await vi.waitFor(async () => expect(await person.balance()).toBe(2500n), { timeout: 20_000 });
  expect((await cards(person)).map(({ max }) => max)).toEqual(['25.00']);
  expect(await faults()).toEqual([]);
});

/** A refund of the stand-in that has failed. */
function failed(ref: string) {
  const [refund] = connected.sessions.refunds(ref);
  if (refund === undefined) throw new Error('No refund');
  return Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' });
}

const unmatched = async (id: string) =>
  connected.running.database.query({
    text: `select outcome from withdrawal_event where withdrawal_id = $1 and status = 'parked'`,
    values: [id],
  });

test('[WD-2] a part that fails before the payout is paid is replaced, and its failure gives the user nothing twice', async () => {
  const person = await Person.with(connected.running, card);
  const [spare, second, third] = [await deposit(person), await deposit(person), await deposit(person)];
  const id = await withdraw(person, '45.00', await newest(person));
  for (const refund of connected.sessions.refunds(second.ref)) refund.status = 'pending';
  // Stripe's event does not say that the refund was pending until then.
  await tell('refund.failed', failed(second.ref));
  await vi.waitFor(() => expect(connected.sessions.sentBack(spare.ref)).toEqual([2000]), { timeout: 20_000 });
  await becomes(person, id, { status: 1, receives: '45.00' });
  await tell('refund.updated', failed(second.ref), { status: 'succeeded' });
  expect(await unmatched(id)).toEqual([]);
  expect(connected.sessions.sentBack(third.ref)).toEqual([2500]);
  expect(await person.balance()).toBe(3000n);
  // After the payout is paid, the failure of a part that was not replaced is for staff.
  await tell('refund.failed', failed(third.ref));
  await vi.waitFor(async () => expect(await unmatched(id)).toEqual([{ outcome: 'other-amount' }]), { timeout: 20_000 });
  await endReturnedPart(person, id);
});

/** Staff give the user the part of 25.00 that came back, and dismiss its report by the transfer. */
async function endReturnedPart(person: Person, id: string): Promise<void> {
  const { reports } = (await connected.ask('GET', '/parked-reports')).body as ParkedPage;
  const report = reports.find((one) => one.id === id);
  expect(report).toMatchObject({ outcome: 'returned', amount: '25.00', decisions: ['dismiss'] });
  const dismiss = async (transferId?: string) => {
    const request = { decidedBy: 'bob', reason: 'given back', transferId };
    return (await connected.ask('POST', `/parked-reports/${report?.reportId}/dismiss`, request)).status;
  };
  const give = async (amount: string, from = 'operator') => {
    const transfer = {
      transferId: randomUUID(),
      amount,
      currency: 'EUR',
      from,
      to: from === 'main' ? 'additional' : 'main',
    };
    expect((await connected.ask('POST', `/users/${person.userId}/transfers`, transfer)).status).toBe(200);
    return transfer.transferId;
  };
  for (const evidence of [undefined, randomUUID(), await give('24.99'), await give('25.00', 'main')]) {
    expect(await dismiss(evidence)).toBe(409);
  }
  expect(await unmatched(id)).toHaveLength(1);
  const given = await give('25.00');
  expect([await dismiss(given), await dismiss(given)]).toEqual([200, 200]);
  expect(await unmatched(id)).toEqual([]);
  expect(await faults()).toEqual([]);
  expect(await status(person, id)).toMatchObject({ status: 1 });
}

test('[WD-2] the only refund fails before it succeeded: the hold is released once, and staff see no return', async () => {
  const person = await Person.with(connected.running, card);
  const { ref } = await deposit(person);
  const id = await withdraw(person, '25.00', await newest(person));
  for (const refund of connected.sessions.refunds(ref)) refund.status = 'pending';
  await tell('refund.failed', failed(ref));
  await vi.waitFor(async () => expect(await person.balance()).toBe(2500n), { timeout: 20_000 });
  expect((await status(person, id)).status).not.toBe(1);
  await tell('refund.updated', failed(ref), { status: 'succeeded' });
  expect(await unmatched(id)).toEqual([]);
  expect(await person.balance()).toBe(2500n);
  expect(await faults()).toEqual([]);
});
