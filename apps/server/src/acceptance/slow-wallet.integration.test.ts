/**
 * An operator's wallet that hangs or answers too late, through a whole server with two operators. The time limits of the calls pass when
 * the test says so, so "meanwhile" is an order of events and no guess about a busy machine.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MethodList, WithdrawalTransaction } from '@opencashier/contract/api';
import { type Cancel, type Clock, systemClock } from '@opencashier/core/time/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { createOperator } from '../operators/manage-operators.ts';
import { intents, Person } from '../transports/testing/person.ts';
import { type RunningApp, startApp } from '../transports/testing/running-app.ts';
import { endPauses, type FakeWallet, walletSecret, withFakeWallet } from '../wallet-calls/fake-wallet.fixture.ts';

/** The time limits of the contract, in ms. */
const [BALANCE_MS, DEBIT_MS, CREDIT_MS] = [1_000, 5_000, 15_000];
/** More than the 64 users of one operator who may wait for its wallet on a node. */
const SLOW_USERS = 66;
const MAY_WAIT = 64;

/** The sandbox pays an amount with these last digits at once. */
const paidAtOnce = { ...intents.redirect, amount: '25.05' };
const soon = { timeout: 30_000, interval: 20 };

/** The real time, in which a test lets timers of one length end early. */
function createImpatientClock(): Clock & { readonly endTimers: (ms: number) => void } {
  const pending = new Set<{ readonly ms: number; readonly end: () => void }>();
  return {
    ...systemClock,
    setTimer(run, ms): Cancel {
      const forget = (): void => {
        pending.delete(timer);
        cancel();
      };
      const end = (): void => {
        forget();
        run();
      };
      const timer = { ms, end };
      const cancel = systemClock.setTimer(end, ms);
      pending.add(timer);
      return forget;
    },
    endTimers(ms) {
      for (const timer of [...pending]) if (timer.ms === ms) timer.end();
    },
  };
}

const clock = createImpatientClock();
let running: RunningApp;
let slow: FakeWallet;
let quick: FakeWallet;
let receiver: Server;
/** The webhooks of the quick operator, as `type payment`. */
const received: string[] = [];
let quickKey = '';

