/** Whose balance counts, through the whole server: calls of the widget, the sandbox, and an operator's wallet on its own port. */
import { randomUUID } from 'node:crypto';
import type { MethodList } from '@opencashier/contract/api';
import { expect, test, vi } from 'vitest';
import { intents, Person } from '../transports/testing/person.ts';
import type { RunningApp } from '../transports/testing/running-app.ts';
import { withApp } from '../transports/testing/with-app.fixture.ts';
import { type FakeWallet, walletSecret, withFakeWallet } from '../wallet-calls/fake-wallet.fixture.ts';

let running: RunningApp;
let wallet: FakeWallet;
withApp((app) => {
  running = app;
});
withFakeWallet((opened) => {
  wallet = opened;
});

const setMode = (mode: string) =>
  running.database.query({
    text: `update operator set wallet_mode = $1, wallet_url = $2, webhook_secrets = $3 where id = 'demo'`,
    values: [mode, wallet.url, [walletSecret]],
  });

async function deposited(amount: string): Promise<Person> {
  const person = await Person.with(running, { ...intents.redirect, amount });
  const depositId = randomUUID();
  expect((await person.create(depositId)).status).toBe(200);
  await person.becomes(depositId, { status: 1 });
  return person;
}

const withdraw = (person: Person, amount: string, withdrawalId: string) =>
  person.call('withdrawal-create', {
    withdrawalId,
    amount,
    currency: 'USD',
    paymentMethod: 'card_withdrawal',
    fields: { cardNumber: '4111111111111111' },
  });

const list = async (person: Person, call: 'methods-withdrawal' | 'methods-payment-v5'): Promise<MethodList> =>
  (await person.call(call, { country: 'IN', currency: 'USD' })).data as MethodList;

test('[SRV-2] [WD-2] [WD-3] an operator with its own wallet: deposit, play, balance, withdrawal', async () => {
  await setMode('operator');
  const person = await deposited('200.05');
  await vi.waitFor(() => expect(wallet.balanceOf(person.userId, 'USD')).toBe(20_005n), { timeout: 20_000 });
  expect(await person.balance()).toBe(0n);
  expect((await list(person, 'methods-withdrawal')).balance).toEqual({ currency: 'USD', amount: '200.05' });
  // The user loses everything but 60.00 in the operator's game.
  wallet.balances.set(`${person.userId} USD`, 6_000n);
  expect((await withdraw(person, '100.00', randomUUID())).error).toMatchObject({
    code: 'insufficient-funds',
    params: { max: '60.00' },
  });
  const withdrawalId = randomUUID();
  expect((await withdraw(person, '50.00', withdrawalId)).data).toMatchObject({ status: 0 });
  expect(wallet.balanceOf(person.userId, 'USD')).toBe(1_000n);
  expect((await person.call('withdrawal-confirm', { withdrawalId })).status).toBe(200);
  await vi.waitFor(
    async () => expect((await person.call('withdrawal-status', { withdrawalId })).data).toMatchObject({ status: 1 }),
    { timeout: 30_000, interval: 100 },
  );
  expect(wallet.balanceOf(person.userId, 'USD')).toBe(1_000n);
});

test('[WD-3] a silent wallet: no number is shown, and a withdrawal is being checked', async () => {
  await setMode('operator');
  const person = await Person.with(running, { ...intents.redirect, amount: '50.00' });
  wallet.balances.set(`${person.userId} USD`, 10_000n);
  wallet.always = 'broken';
  expect((await list(person, 'methods-withdrawal')).balance).toBeUndefined();
  expect((await list(person, 'methods-payment-v5')).balance).toBeUndefined();
  expect((await person.call('balances-get', {})).error?.code).toBe('temporarily-unavailable');
  const withdrawalId = randomUUID();
  expect((await withdraw(person, '50.00', withdrawalId)).data).toMatchObject({ status: 3 });
  expect((await person.call('withdrawal-status', { withdrawalId })).data).toMatchObject({ isOutcomeUnknown: true });
});

test('[WD-1] [WD-2] an operator that passes deposits through has no withdrawals and shows no balance', async () => {
  await setMode('pass-through');
  const person = await deposited('200.05');
  expect(await person.balance()).toBe(0n);
  const none = { country: 'IN', currency: 'USD', groups: [], methods: [], isOffered: false };
  expect(await list(person, 'methods-withdrawal')).toEqual(none);
  expect((await list(person, 'methods-payment-v5')).balance).toBeUndefined();
  expect((await withdraw(person, '50.00', randomUUID())).error?.code).toBe('method-unavailable');
  // Coins are kept here in every mode, so they are redeemed here, too.
  const coins = (await person.call('methods-withdrawal-v4', { currency: 'SC' })).data as MethodList;
  expect(coins.methods.map(({ name }) => name)).toContain('redeem_usdt_trc20');
  expect(coins.isOffered).toBeUndefined();
  expect(coins.balance).toEqual({ currency: 'SC', amount: '0.00' });
});
