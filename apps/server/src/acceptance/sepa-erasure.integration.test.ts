/** The content of files for a bank names payees. It is erased when nobody needs it any more (WD-2, SRV-7). */
import { endToEndIdOf } from '@opencashier/core/sepa/payment-references';
import { expect, test } from 'vitest';
import { forgetOldRows } from '../jobs/retention.ts';
import type { RunningApp } from '../transports/testing/running-app.ts';
import { statementOf } from './sepa-messages.fixture.ts';
import { type SepaOperator, withSepaOperator } from './sepa-operator.fixture.ts';

let running: RunningApp;
let operator: SepaOperator;
withSepaOperator((made) => {
  operator = made;
  ({ running } = made);
});

const run = (text: string) =>
  running.database.query<{ hash: Buffer; sealed: Buffer | null; keyId: string | null }>({ text });
/** Everything was built or changed so many days earlier. The triggers refuse such a change, so they sleep meanwhile. */
async function age(days: number): Promise<void> {
  for (const [table, column] of [
    ['payout_file', 'built_at'],
    ['payout_transfer', 'changed_at'],
  ] as const) {
    await run(`alter table ${table} disable trigger user`);
    await run(`update ${table} set ${column} = ${column} - interval '${days} days'`);
    await run(`alter table ${table} enable trigger user`);
  }
}
const forget = () => forgetOldRows(running.database).claim([]);
const contents = () => run('select hash, sealed, key_id as "keyId" from payout_file');

test('[WD-2] a file is erased 30 days after the last of its transfers has ended, and its hash stays', async () => {
  const { person, withdrawals, file, fileId } = await operator.fileOf('100.50', '20.50');
  await operator.download(fileId);
  const [first = '', second = ''] = withdrawals;
  const paid = (withdrawal: string, cents: bigint) =>
    operator.import(statementOf([{ direction: 'DBIT', cents, reference: endToEndIdOf(withdrawal) }]));
  await paid(first, 10_000n);
  await operator.becomes(person, first, { status: 1 });
  await age(31);
  // One transfer is open, however old it is.
  await forget();
  await operator.download(fileId);
  const erase = `update payout_file set sealed = null, key_id = null, erased_at = now()`;
  await expect(run(erase)).rejects.toThrow('is kept while one of its transfers is open');

  await paid(second, 2_000n);
  await operator.becomes(person, second, { status: 1 });
  await age(29);
  await forget();
  const xml = await operator.download(fileId);
  expect(xml).toContain('<Nm>Zoe Muller</Nm>');
  for (const wrong of [
    `update payout_file set sealed = '\\x00'`,
    'update payout_file set sealed = null',
    `update payout_file set key_id = 'other'`,
  ])
    await expect(run(wrong)).rejects.toThrow();

  await age(2);
  expect(await forget()).not.toEqual([]);
  expect(await contents()).toEqual([{ hash: Buffer.from(file.hash, 'hex'), sealed: null, keyId: null }]);
  expect(await operator.ask('POST', `/payout-files/${fileId}/download`, { staff: 'ann' })).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('was erased') } },
  });
  // Nothing is left to do, and nothing comes back.
  expect(await forget()).toEqual([]);
  await expect(run(`update payout_file set sealed = '\\x00', key_id = 'k', erased_at = null`)).rejects.toThrow(
    'never changes',
  );
});
