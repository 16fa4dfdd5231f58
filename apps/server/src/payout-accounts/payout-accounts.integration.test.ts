/** Accounts that are kept for the next withdrawal: by their own user, masked, deletable, and only once confirmed (WD-1). */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import type { Caller } from '../operators/caller.ts';
import { type Bench, createBench, refOf, SECRET } from '../payments/testing/payments.fixture.ts';
import { codeOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { createDataKeys } from '../sealing/data-keys.ts';
import { intent, richUser } from '../withdrawals/withdrawals.fixture.ts';
import {
  listPayoutAccounts,
  MAX_ACCOUNTS,
  payoutAccountFields,
  removePayoutAccount,
  sealPayoutAccounts,
} from './payout-accounts.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const keys = createDataKeys([SECRET]);
const BANK = { bank: '100000000008', accountNumber: '40817810099910004312', bic: '044525225', fullName: 'Anita Rao' };
const toBank = (more: object = {}) => ({ paymentMethod: 'payout_bank', fields: BANK, amount: '100', ...more });
const kept = (caller: Caller) => listPayoutAccounts(database, keys, caller, 'payout_bank');

beforeEach(() => {
  bench.provider.onWithdraw = async ({ withdrawalId }) => ({ kind: 'accepted', providerRef: refOf(withdrawalId) });
});

async function withdraw(caller: Caller, more: object = {}): Promise<string> {
  const command = intent(caller, toBank(more));
  await bench.payments.withdrawals.create(command);
  await bench.payments.withdrawals.confirm(caller, command.request.withdrawalId);
  return command.request.withdrawalId;
}

test('[WD-1] an account is kept once it was asked for and confirmed, is shown masked, and is paid to again', async () => {
  const ann = await richUser(database);
  await withdraw(ann);
  expect(await kept(ann)).toEqual([]);
  await bench.payments.withdrawals.create(intent(ann, toBank({ keepsAccount: true })));
  expect(await kept(ann), 'not confirmed').toEqual([]);
  await withdraw(ann, { keepsAccount: true });
  const [account, ...more] = await kept(ann);
  expect(more).toEqual([]);
  expect(account?.destination).toEqual([
    { name: 'bank', value: '100000000008' },
    { name: 'accountNumber', value: '40817…04312' },
    { name: 'bic', value: '•••• 5225' },
    { name: 'fullName', value: 'A••• R•••' },
  ]);
  await withdraw(ann, { fields: {}, payoutAccountId: account?.accountId });
  expect(bench.provider.withdraws.at(-1)).toMatchObject({ fields: BANK });
  expect(await kept(ann), 'used again, not kept twice').toEqual([account]);
});

test('[WD-1] nobody else sees, uses or removes it', async () => {
  const [ann, bob] = [await richUser(database), await richUser(database)];
  await withdraw(ann, { keepsAccount: true });
  const [account] = await kept(ann);
  expect(await kept(bob)).toEqual([]);
  expect(await kept({ ...ann, operatorId: 'other' })).toEqual([]);
  const { withdrawals } = bench.payments;
  const use = (caller: Caller, more: object = {}) =>
    codeOf(withdrawals.create(intent(caller, toBank({ fields: {}, payoutAccountId: account?.accountId, ...more }))));
  expect(await use(bob)).toBe('banking.paymentMethodRegex');
  expect(await use(ann, { paymentMethod: 'payout_pix' })).toBe('banking.paymentMethodRegex');
  await removePayoutAccount(database, bob, account?.accountId ?? '');
  expect(await kept(ann)).toEqual([account]);
});

test('[WD-1] removed, it is gone for good; the withdrawals that went there keep their receipts and replay', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const accountId = (await kept(ann))[0]?.accountId ?? randomUUID();
  const command = intent(ann, toBank({ fields: {}, payoutAccountId: accountId }));
  const made = await bench.payments.withdrawals.create(command);
  await removePayoutAccount(database, ann, accountId);
  const rows = await database.query({ text: 'select 1 from payout_account where id = $1', values: [accountId] });
  expect(rows).toEqual([]);
  expect(await bench.payments.withdrawals.create(command), 'the same key').toEqual(made);
  const { withdrawalId } = command.request;
  await bench.payments.withdrawals.cancel(ann, withdrawalId);
  expect((await bench.payments.withdrawals.status(ann, withdrawalId)).destination).toContainEqual({
    name: 'fullName',
    value: 'A••• R•••',
  });
  expect(
    await codeOf(bench.payments.withdrawals.create(intent(ann, toBank({ fields: {}, payoutAccountId: accountId })))),
  ).toBe('banking.paymentMethodRegex');
});

