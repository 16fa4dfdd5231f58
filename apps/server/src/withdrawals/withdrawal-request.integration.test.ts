import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { freezeUser } from '../ledger/ledger.ts';
import { createBench } from '../payments/testing/payments.fixture.ts';
import { codeOf, failureOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { books, intent, richUser } from './withdrawals.fixture.ts';
import type { Withdrawals } from './withdrawals.ts';

let database: Database;
let withdrawals: Withdrawals;
withPayments(({ database: opened, bench }) => {
  database = opened;
  withdrawals = bench.payments.withdrawals;
});

describe('[WD-2] a request is checked by the rules of the form', () => {
  test('and a failing request holds nothing', async () => {
    const ann = await richUser(database, 10_000_000n);
    const fails = (more: object) => failureOf(withdrawals.create(intent(ann, more)));
    expect(await fails({ amount: '100000.01' })).toMatchObject({
      code: 'insufficient-funds',
      params: { max: '100000.00' },
    });
    expect(await fails({ amount: '99.99' })).toMatchObject({ code: 'limit-min', params: { min: '100.00' } });
    expect(await fails({ amount: '50000.01' })).toMatchObject({ code: 'limit-max', params: { max: '50000.00' } });
    expect(await fails({ amount: '100.001' })).toMatchObject({ code: 'invalid-request' });
    expect(await fails({ paymentMethod: 'card' })).toMatchObject({ code: 'method-unavailable' });
    expect(await fails({ paymentMethod: 'nothing' })).toMatchObject({ code: 'method-unavailable' });
    expect(await fails({ fields: { cardNumber: '4111111111111112' } })).toMatchObject({
      code: 'banking.paymentMethodRegex',
      fields: [{ path: 'fields.cardNumber', message: 'form.cardNumber.invalid' }],
    });
    expect(await fails({ wallet: 'T1' })).toMatchObject({ code: 'invalid-request' });
    expect(await books(database, ann)).toMatchObject({ free: 10_000_000n, held: 0n });
  });

  test('and a wallet of another network is refused with the name of that network', async () => {
    const ann = await richUser(database);
    const to = (wallet: string, more: object = {}) =>
      failureOf(withdrawals.create(intent(ann, { paymentMethod: 'payout_usdt', fields: { wallet }, ...more })));
    expect(await to('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toMatchObject({
      code: 'banking.paymentMethodRegex',
      params: { network: 'Tron', belongsTo: 'Ethereum, Binance Smart Chain, Base, Polygon' },
      fields: [{ path: 'fields.wallet', message: 'form.wallet.network' }],
    });
    expect(await to('TJRabPrwbZy45sbavfcjinPJC18kjpRTv9')).toMatchObject({
      fields: [{ path: 'fields.wallet', message: 'form.wallet.checksum' }],
    });
    expect(await to('', { fields: {}, wallet: 'nothing of the kind' })).toMatchObject({
      fields: [{ path: 'fields.wallet', message: 'form.wallet.invalid' }],
    });
    expect(await to('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toMatchObject({
      fields: [{ path: 'fields.wallet', message: 'form.wallet.contract' }],
    });
    expect(await to('', { fields: {}, wallet: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' })).toEqual({ code: 'ok' });
  });

  test('and a token contract from the settings of chains is refused', async () => {
    const ann = await richUser(database);
    const wallet = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC';
    const { payments } = createBench(database, { tokenContracts: [wallet] });
    const command = intent(ann, { paymentMethod: 'payout_usdt', fields: { wallet } });
    expect(await failureOf(payments.withdrawals.create(command))).toMatchObject({
      code: 'banking.paymentMethodRegex',
      fields: [{ path: 'fields.wallet', message: 'form.wallet.contract' }],
    });
    expect(await books(database, ann)).toMatchObject({ held: 0n });
    expect(await failureOf(withdrawals.create(command))).toEqual({ code: 'ok' });
  });
});

test('[WD-2] concurrent creates with one key make one withdrawal of the whole balance, and all get the same answer', async () => {
  // Each round interleaves the lookups, the checks and the first commit differently.
  for (let round = 0; round < 12; round += 1) {
    const ann = await richUser(database);
    const command = intent(ann);
    const answers = await Promise.all(Array.from({ length: 20 }, () => withdrawals.create(command)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
  }
});

test('[WD-2] a key that is accepted between lookup and check gets its answer, although its own hold emptied the balance', async () => {
  const ann = await richUser(database);
  const command = intent(ann);
  let first: Promise<unknown> | undefined;
  const slow: Database = {
    ...database,
    async query(statement) {
      if (statement.name === 'ledger-balance') {
        first ??= withdrawals.create(command);
        await first;
      }
      return database.query(statement);
    },
  };
  const second = await createBench(slow).payments.withdrawals.create(command);
  expect(second).toEqual(await first);
  expect(await books(database, ann)).toMatchObject({ free: 0n, held: 100_000n });
});

test('[WD-3] the additional account pays its own withdrawals, and a debt freezes it too', async () => {
  const ann = await richUser(database, 100_000n, 'additional');
  expect(await failureOf(withdrawals.create(intent(ann)))).toMatchObject({ code: 'insufficient-funds' });
  const command = intent(ann, { accountType: 'additional' });
  await withdrawals.create(command);
  expect(await books(database, ann)).toEqual({ free: 0n, additional: 0n, held: 100_000n });
  await withdrawals.cancel(ann, command.request.withdrawalId);
  expect(await books(database, ann)).toEqual({ free: 0n, additional: 100_000n, held: 0n });

  const bob = await richUser(database);
  await database.transaction((transaction) => freezeUser(transaction, 'op', bob.userId, 'INR'));
  expect(await failureOf(withdrawals.create(intent(bob)))).toMatchObject({ code: 'method-unavailable' });
  expect(await books(database, bob)).toMatchObject({ free: 100_000n, held: 0n });
});

test('[WD-2] a cancel with ifUnknown voids an unused key for ever, and leaves a held withdrawal unchanged', async () => {
  const ann = await richUser(database);
  const never = intent(ann);
  const { withdrawalId } = never.request;
  expect(await withdrawals.cancel(ann, withdrawalId, { ifUnknown: true })).toEqual({
    withdrawalId,
    status: 2,
    isVoided: true,
  });
  expect(await codeOf(withdrawals.create(never))).toBe('state-conflict');
  const held = intent(ann);
  await withdrawals.create(held);
  expect(await withdrawals.cancel(ann, held.request.withdrawalId, { ifUnknown: true })).toEqual({
    withdrawalId: held.request.withdrawalId,
    status: 0,
    isVoided: false,
  });
  expect(await withdrawals.status(ann, held.request.withdrawalId)).toMatchObject({ status: 0, canCancel: true });
  await withdrawals.cancel(ann, held.request.withdrawalId);
  for (let round = 0; round < 10; round += 1) {
    const command = intent(ann);
    const [created, cancelled] = await Promise.all([
      codeOf(withdrawals.create(command)),
      withdrawals.cancel(ann, command.request.withdrawalId, { ifUnknown: true }),
    ]);
    expect(created).toBe(cancelled.isVoided ? 'state-conflict' : 'ok');
    if (created === 'ok') await withdrawals.cancel(ann, command.request.withdrawalId);
  }
});

test('[WD-2] a key that was cancelled before its create is refused, also in a race', async () => {
  const ann = await richUser(database);
  const early = intent(ann);
  const { withdrawalId } = early.request;
  expect(await withdrawals.cancel(ann, withdrawalId)).toEqual({ withdrawalId, status: 2 });
  expect(await withdrawals.cancel(ann, withdrawalId)).toEqual({ withdrawalId, status: 2 });
  expect(await codeOf(withdrawals.create(early))).toBe('state-conflict');
  expect(await codeOf(withdrawals.status(ann, withdrawalId))).toBe('not-found');
  expect(await codeOf(withdrawals.confirm(ann, withdrawalId))).toBe('not-found');
  for (let round = 0; round < 10; round += 1) {
    const command = intent(ann);
    const [created, cancelled] = await Promise.all([
      codeOf(withdrawals.create(command)),
      withdrawals.cancel(ann, command.request.withdrawalId),
    ]);
    expect(['ok', 'state-conflict']).toContain(created);
    expect(cancelled).toMatchObject({ status: 2 });
    expect(await codeOf(withdrawals.confirm(ann, command.request.withdrawalId))).toBe(
      created === 'ok' ? 'state-conflict' : 'not-found',
    );
  }
  expect(await books(database, ann)).toMatchObject({ free: 100_000n, held: 0n });
});

test('[WD-2] a returning user gets the held, unconfirmed withdrawal on any device, and no other', async () => {
  const ann = await richUser(database);
  const hold = async (amount: string): Promise<string> =>
    (await withdrawals.create(intent(ann, { amount }))).withdrawalId;
  const found = async (caller = ann, currency = 'INR') =>
    (await withdrawals.unconfirmed(caller, currency))?.withdrawalId;
  expect(await found()).toBeUndefined();
  const [first, second, third] = [await hold('100.00'), await hold('200.00'), await hold('300.00')];
  expect(await withdrawals.unconfirmed(ann, 'INR')).toEqual(
    expect.objectContaining({ withdrawalId: third, status: 0, amount: '300.00', currency: 'INR', canCancel: true }),
  );
  expect(await found(ann, 'USD')).toBeUndefined();
  expect(await found({ ...ann, userId: `not-${ann.userId}` })).toBeUndefined();
  expect(await found({ ...ann, operatorId: 'another' })).toBeUndefined();
  await withdrawals.confirm(ann, third);
  expect(await found()).toBe(second);
  await withdrawals.cancel(ann, second);
  expect(await found()).toBe(first);
  // The time is over by the clock, although the hold is not released yet.
  await database.query({
    text: "update withdrawal set expires_at = now() - interval '1 s' where id = $1",
    values: [first],
  });
  expect(await found()).toBeUndefined();
});