withFakeWallet((opened) => {
  slow = opened;
});
withFakeWallet((opened) => {
  quick = opened;
});
beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    received.push(`${type} ${data.depositId ?? data.withdrawalId}`);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  running = await startApp({}, clock);
  const made = await createOperator(running.database, {
    partnerKey: 'quick',
    name: 'Quick',
    origins: ['https://quick.example'],
    webhookUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`,
    walletMode: 'operator',
    walletUrl: quick.url,
  });
  quickKey = made?.secretKey ?? '';
  await running.database.query({ text: 'update operator set webhook_secrets = $1', values: [[walletSecret]] });
  await setSlowAddress(slow.url);
});
afterAll(async () => {
  await running?.stop();
  await new Promise((resolve) => receiver.close(resolve));
});

const setSlowAddress = (url: string) =>
  running.database.query({
    text: `update operator set wallet_mode = 'operator', wallet_url = $1 where id = 'demo'`,
    values: [url],
  });

const withdraw = (person: Person, amount: string, withdrawalId: string) =>
  person.call('withdrawal-create', {
    withdrawalId,
    amount,
    currency: 'USD',
    paymentMethod: 'card_withdrawal',
    fields: { cardNumber: '4111111111111111' },
  });

const statusOf = async (person: Person, withdrawalId: string): Promise<WithdrawalTransaction> =>
  (await person.call('withdrawal-status', { withdrawalId })).data as WithdrawalTransaction;

/** A user of the slow operator, who has 100.00 in its wallet. */
async function slowUser(): Promise<Person> {
  const person = await Person.with(running, paidAtOnce);
  slow.balances.set(`${person.userId} USD`, 10_000n);
  return person;
}

/** A user of the other operator. */
function quickUser(): Promise<Person> {
  const tokenOf: RunningApp['tokenOf'] = async (userId, account = {}) => {
    const response = await fetch(`${running.url}/operator/v1/user-tokens`, {
      method: 'POST',
      body: JSON.stringify({ userId, currency: account.currency, country: account.country }),
      headers: { authorization: `Bearer ${quickKey}`, 'content-type': 'application/json' },
    });
    if (!response.ok) throw new Error(`No token: ${response.status}`);
    return ((await response.json()) as { token: string }).token;
  };
  return Person.with({ ...running, tokenOf }, paidAtOnce);
}

/**
 * A user of the quick operator lists methods, deposits, withdraws and is paid, and the operator gets its webhooks.
 * @returns how long it took, in ms
 */
async function wholeVisit(): Promise<number> {
  const startedAt = performance.now();
  const person = await quickUser();
  const depositId = randomUUID();
  expect((await person.create(depositId)).status).toBe(200);
  await person.becomes(depositId, { status: 1 });
  await expect.poll(() => quick.balanceOf(person.userId, 'USD'), soon).toBe(2_505n);
  for (const call of ['methods-withdrawal', 'methods-payment-v5'] as const) {
    const list = (await person.call(call, { country: 'IN', currency: 'USD' })).data as MethodList;
    expect(list.balance).toEqual({ currency: 'USD', amount: '25.05' });
  }
  const withdrawalId = randomUUID();
  expect((await withdraw(person, '20.05', withdrawalId)).data).toMatchObject({ status: 0 });
  expect((await person.call('withdrawal-confirm', { withdrawalId })).status).toBe(200);
  await expect.poll(async () => (await statusOf(person, withdrawalId)).status, soon).toBe(1);
  // Webhooks come in any order.
  const webhooks = [`withdrawal.processed ${withdrawalId}`, `deposit.processed ${depositId}`];
  await expect.poll(() => received, soon).toEqual(expect.arrayContaining(webhooks));
  expect(quick.balanceOf(person.userId, 'USD')).toBe(500n);
  return performance.now() - startedAt;
}

test('[SRV-2] [SRV-7] [WD-2] [WD-3] a wallet that hangs holds up its own users alone, and nothing is taken twice', async () => {
  // The first visit warms the server up.
  await wholeVisit();
  const alone = await wholeVisit();
  const users = await Promise.all(Array.from({ length: SLOW_USERS }, slowUser));
  slow.always = 'hang';

  // Credits occupy the worker's places, and withdrawals those of waiting users.
  for (const person of users.slice(0, 10)) {
    const depositId = randomUUID();
    expect((await person.create(depositId)).status).toBe(200);
    await person.becomes(depositId, { status: 1 });
  }
  const answered: number[] = [];
  const requests = users.map(async (person) => {
    const withdrawalId = randomUUID();
    const { data } = await withdraw(person, '40.00', withdrawalId);
    answered.push((data as WithdrawalTransaction).status);
    return { person, withdrawalId };
  });
  const ofType = (type: string) => slow.calls.filter((call) => call.type === type);
  await expect.poll(() => ofType('debit'), soon).toHaveLength(MAY_WAIT);
  await expect.poll(() => ofType('credit'), soon).toHaveLength(8);
  // Nobody queues behind those who wait.
  await expect.poll(() => answered, soon).toEqual(Array.from({ length: SLOW_USERS - MAY_WAIT }, () => 3));

  const besides = await wholeVisit();
  expect(slow.hanging).toHaveLength(MAY_WAIT + 8);
  expect(answered).toHaveLength(SLOW_USERS - MAY_WAIT);
  // A visit that waited for one hanging call would take its whole time limit longer.
  expect(besides - alone).toBeLessThan(CREDIT_MS);

  // The list of the slow operator's own user comes without a number after a second.
  const listed = (await slowUser()).call('methods-withdrawal', { country: 'IN', currency: 'USD' });
  await expect.poll(() => ofType('balance'), soon).toHaveLength(1);
  clock.endTimers(BALANCE_MS);
  expect(((await listed).data as MethodList).balance).toBeUndefined();

  clock.endTimers(DEBIT_MS);
  const withdrawals = await Promise.all(requests);
  expect(new Set(answered)).toEqual(new Set([3]));
  const states = (): Promise<WithdrawalTransaction[]> =>
    Promise.all(withdrawals.map(({ person, withdrawalId }) => statusOf(person, withdrawalId)));
  for (const state of await states()) expect(state).toMatchObject({ status: 3, isOutcomeUnknown: true });
  expect(slow.executed.size).toBe(0);

  // Half of the calls are carried out after the cashier has given up, and half of them after their repeat.
  const late = slow.hanging.splice(0);
  for (const goOn of late.filter((_, nth) => nth % 2 === 0)) goOn();
  for (const state of await states()) expect(state).toMatchObject({ status: 3, isOutcomeUnknown: true });
  slow.always = undefined;
  // The failures paused the old address for minutes.
  await setSlowAddress(`${slow.url}?v=2`);
  await expect
    .poll(async () => {
      await endPauses(running.database);
      const seen = new Set((await states()).map(({ status }) => status));
      expect([...seen].filter((status) => status !== 3 && status !== 0)).toEqual([]);
      return seen;
    }, soon)
    .toEqual(new Set([0]));
  for (const goOn of late.filter((_, nth) => nth % 2 === 1)) goOn();

  await expect.poll(() => running.database.query({ text: 'select 1 from operator_wallet_queue' }), soon).toEqual([]);
  const taken = [...slow.executed.values()].filter((call) => call.type === 'debit').map(({ userId }) => userId);
  expect(taken.sort()).toEqual(users.map(({ userId }) => userId).sort());
  for (const [nth, { userId }] of users.entries()) {
    expect(slow.balanceOf(userId, 'USD')).toBe(nth < 10 ? 8_505n : 6_000n);
  }
  expect((await auditLedger(running.database)).faults).toEqual([]);
});
