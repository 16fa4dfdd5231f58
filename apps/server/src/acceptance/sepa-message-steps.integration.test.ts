/** Messages of a bank that are applied in several transactions, and a server that dies between them (WD-2). */
import { createHash, randomBytes } from 'node:crypto';
import { paymentInformationIdOf } from '@opencashier/core/sepa/payment-references';
import { expect, test } from 'vitest';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import { applyBankMessage } from '../payout-files/apply-bank-message.ts';
import { createDataKeys } from '../sealing/data-keys.ts';
import type { RunningApp } from '../transports/testing/running-app.ts';
import { statementOf } from './sepa-messages.fixture.ts';
import { type SepaOperator, withSepaOperator } from './sepa-operator.fixture.ts';

const OPERATOR = 'demo';

let running: RunningApp;
let operator: SepaOperator;
withSepaOperator((made) => {
  operator = made;
  ({ running } = made);
});

/** Applies a message one step at a time in a process that dies when it reaches a failpoint. */
function dyingImport(xml: string, dieAt: Failpoint) {
  const ports = {
    database: running.database,
    dataKeys: createDataKeys([randomBytes(32).toString('hex')]),
    stepsAtOnce: 1,
    failpoint(name: Failpoint) {
      if (name === dieAt) throw new Error(`died at ${name}`);
    },
  };
  return applyBankMessage(ports, { operatorId: OPERATOR, by: 'ann', name: 'a.xml', bytes: Buffer.from(xml) });
}

const deaths: readonly Failpoint[] = [
  'bank-message-decided',
  'bank-message-steps-uncommitted',
  'bank-message-steps-applied',
];
for (const point of deaths) {
  test(`[WD-2] [SRV-3] a whole-file debit whose server dies at ${point} is finished by the worker, and pays once`, async () => {
    const { person, withdrawals, fileId } = await operator.fileOf('20.50', '30.50', '40.50');
    const statement = statementOf([{ direction: 'DBIT', cents: 9_000n, batch: paymentInformationIdOf(fileId) }]);
    await expect(dyingImport(statement, point)).rejects.toThrow(`died at ${point}`);
    // Nobody sends the file again: the worker of the running cashier goes on.
    for (const id of withdrawals) await operator.becomes(person, id, { status: 1 });
    expect([await operator.held(person), await person.balance()]).toEqual([0n, 90_850n]);
    expect(await running.database.query({ text: 'select n from bank_message_step' })).toEqual([]);
    expect(await operator.import(statement)).toMatchObject({ outcome: 'known', changed: 3 });
    expect(await person.balance()).toBe(90_850n);
  });
}

test('[WD-2] a message that died before its decision was stored has changed nothing, and can be sent again', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50', '30.50');
  const statement = statementOf([{ direction: 'DBIT', cents: 5_000n, batch: paymentInformationIdOf(fileId) }]);
  await expect(dyingImport(statement, 'bank-message-uncommitted')).rejects.toThrow('died');
  for (const id of withdrawals) expect(await operator.stateOf(id)).toBe('filed');
  expect(await operator.import(statement)).toMatchObject({ outcome: 'applied', changed: 2 });
  for (const id of withdrawals) await operator.becomes(person, id, { status: 1 });
});

test('[WD-2] a message whose server dies is taken on by the same file sent again, and by the next message', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50', '30.50');
  const batch = paymentInformationIdOf(fileId);
  const statement = statementOf([{ direction: 'DBIT', cents: 5_000n, batch }]);
  await expect(dyingImport(statement, 'bank-message-decided')).rejects.toThrow('died');
  // The next statement has the same debit. It is judged after the first one, so it changes nothing and is no contradiction.
  const next = statementOf([{ direction: 'DBIT', cents: 5_000n, batch }]);
  expect(await operator.import(next)).toMatchObject({ outcome: 'applied', changed: 0, problems: [] });
  for (const id of withdrawals) expect(await operator.stateOf(id)).toBe('paid');
  for (const id of withdrawals) await operator.becomes(person, id, { status: 1 });
  expect([await operator.held(person), await person.balance()]).toEqual([0n, 94_900n]);
});

test('[WD-2] a file that nobody has is not given out while a message about it is being read', async () => {
  const { withdrawals, fileId } = await operator.fileOf('20.50');
  const [withdrawalId = ''] = withdrawals;
  const { database } = running;
  // The message is not in the queue, so no worker takes the step.
  await database.query({
    text: `with message as (insert into bank_message (operator_id, kind, name, hash, found, changed, by)
        values ($1, 'camt.053', 'a.xml', $2, 1, 1, 'ann') returning id)
      insert into bank_message_step (operator_id, message_id, n, withdrawal_id, state, returned)
      select $1, id, 1, $3, 'returned', 2000 from message`,
    values: [OPERATOR, createHash('sha256').update(fileId).digest(), withdrawalId],
  });
  const refused = await operator.ask('POST', `/payout-files/${fileId}/download`, { staff: 'ann' });
  expect(refused).toMatchObject({ status: 409 });
  expect(await operator.stateOf(withdrawalId)).toBe('filed');
  await database.query({ text: 'delete from bank_message_step' });
  expect(await operator.download(fileId)).toContain('<Document');
});
