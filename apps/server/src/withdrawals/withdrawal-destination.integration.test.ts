import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { type Bench, refOf } from '../payments/testing/payments.fixture.ts';
import { codeOf, withPayments } from '../payments/testing/with-payments.fixture.ts';
import { intent, richUser } from './withdrawals.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const BANK = {
  fullName: 'Anita Rao',
  bic: '044525225',
  accountNumber: '40817810099910004312',
  bank: '100000000008',
};

async function storedRequest(withdrawalId: string): Promise<string> {
  const [row] = await database.query<{ request: string }>({
    text: 'select request::text as request from withdrawal where id = $1',
    values: [withdrawalId],
  });
  return row?.request ?? '';
}

test('[WD-2] the destination is complete and in the order of the form until the confirmation, then only stored masked', async () => {
  const { withdrawals } = bench.payments;
  const ann = await richUser(database);
  const command = intent(ann, { paymentMethod: 'payout_bank', fields: BANK });
  const { withdrawalId } = command.request;
  await withdrawals.create(command);
  expect((await withdrawals.status(ann, withdrawalId)).destination).toEqual([
    { name: 'bank', value: '100000000008' },
    { name: 'accountNumber', value: '40817810099910004312' },
    { name: 'bic', value: '044525225' },
    { name: 'fullName', value: 'Anita Rao' },
  ]);
  expect(await codeOf(withdrawals.status(await richUser(database), withdrawalId))).toBe('not-found');
  bench.provider.onWithdraw = async () => ({ kind: 'accepted', providerRef: refOf(withdrawalId) });
  await withdrawals.confirm(ann, withdrawalId);
  expect((await withdrawals.status(ann, withdrawalId)).destination).toEqual([
    { name: 'bank', value: '100000000008' },
    { name: 'accountNumber', value: '40817…04312' },
    { name: 'bic', value: '•••• 5225' },
    { name: 'fullName', value: 'A••• R•••' },
  ]);
  const stored = await storedRequest(withdrawalId);
  for (const whole of [BANK.accountNumber, BANK.bic, 'Anita', 'Rao']) expect(stored).not.toContain(whole);
});

test('[WD-2] a Pix key has the name of its own field', async () => {
  const { withdrawals } = bench.payments;
  const ann = await richUser(database);
  const fields = { pixKeyType: 'email', pixKey: 'anita@example.com', numberId: '52998224725', numberType: 'cpf' };
  const command = intent(ann, { paymentMethod: 'payout_pix', fields });
  const { withdrawalId } = command.request;
  await withdrawals.create(command);
  expect((await withdrawals.status(ann, withdrawalId)).destination).toEqual([
    { name: 'pixKeyType', value: 'email' },
    { name: 'cpf', value: '52998224725' },
    { name: 'email', value: 'anita@example.com' },
  ]);
  await withdrawals.cancel(ann, withdrawalId);
  expect((await withdrawals.status(ann, withdrawalId)).destination).toEqual([
    { name: 'pixKeyType', value: 'email' },
    { name: 'cpf', value: '•••• 4725' },
    { name: 'email', value: 'a•••@example.com' },
  ]);
});
