/** Withdrawals through the whole server: calls, sandbox, signed callbacks, ledger (WD-2, WD-3). */
import { randomUUID } from 'node:crypto';
import type { MethodList, WithdrawalTransaction } from '@opencashier/contract/api';
import { describe, expect, test, vi } from 'vitest';
import { accountBalance } from '../ledger/ledger.ts';
import { intents, Person } from '../transports/testing/person.ts';
import type { RunningApp } from '../transports/testing/running-app.ts';
import type { Answer } from '../transports/testing/running-server.ts';
import { withApp } from '../transports/testing/with-app.fixture.ts';

let running: RunningApp;
withApp((app) => {
  running = app;
});

/** A user who has just deposited 200.05 USD. */
async function rich(): Promise<Person> {
  const person = await Person.with(running, { ...intents.redirect, amount: '200.05' });
  const depositId = randomUUID();
  await person.create(depositId);
  await person.becomes(depositId, { status: 1 });
  return person;
}

const create = (person: Person, amount: string, withdrawalId: string, more: object = {}): Promise<Answer> =>
  person.call('withdrawal-create', {
    withdrawalId,
    amount,
    currency: 'USD',
    paymentMethod: 'card_withdrawal',
    fields: { cardNumber: '4111111111111111' },
    ...more,
  });

async function becomes(person: Person, withdrawalId: string, expected: Partial<WithdrawalTransaction>): Promise<void> {
  await vi.waitFor(
    async () => expect((await person.call('withdrawal-status', { withdrawalId })).data).toMatchObject(expected),
    { timeout: 30_000, interval: 100 },
  );
}

const held = (person: Person): Promise<bigint> =>
  accountBalance(running.database, 'demo', { owner: person.userId, asset: 'USD', kind: 'user_hold' });

test('[WD-2] the list names what it costs; create and confirm agree with it; paid out by a signed callback', async () => {
  const person = await rich();
  const list = (await person.call('methods-withdrawal', { country: 'IN', currency: 'USD' })).data as MethodList;
  expect(list.methods.find(({ name }) => name === 'card_withdrawal')?.fees).toEqual({ USD: { percent: '1.5' } });
  expect(list).toMatchObject({ balance: { amount: '200.05' }, additionalBalance: { amount: '0.00' } });
  const withdrawalId = randomUUID();
  expect((await create(person, '100.05', withdrawalId)).data).toEqual({
    withdrawalId,
    status: 0,
    fee: '1.50',
    receives: '98.55',
  });
  expect(await person.balance()).toBe(10_000n);
  // 1 when the signed callback was faster than the answer.
  const confirmed = (await person.call('withdrawal-confirm', { withdrawalId })).data;
  expect([1, 3].map((status) => ({ withdrawalId, status }))).toContainEqual(confirmed);
  await becomes(person, withdrawalId, { status: 1, amount: '100.05', fee: '1.50', receives: '98.55' });
  expect([await person.balance(), await held(person)]).toEqual([10_000n, 0n]);
  expect((await person.call('withdrawal-cancel', { withdrawalId })).error?.code).toBe('state-conflict');
});

