/**
 * Saved payout accounts: only their user sees them, masked, and can delete them. They are saved after the
 * confirmation (WD-1).
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { betweenReads } from '../database/testing/intercepted.fixture.ts';
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
const savedAccounts = (caller: Caller) => listPayoutAccounts(database, keys, caller, 'payout_bank');

beforeEach(() => {
  bench.provider.onWithdraw = async ({ withdrawalId }) => ({ kind: 'accepted', providerRef: refOf(withdrawalId) });
});

async function withdraw(caller: Caller, more: object = {}): Promise<string> {
  const command = intent(caller, toBank(more));
  await bench.payments.withdrawals.create(command);
  await bench.payments.withdrawals.confirm(caller, command.request.withdrawalId);
  return command.request.withdrawalId;
}

test('[WD-1] an account is saved on request after the confirmation, is shown masked, and can be used again', async () => {
  const ann = await richUser(database);
  await withdraw(ann);
  expect(await savedAccounts(ann)).toEqual([]);
  await bench.payments.withdrawals.create(intent(ann, toBank({ keepsAccount: true })));
  expect(await savedAccounts(ann), 'not confirmed').toEqual([]);
  await withdraw(ann, { keepsAccount: true });
  const [account, ...more] = await savedAccounts(ann);
  expect(more).toEqual([]);
  expect(account?.destination).toEqual([
    { name: 'bank', value: '100000000008' },
    { name: 'accountNumber', value: '40817…04312' },
    { name: 'bic', value: '•••• 5225' },
    { name: 'fullName', value: 'A••• R•••' },
  ]);
  await withdraw(ann, { fields: {}, payoutAccountId: account?.accountId });
  expect(bench.provider.withdraws.at(-1)).toMatchObject({ fields: BANK });
  expect(await savedAccounts(ann), 'used again, not saved twice').toEqual([account]);
});

test('[WD-1] another user cannot see, use or remove it', async () => {
  const [ann, bob] = [await richUser(database), await richUser(database)];
  await withdraw(ann, { keepsAccount: true });
  const [account] = await savedAccounts(ann);
  expect(await savedAccounts(bob)).toEqual([]);
  expect(await savedAccounts({ ...ann, operatorId: 'other' })).toEqual([]);
  const { withdrawals } = bench.payments;
  const use = (caller: Caller, more: object = {}) =>
    codeOf(withdrawals.create(intent(caller, toBank({ fields: {}, payoutAccountId: account?.accountId, ...more }))));
  expect(await use(bob)).toBe('banking.paymentMethodRegex');
  expect(await use(ann, { paymentMethod: 'payout_pix' })).toBe('banking.paymentMethodRegex');
  await removePayoutAccount(database, bob, account?.accountId ?? '');
  expect(await savedAccounts(ann)).toEqual([account]);
});

test('[WD-1] a removed account is deleted; its withdrawals keep their receipts and answer retries', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const accountId = (await savedAccounts(ann))[0]?.accountId ?? randomUUID();
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

test('[WD-1] [SRV-8] a repeat whose account is removed while the first call is stored gets the terms of the first', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const accountId = (await savedAccounts(ann))[0]?.accountId ?? '';
  const command = intent(ann, toBank({ fields: {}, payoutAccountId: accountId }));
  const late = betweenReads(database, async (reads) => {
    if (reads !== 1) return;
    await bench.payments.withdrawals.create(command);
    await removePayoutAccount(database, ann, accountId);
  });
  const { withdrawals } = createBench(late).payments;
  expect(await withdrawals.create(command)).toEqual(await bench.payments.withdrawals.create(command));
});

test('[WD-1] an account that is removed during a withdrawal is not saved again by the confirmation', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const accountId = (await savedAccounts(ann))[0]?.accountId ?? '';
  const command = intent(ann, toBank({ fields: {}, payoutAccountId: accountId }));
  await bench.payments.withdrawals.create(command);
  await removePayoutAccount(database, ann, accountId);
  await bench.payments.withdrawals.confirm(ann, command.request.withdrawalId);
  expect(bench.provider.withdraws.at(-1)).toMatchObject({ fields: BANK });
  expect(await savedAccounts(ann)).toEqual([]);
});

test('[WD-1] the last used account comes first', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const [first] = await savedAccounts(ann);
  await withdraw(ann, { keepsAccount: true, fields: { ...BANK, accountNumber: '40817810099910001111' } });
  expect((await savedAccounts(ann))[1]).toEqual(first);
  await withdraw(ann, { fields: {}, payoutAccountId: first?.accountId });
  const after = await savedAccounts(ann);
  expect([after.length, after[0]]).toEqual([2, first]);
});

test('[WD-1] beyond the maximum, the least recently used account is deleted', async () => {
  const ann = await richUser(database, 1_000_000n);
  for (let at = 0; at <= MAX_ACCOUNTS; at += 1) {
    const accountNumber = `4081781009991000${String(1000 + at)}`;
    await withdraw(ann, { keepsAccount: true, fields: { ...BANK, accountNumber } });
  }
  const accounts = await savedAccounts(ann);
  expect(accounts).toHaveLength(MAX_ACCOUNTS);
  expect(JSON.stringify(accounts)).not.toContain('01000"');
});

/** Everything in the database about a user's accounts, as a reader of the files would see it. */
async function rowsOf(caller: Caller) {
  const rows = await database.query<{ row: string; sealed: Buffer | null; keyId: string | null }>({
    text: `select payout_account::text as row, sealed, key_id as "keyId" from payout_account where user_id = $1`,
    values: [caller.userId],
  });
  return rows.map(({ row, sealed, keyId }) => ({ keyId, row: `${row} ${sealed?.toString('latin1')}` }));
}

