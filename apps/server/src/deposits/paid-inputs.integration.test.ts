/** Fields that a provider asks for with "I have paid": checked, sent to the provider, then deleted. */
import type { FormField } from '@opencashier/contract/api';
import { describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { userBalance } from '../ledger/ledger.ts';
import { ann, type Bench, bob, commandOf, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';

let database: Database;
let bench: Bench;
withPayments((made) => {
  ({ database, bench } = made);
});

const asked: FormField[] = [
  { name: 'fullName', type: 'text', regex: '^[\\p{L} ]{2,60}$' },
  { name: 'accountEnd', type: 'text', regex: '^\\d{4}$' },
  { name: 'note', type: 'text', props: { validations: [{ regex: '^[a-z]+$', isExists: true }] } },
  { name: 'channel', type: 'text', props: { isHidden: true, value: 'web' } },
];
const good = { fullName: 'Åsa Lind', accountEnd: '1234' };

async function openDeposit(inputFields: FormField[] | undefined = asked) {
  bench.provider.onCreate = async ({ depositId }) => ({
    kind: 'created',
    providerRef: refOf(depositId),
    data: { unifiedFlow: true, ...(inputFields && { inputFields }) },
  });
  const command = commandOf();
  await bench.payments.createDeposit(command);
  return command.request.depositId;
}
const complete = (depositId: string, fields?: Record<string, string>, confirmationId?: string) =>
  bench.payments.completeDeposit(ann, depositId, { fields, confirmationId });
async function keptOf(depositId: string): Promise<unknown> {
  const [row] = await database.query<{ inputs: unknown }>({
    text: `select request -> 'inputs' as inputs from deposit where id = $1`,
    values: [depositId],
  });
  return row?.inputs;
}
/** Makes the reconciler's next question due now. */
async function reconcile(depositId: string) {
  await database.query({ text: 'update deposit set check_at = now() where id = $1', values: [depositId] });
  await bench.payments.runDueWork();
}

describe('[DEP-5] [SRV-8] input fields of an answer', () => {
  test('reach the provider with its hidden values; the deposit is unchanged, and no entry is kept', async () => {
    const depositId = await openDeposit();
    expect(await complete(depositId, { ...good, channel: 'forged' })).toMatchObject({ status: 0 });
    expect(bench.provider.inputs).toEqual([{ ...good, channel: 'web' }]);
    expect(await keptOf(depositId)).toBeNull();
    expect(await userBalance(database, 'op', 'ann', 'INR')).toBe(0n);
  });

  test.each([
    [{ ...good, accountEnd: '12' }, ['fields.accountEnd']],
    [{ accountEnd: 'x' }, ['fields.fullName', 'fields.accountEnd']],
    [undefined, ['fields.fullName', 'fields.accountEnd']],
    [{ ...good, note: '1' }, ['fields.note']],
    [{ ...good, fullName: 'A\u0000b' }, ['fields.fullName']],
    [{ ...good, iban: 'DE00' }, ['fields.iban']],
  ])('%j is refused at its fields without a provider call', async (fields, paths) => {
    const depositId = await openDeposit();
    const failure = await complete(depositId, fields).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'banking.paymentMethodRegex' });
    expect(failure).toMatchObject({ details: { fields: paths.map((path) => expect.objectContaining({ path })) } });
    expect(bench.provider.inputs).toEqual([]);
    expect(await keptOf(depositId)).toBeNull();
  });

  test('that were not asked for are refused; without fields nothing changes', async () => {
    const depositId = await openDeposit([]);
    await expect(complete(depositId, { fullName: 'Ann' })).rejects.toMatchObject({
      code: 'banking.paymentMethodRegex',
    });
    expect(await complete(depositId)).toMatchObject({ status: 0 });
    expect(bench.provider.inputs).toEqual([]);
  });

  test('can contain the receipt number, which has its own property in the call', async () => {
    const depositId = await openDeposit([{ name: 'confirmationId', type: 'text', regex: '^\\d{8,10}$' }]);
    await complete(depositId, undefined, '12345678');
    expect(bench.provider.inputs).toEqual([{ confirmationId: '12345678' }]);
  });

  test('of another user cannot be read or written', async () => {
    const depositId = await openDeposit();
    const stranger = bench.payments.completeDeposit(bob, depositId, { fields: good });
    await expect(stranger).rejects.toMatchObject({ code: 'not-found' });
    expect(bench.provider.inputs).toEqual([]);
  });

  test('that the provider refuses are reported at the field, can be corrected, and are not kept', async () => {
    const depositId = await openDeposit();
    bench.provider.onInputs = async () => ({ kind: 'refused', fields: ['accountEnd', 'not-of-this-form'] });
    await expect(complete(depositId, good)).rejects.toMatchObject({
      code: 'banking.paymentMethodRegex',
      details: { fields: [{ path: 'fields.accountEnd', message: 'refused by the provider' }] },
    });
    expect(await keptOf(depositId)).toBeNull();
    bench.provider.onInputs = async () => ({ kind: 'taken' });
    expect(await complete(depositId, { ...good, accountEnd: '4321' })).toMatchObject({ status: 0 });
    expect(bench.provider.inputs.at(-1)).toMatchObject({ accountEnd: '4321' });
  });

  test('sent again, also concurrently, give the same result', async () => {
    const depositId = await openDeposit();
    const views = await Promise.all([complete(depositId, good), complete(depositId, good), complete(depositId, good)]);
    expect(views.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(new Set(bench.provider.inputs.map((fields) => JSON.stringify(fields))).size).toBe(1);
    expect(await keptOf(depositId)).toBeNull();
  });

  test('wait for a provider that does not answer: only the newest values reach it, once', async () => {
    const depositId = await openDeposit();
    bench.provider.onInputs = () => Promise.reject(new Error('unreachable'));
    expect(await complete(depositId, good)).toMatchObject({ status: 0 });
    await complete(depositId, { ...good, accountEnd: '9999' });
    expect(await keptOf(depositId)).toMatchObject({ accountEnd: '9999' });
    bench.provider.onInputs = async () => ({ kind: 'taken' });
    bench.provider.inputs.length = 0;
    await reconcile(depositId);
    await reconcile(depositId);
    expect(bench.provider.inputs).toEqual([expect.objectContaining({ accountEnd: '9999' })]);
    expect(await keptOf(depositId)).toBeNull();
  });

  test('are deleted unsent once the deposit is paid, and a retry returns the state of the deposit', async () => {
    const depositId = await openDeposit();
    bench.provider.onInputs = () => Promise.reject(new Error('unreachable'));
    await complete(depositId, good);
    await bench.payments.apply(reportOf(depositId));
    expect(await keptOf(depositId)).toBeNull();
    bench.provider.inputs.length = 0;
    expect(await complete(depositId, { anything: 'at all' })).toMatchObject({ status: 1 });
    expect(bench.provider.inputs).toEqual([]);
  });
});
