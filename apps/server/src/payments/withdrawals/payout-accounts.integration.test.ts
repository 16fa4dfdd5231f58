/** Accounts that are kept for the next withdrawal: by their own user, masked, deletable, and only once confirmed (WD-1). */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Caller } from '../../calls/caller.ts';
import type { Database } from '../../database/database.ts';
import { type Bench, refOf } from '../payments.fixture.ts';
import { codeOf, withPayments } from '../with-payments.fixture.ts';
import { listPayoutAccounts, MOST_ACCOUNTS, removePayoutAccount } from './payout-accounts.ts';
import { richUser, wish } from './withdrawals.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const BANK = { bank: '100000000008', accountNumber: '40817810099910004312', bic: '044525225', fullName: 'Anita Rao' };
const toBank = (more: object = {}) => ({ paymentMethod: 'payout_bank', fields: BANK, amount: '100', ...more });
const kept = (caller: Caller) => listPayoutAccounts(database, caller, 'payout_bank');

beforeEach(() => {
  bench.provider.onWithdraw = async ({ withdrawalId }) => ({ kind: 'accepted', providerRef: refOf(withdrawalId) });
});

async function withdraw(caller: Caller, more: object = {}): Promise<string> {
  const command = wish(caller, toBank(more));
  await bench.payments.withdrawals.create(command);
  await bench.payments.withdrawals.confirm(caller, command.request.withdrawalId);
  return command.request.withdrawalId;
}

test('[WD-1] an account is kept once it was asked for and confirmed, is shown masked, and is paid to again', async () => {
  const ann = await richUser(database);
  await withdraw(ann);
  expect(await kept(ann)).toEqual([]);
  await bench.payments.withdrawals.create(wish(ann, toBank({ keepsAccount: true })));
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
    codeOf(withdrawals.create(wish(caller, toBank({ fields: {}, payoutAccountId: account?.accountId, ...more }))));
  expect(await use(bob)).toBe('banking.paymentMethodRegex');
  expect(await use(ann, { paymentMethod: 'payout_pix' })).toBe('banking.paymentMethodRegex');
  await removePayoutAccount(database, bob, account?.accountId ?? '');
  expect(await kept(ann)).toEqual([account]);
});

test('[WD-1] removed, it is gone for good; the withdrawals that went there keep their receipts and replay', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const accountId = (await kept(ann))[0]?.accountId ?? randomUUID();
  const command = wish(ann, toBank({ fields: {}, payoutAccountId: accountId }));
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
    await codeOf(bench.payments.withdrawals.create(wish(ann, toBank({ fields: {}, payoutAccountId: accountId })))),
  ).toBe('banking.paymentMethodRegex');
});

test('[WD-1] removed after a withdrawal to it began, it does not come back with the confirmation', async () => {
  const ann = await richUser(database);
  await withdraw(ann, { keepsAccount: true });
  const accountId = (await kept(ann))[0]?.accountId ?? '';
  const command = wish(ann, toBank({ fields: {}, payoutAccountId: accountId }));
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
  for (let at = 0; at <= MOST_ACCOUNTS; at += 1) {
    const accountNumber = `4081781009991000${String(1000 + at)}`;
    await withdraw(ann, { keepsAccount: true, fields: { ...BANK, accountNumber } });
  }
  const accounts = await kept(ann);
  expect(accounts).toHaveLength(MOST_ACCOUNTS);
  expect(JSON.stringify(accounts)).not.toContain('01000"');
});