test('[SRV-2] accounts are stored encrypted and bound to their user, and a submitted withdrawal has no readable copy', async () => {
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
  // A row that is moved to another user cannot be decrypted.
  await database.query({
    text: 'update payout_account set user_id = $1 where user_id = $2',
    values: [bob.userId, ann.userId],
  });
  expect(await savedAccounts(bob)).toEqual([]);
});

test('[SRV-2] accounts under older keys stay readable, and are encrypted again under the newest key', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const other = { ...BANK, accountNumber: '40817810099910001111' };
  await withdraw(ann, { keepsAccount: true, fields: other });
  const before = await savedAccounts(ann);
  const [old] = before;

  const rotated = createDataKeys(['another secret', SECRET]);
  await sealPayoutAccounts(database, rotated).claim([]);
  expect(new Set((await rowsOf(ann)).map(({ keyId }) => keyId))).toEqual(new Set([rotated.newest]));
  expect((await rowsOf(ann)).map(({ row }) => row).join()).not.toContain('40817');
  expect(await listPayoutAccounts(database, rotated, ann, 'payout_bank')).toEqual(before);
  expect(await payoutAccountFields(database, rotated, ann, 'payout_bank', old?.accountId ?? '')).toEqual(other);
  // Without the key the account cannot be read, and the user enters it again.
  expect(await savedAccounts(ann)).toEqual([]);
  expect(await payoutAccountFields(database, keys, ann, 'payout_bank', old?.accountId ?? '')).toBeUndefined();
});

test('[SRV-2] the same account under an older key is saved only once', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const dataKeys = createDataKeys(['another secret', SECRET]);
  const { payments, provider } = createBench(database, { dataKeys });
  provider.onWithdraw = bench.provider.onWithdraw;
  const command = intent(ann, toBank({ keepsAccount: true }));
  await payments.withdrawals.create(command);
  await payments.withdrawals.confirm(ann, command.request.withdrawalId);
  expect(await rowsOf(ann)).toHaveLength(1);
  // If two rows exist anyway, one stays.
  await database.query({
    text: `insert into payout_account (operator_id, user_id, payment_method, key_id, sealed, fingerprint)
      select operator_id, user_id, payment_method, key_id, sealed, sha256('y') from payout_account where user_id = $1`,
    values: [ann.userId],
  });
  await sealPayoutAccounts(database, dataKeys).claim([]);
  expect(await rowsOf(ann)).toHaveLength(1);
  expect(await listPayoutAccounts(database, dataKeys, ann, 'payout_bank')).toHaveLength(1);
});