test('[WD-1] removed after a withdrawal to it began, it does not come back with the confirmation', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const accountId = (await kept(ann))[0]?.accountId ?? '';
  const command = intent(ann, toBank({ fields: {}, payoutAccountId: accountId }));
  await bench.payments.withdrawals.create(command);
  await removePayoutAccount(database, ann, accountId);
  await bench.payments.withdrawals.confirm(ann, command.request.withdrawalId);
  expect(bench.provider.withdraws.at(-1)).toMatchObject({ fields: BANK });
  expect(await kept(ann)).toEqual([]);
});

test('[WD-1] the account that was used last comes first', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const [first] = await kept(ann);
  await withdraw(ann, { keepsAccount: true, fields: { ...BANK, accountNumber: '40817810099910001111' } });
  expect((await kept(ann))[1]).toEqual(first);
  await withdraw(ann, { fields: {}, payoutAccountId: first?.accountId });
  const after = await kept(ann);
  expect([after.length, after[0]]).toEqual([2, first]);
});

test('[WD-1] there is a bound: the account that was not used for longest makes room', async () => {
  const ann = await richUser(database, 1_000_000n);
  for (let at = 0; at <= MAX_ACCOUNTS; at += 1) {
    const accountNumber = `4081781009991000${String(1000 + at)}`;
    await withdraw(ann, { keepsAccount: true, fields: { ...BANK, accountNumber } });
  }
  const accounts = await kept(ann);
  expect(accounts).toHaveLength(MAX_ACCOUNTS);
  expect(JSON.stringify(accounts)).not.toContain('01000"');
});

/** All that lies in the database of a user's accounts, as whoever reads the files would see it. */
async function rowsOf(caller: Caller) {
  const rows = await database.query<{ row: string; sealed: Buffer | null; keyId: string | null }>({
    text: `select payout_account::text as row, sealed, key_id as "keyId" from payout_account where user_id = $1`,
    values: [caller.userId],
  });
  return rows.map(({ row, sealed, keyId }) => ({ keyId, row: `${row} ${sealed?.toString('latin1')}` }));
}

test('[SRV-2] it lies encrypted, bound to its user, and a withdrawal carries it no other way once it was told', async () => {
  const [ann, bob] = [await richUser(database), await richUser(database)];
  const id = await withdraw(ann, { keepsAccount: true });
  const [stored] = await rowsOf(ann);
  for (const value of [...Object.values(BANK), '40817…04312', 'A••• R•••']) expect(stored?.row).not.toContain(value);
  const [withdrawal] = await database.query<{ request: object }>({
    text: 'select request from withdrawal where id = $1',
    values: [id],
  });
  expect(withdrawal?.request).toMatchObject({ fields: {} });
  expect(withdrawal?.request).not.toHaveProperty('account');
  // A row that somebody moves to another user opens for nobody.
  await database.query({
    text: 'update payout_account set user_id = $1 where user_id = $2',
    values: [bob.userId, ann.userId],
  });
  expect(await kept(bob)).toEqual([]);
});

test('[SRV-2] accounts of older keys are read as they are, and encrypted under the newest key', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const other = { ...BANK, accountNumber: '40817810099910001111' };
  await withdraw(ann, { keepsAccount: true, fields: other });
  const before = await kept(ann);
  const [old] = before;

  const rotated = createDataKeys(['another secret', SECRET]);
  await sealPayoutAccounts(database, rotated).claim([]);
  expect(new Set((await rowsOf(ann)).map(({ keyId }) => keyId))).toEqual(new Set([rotated.newest]));
  expect((await rowsOf(ann)).map(({ row }) => row).join()).not.toContain('40817');
  expect(await listPayoutAccounts(database, rotated, ann, 'payout_bank')).toEqual(before);
  expect(await payoutAccountFields(database, rotated, ann, 'payout_bank', old?.accountId ?? '')).toEqual(other);
  // Without the key nobody reads it; its user types the account again.
  expect(await kept(ann)).toEqual([]);
  expect(await payoutAccountFields(database, keys, ann, 'payout_bank', old?.accountId ?? '')).toBeUndefined();
});

test('[SRV-2] the same account under an older key is kept once', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const dataKeys = createDataKeys(['another secret', SECRET]);
  const { payments, provider } = createBench(database, { dataKeys });
  provider.onWithdraw = bench.provider.onWithdraw;
  const command = intent(ann, toBank({ keepsAccount: true }));
  await payments.withdrawals.create(command);
  await payments.withdrawals.confirm(ann, command.request.withdrawalId);
  expect(await rowsOf(ann)).toHaveLength(1);
  // And where two are there all the same, one stays.
  await database.query({
    text: `insert into payout_account (operator_id, user_id, payment_method, key_id, sealed, fingerprint)
      select operator_id, user_id, payment_method, key_id, sealed, sha256('y') from payout_account where user_id = $1`,
    values: [ann.userId],
  });
  await sealPayoutAccounts(database, dataKeys).claim([]);
  expect(await rowsOf(ann)).toHaveLength(1);
  expect(await listPayoutAccounts(database, dataKeys, ann, 'payout_bank')).toHaveLength(1);
});