// The tests mostly wait for the sandbox, and each has its own user.
describe.concurrent('[WD-2] through the sandbox', () => {
  test.each([
    ['50.01', 'provider-error'],
    ['50.02', 'provider-error'],
    ['50.14', 'banking.merchantClientError'],
  ])('%s is refused at the confirm, and the money is back at once', async (amount, code) => {
    const person = await rich();
    const withdrawalId = randomUUID();
    await create(person, amount, withdrawalId);
    const refused = await person.call('withdrawal-confirm', { withdrawalId });
    expect(refused.error?.code).toBe(code);
    expect((await person.call('withdrawal-confirm', { withdrawalId })).error?.code).toBe(code);
    await becomes(person, withdrawalId, { status: 2, reason: 'withdrawal.reason.declined' });
    expect([await person.balance(), await held(person)]).toEqual([20_005n, 0n]);
  });

  test('each of the other endings ends once, with the balance right to the last unit', async () => {
    const endings = [
      ['20.00', { status: 1 }, 18_005n],
      ['20.08', { status: 1 }, 17_997n],
      ['20.09', { status: 1 }, 17_996n],
      ['20.10', { status: 2, reason: 'withdrawal.reason.declined' }, 20_005n],
      ['20.11', { status: 1 }, 17_994n],
      ['20.13', { status: 2, reason: 'withdrawal.reason.returned' }, 20_005n],
    ] as const;
    await Promise.all(
      endings.map(async ([amount, ending, left]) => {
        const person = await rich();
        const withdrawalId = randomUUID();
        await create(person, amount, withdrawalId);
        expect((await person.call('withdrawal-confirm', { withdrawalId })).status, amount).toBe(200);
        await becomes(person, withdrawalId, ending);
        expect([amount, await person.balance(), await held(person)]).toEqual([amount, left, 0n]);
      }),
    );
  });

  test('of two whose answer never came, one is found by asking and the other stays held', async () => {
    const [found, lost] = [await rich(), await rich()];
    const withdrawalId = randomUUID();
    await Promise.all([create(found, '20.03', withdrawalId), create(lost, '20.04', withdrawalId)]);
    const answers = await Promise.all(
      [found, lost].map((person) => person.call('withdrawal-confirm', { withdrawalId })),
    );
    for (const { error } of answers) expect(error?.code).toBe('unknown-outcome');
    expect((await lost.call('withdrawal-cancel', { withdrawalId })).error?.code).toBe('state-conflict');
    await becomes(found, withdrawalId, { status: 1 });
    await becomes(lost, withdrawalId, { status: 3, isOutcomeUnknown: true });
    expect([await found.balance(), await held(found)]).toEqual([18_002n, 0n]);
    expect([await lost.balance(), await held(lost)]).toEqual([18_001n, 2_004n]);
  });
});

test('[WD-3] fifty whole balances at once leave one hold; cancelled, it is all there again', async () => {
  const person = await rich();
  const ids = Array.from({ length: 50 }, () => randomUUID());
  const answers = await Promise.all(ids.map((withdrawalId) => create(person, '200.05', withdrawalId)));
  const codes = answers.map(({ status, error }) => error?.code ?? status);
  expect(codes.filter((code) => code === 200)).toHaveLength(1);
  expect(codes.filter((code) => code === 'insufficient-funds')).toHaveLength(49);
  expect([await person.balance(), await held(person)]).toEqual([0n, 20_005n]);
  const withdrawalId = ids[codes.indexOf(200)] ?? '';
  expect((await person.call('withdrawal-cancel', { withdrawalId })).data).toEqual({ withdrawalId, status: 2 });
  expect([await person.balance(), await held(person)]).toEqual([20_005n, 0n]);
});

test('[WD-2] coins go to an address of the network alone', async () => {
  const person = await rich();
  const to = (paymentMethod: string, wallet: string): Promise<Answer> =>
    create(person, '25.00', randomUUID(), { paymentMethod, fields: { wallet } });
  const quoteFor = async (paymentMethod: string): Promise<string> => {
    const asked = { amount: '25.00', from: 'USD', to: 'USDT', paymentMethod };
    return ((await person.call('payment-convert-v2', asked)).data as { quote: string }).quote;
  };
  const paid = async (paymentMethod: string, wallet: string): Promise<Answer> =>
    create(person, '25.00', randomUUID(), { paymentMethod, fields: { wallet }, quote: await quoteFor(paymentMethod) });
  const [tron, ethereum] = ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'];
  expect((await to('usdt_trc20_withdrawal', ethereum)).error).toMatchObject({
    code: 'banking.paymentMethodRegex',
    params: { network: 'Tron', belongsTo: 'Ethereum, Binance Smart Chain, Base, Polygon' },
  });
  expect((await to('usdt_erc20_withdrawal', tron)).error?.params).toEqual({ network: 'Ethereum', belongsTo: 'Tron' });
  expect((await to('ltc_withdrawal', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).error?.params).toMatchObject({
    belongsTo: 'Bitcoin',
  });
  expect((await paid('usdt_trc20_withdrawal', tron)).data).toMatchObject({
    fee: '0.25',
    receives: '24.75',
    payout: { currency: 'USDT' },
  });
  expect((await paid('usdt_erc20_withdrawal', ethereum)).data).toMatchObject({ fee: '0.50' });
  // The amount that arrives is agreed before anything is held.
  expect((await to('usdt_trc20_withdrawal', tron)).error?.code).toBe('rate-stale');
});
