/** Peer-to-peer deposits through the whole server, with their races. */
import { randomUUID } from 'node:crypto';
import { p2pStep } from '@opencashier/core/deposit/p2p-step';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atProvider, intents, Person } from '../transports/testing/person.ts';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running?.stop());

describe('peer to peer', () => {
  test('[DEP-11] names whom to pay, how much and how long; the payee’s word is processing, the ledger’s is processed', async () => {
    const person = await Person.with(running, intents.p2p);
    const depositId = randomUUID();
    const created = await person.createP2p(depositId, { bank: 'sber' });
    const answer = created.data as Parameters<typeof p2pStep>[0] & object;
    expect(p2pStep(answer)).toMatchObject({ kind: 'invoice', depositId, lifetimeS: 900, isResumed: false });
    expect(created.data).toMatchObject({
      payment_amount: '5000.00',
      payment_currency: 'RUB',
      card: { bank_name: 'sber' },
    });
    expect(answer.card?.number).toMatch(/^\d{16}$/);

    await atProvider(running, depositId, 'seen');
    await person.becomes(depositId, { status: 3, remoteStatus: 'PAYED' });
    const cancelled = await person.call('deposit-cancel', { depositId, paymentMethod: person.intent.method });
    expect(cancelled.data).toMatchObject({ isCancelled: false });
    expect(await person.balance()).toBe(0n);

    await atProvider(running, depositId, 'pay');
    await person.becomes(depositId, { status: 1, remoteStatus: 'PAYED', finalAmount: '5000.00' });
    expect(await person.balance()).toBe(500_000n);
  });

  test.each([
    ['cancel', 'CANCELED'],
    ['auto-cancel', 'AUTO_CANCELED'],
  ])('[DEP-11] %s at the provider is mistaked, never a success', async (action, remoteStatus) => {
    const person = await Person.with(running, intents.p2p);
    const depositId = randomUUID();
    await person.createP2p(depositId);
    await atProvider(running, depositId, action);
    await person.becomes(depositId, { status: 2, remoteStatus });
    expect(await person.balance()).toBe(0n);
  });

  test('[DEP-11] money that comes after the person’s cancel is kept and shown as late', async () => {
    const person = await Person.with(running, intents.p2p);
    const depositId = randomUUID();
    await person.createP2p(depositId);
    const cancelled = await person.call('deposit-cancel', { depositId, paymentMethod: person.intent.method });
    expect(cancelled.data).toMatchObject({ isCancelled: true });
    await person.becomes(depositId, { status: 2, remoteStatus: 'CANCELED' });
    await atProvider(running, depositId, 'pay');
    await person.becomes(depositId, { status: 3, isLate: true });
    expect(await person.balance()).toBe(0n);
    expect(await person.balance('suspense')).toBeGreaterThanOrEqual(500_000n);
  });

  test('[DEP-11] a create that comes after its cancel is refused, and the provider never hears of it', async () => {
    const person = await Person.with(running, intents.p2p);
    const depositId = randomUUID();
    await person.call('deposit-cancel', { depositId, paymentMethod: person.intent.method });
    expect(await person.createP2p(depositId)).toMatchObject({ error: { code: 'state-conflict' } });
    const found = await fetch(`${running.url}/sandbox/payments?depositId=${depositId}`, { redirect: 'manual' });
    expect(found.status).toBe(404);
  });

  test('[DEP-11] an open deposit is continued, also from two tabs at once and under the new key', async () => {
    const person = await Person.with(running, intents.p2p);
    const keys = [randomUUID(), randomUUID()];
    const both = await Promise.all(keys.map((key) => person.createP2p(key)));
    // The other tab gets an error that it may retry, and no second payee.
    expect(both.map(({ status }) => status)).toContain(200);
    for (const { error } of both) expect([undefined, 'in-flight']).toContain(error?.code);
    const again = (await Promise.all(keys.map((key) => person.createP2p(key)))).map(
      ({ data }) => data as { depositId: string },
    );
    expect(again[0]?.depositId).toBe(again[1]?.depositId);
    const third = randomUUID();
    const resumed = await person.createP2p(third, { amount: '6000' });
    expect(resumed.data).toMatchObject({ exists: true, depositId: again[0]?.depositId, payment_amount: '5000.00' });
    expect(p2pStep(resumed.data as Parameters<typeof p2pStep>[0])).toMatchObject({ kind: 'invoice', isResumed: true });
    expect(await person.status(third)).toMatchObject({ depositId: again[0]?.depositId });
    const deposits = await running.database.query({
      text: 'select 1 from deposit where user_id = $1',
      values: [person.userId],
    });
    expect(deposits).toHaveLength(1);
  });

  test.each([
    ['5000.21', 'card'],
    ['5000.22', 'timing'],
    ['5000.23', 'card'],
  ])(
    '[DEP-11] an answer without its parts (%s) is passed on, to be reported as invalid: %s',
    async (amount, missing) => {
      const person = await Person.with(running, { ...intents.p2p, amount });
      const depositId = randomUUID();
      const { data, status } = await person.createP2p(depositId);
      expect(status).toBe(200);
      expect(p2pStep(data as Parameters<typeof p2pStep>[0])).toEqual({ kind: 'invalid', depositId, missing });
      // The deposit cannot be shown, so it is not continued.
      expect(await person.createP2p()).not.toMatchObject({ data: { exists: true } });
    },
  );

  test('other methods are not created by this call', async () => {
    const person = await Person.with(running, intents.redirect);
    expect(await person.createP2p()).toMatchObject({ error: { code: 'method-unavailable' } });
  });

  test('[FORM-10] the number of the receipt has 8 to 10 digits, is kept, and five can be tried', async () => {
    const person = await Person.with(running, intents.receipt);
    const depositId = randomUUID();
    expect((await person.createP2p(depositId)).status).toBe(200);
    const complete = (more: object) =>
      person.call('deposit-complete', { depositId, paymentMethod: person.intent.method, ...more });
    for (const bad of [{}, { confirmationId: '1234567' }, { confirmationId: '12345678901' }, { confirmationId: 'x' }]) {
      expect(await complete(bad)).toMatchObject({ error: { code: 'invalid-request' } });
    }
    for (const confirmationId of ['12345671', '12345672', '123456733', '1234567344', '12345675', '12345671']) {
      expect(await complete({ confirmationId })).toMatchObject({ status: 200, data: { status: 0 } });
    }
    expect(await complete({ confirmationId: '12345676' })).toMatchObject({ error: { code: 'state-conflict' } });
    const notes = await running.database.query<{ note: string }>({
      text: 'select note from deposit_note where deposit_id = $1 order by n',
      values: [depositId],
    });
    expect(notes.map(({ note }) => note)).toEqual(['12345671', '12345672', '123456733', '1234567344', '12345675']);
    expect(await person.balance()).toBe(0n);
  });
});
