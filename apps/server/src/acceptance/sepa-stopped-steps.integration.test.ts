/** Bank messages about transfers that are stopped or wait for a file, of which the database refuses one (WD-2). */
import { endToEndIdOf, paymentInformationIdOf } from '@opencashier/core/sepa/payment-references';
import { expect, test, vi } from 'vitest';
import { reportOn, statementOf } from './sepa-messages.fixture.ts';
import type { SepaOperator } from './sepa-operator.fixture.ts';
import { withRefusingDatabase } from './sepa-refusals.fixture.ts';

let operator: SepaOperator;
const { sql, refuse, allow, hold, readAll, setAside, retry } = withRefusingDatabase((made) => {
  operator = made;
});

const decide = (id: string, decision: string) =>
  operator.ask('POST', `/payout-transfers/${id}/decide`, { decision, staff: 'ann' });

test('[WD-2] one stopped transfer that the database refuses does not fail the import: the others are paid, and it is never sent again', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50', '30.50', '40.50');
  const [refused = '', ...others] = withdrawals;
  await operator.import(reportOn(fileId, 'RJCT', []));
  for (const id of withdrawals) expect(await operator.stateOf(id)).toBe('stopped');
  await refuse(refused);
  const statement = statementOf([{ direction: 'DBIT', cents: 9_000n, batch: paymentInformationIdOf(fileId) }]);
  expect(await operator.import(statement)).toMatchObject({ outcome: 'applied', changed: 3, left: 3, setAside: 0 });
  await hold();
  // Nobody knows yet which steps are applied, so staff send none of them again.
  await allow();
  for (const id of withdrawals) {
    expect(await decide(id, 'send-again')).toMatchObject({ status: 409 });
    expect(await decide(id, 'decline')).toMatchObject({ status: 409 });
    await expect(
      sql(`update payout_transfer set state = 'queued', file_id = null, due_at = now() where withdrawal_id = $1`, [id]),
    ).rejects.toMatchObject({ constraint: 'payout_transfer_step_waits' });
  }
  await refuse(refused);
  await readAll();
  for (const id of others) await operator.becomes(person, id, { status: 1 });
  expect(await setAside()).toMatchObject([{ withdrawalId: refused, to: 'paid', cause: 'refused_by_test' }]);
  await allow();
  expect(await operator.stateOf(refused)).toBe('stopped');
  expect(await decide(refused, 'send-again')).toMatchObject({ status: 409 });
  expect(await retry(refused)).toMatchObject({ status: 200, body: { ended: 1 } });
  await operator.becomes(person, refused, { status: 1 });
  expect([await operator.held(person), await person.balance()]).toEqual([0n, 90_850n]);
});

test('[WD-2] no file gets a queued transfer whose step is set aside, and its neighbours leave', async () => {
  const person = await operator.person();
  const paid = await operator.withdraw(person, '20.50');
  await refuse(paid);
  const debit = { direction: 'DBIT', cents: 2_000n, reference: endToEndIdOf(paid) } as const;
  expect(await operator.import(statementOf([debit]))).toMatchObject({ changed: 1, left: 1 });
  await readAll();
  expect(await setAside()).toMatchObject([{ withdrawalId: paid, to: 'paid' }]);
  await allow();
  const other = await operator.withdraw(person, '30.50');
  // The paid one is due first.
  await sql(`update payout_transfer set due_at = now() - interval '1 minute' where withdrawal_id = $1`, [paid]);
  await sql(`update payout_transfer set due_at = now() where withdrawal_id = $1`, [other]);
  await vi.waitFor(async () => expect(await operator.stateOf(other)).toBe('filed'), { timeout: 30_000, interval: 50 });
  expect(await operator.stateOf(paid)).toBe('queued');
  expect(await retry(paid)).toMatchObject({ status: 200, body: { ended: 1 } });
  await operator.becomes(person, paid, { status: 1 });
  expect(await sql('select 1 from payout_file_line where withdrawal_id = $1', [paid])).toEqual([]);
});
