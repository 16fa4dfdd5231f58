/** Steps of a bank's message that the database refuses: tried again, then divided, then set aside for staff (WD-2). */
import { randomBytes } from 'node:crypto';
import type { BankMessagePage, BankMessageView } from '@opencashier/contract/operator';
import { endToEndIdOf, paymentInformationIdOf } from '@opencashier/core/sepa/payment-references';
import { expect, test, vi } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import type { Database, Statement } from '../database/database.ts';
import { applyBankMessage } from '../payout-files/apply-bank-message.ts';
import { createDataKeys } from '../sealing/data-keys.ts';
import { statementOf } from './sepa-messages.fixture.ts';
import type { SepaOperator } from './sepa-operator.fixture.ts';
import { withRefusingDatabase } from './sepa-refusals.fixture.ts';

const soon = { timeout: 30_000, interval: 50 };

let operator: SepaOperator;
const { sql, refuse, allow, hold, readAll, setAside, end } = withRefusingDatabase((made) => {
  operator = made;
});

const messages = async () => ((await operator.ask('GET', '/bank-messages')).body as BankMessagePage).messages;

/** A file of five transfers, and a statement that has paid it. The database refuses the third transfer. */
async function refusedFile() {
  const made = await operator.fileOf('20.50', '30.50', '40.50', '50.50', '60.50');
  const culprit = made.withdrawals[2] ?? '';
  await refuse(culprit);
  const statement = statementOf([{ direction: 'DBIT', cents: 20_000n, batch: paymentInformationIdOf(made.fileId) }]);
  return { ...made, culprit, statement };
}

test('[WD-2] a step that the database refuses is set aside alone; its neighbours are paid once, and staff let it be tried again', async () => {
  const { person, withdrawals, culprit, statement } = await refusedFile();
  const neighbours = withdrawals.filter((id) => id !== culprit);
  const imported = await operator.import(statement);
  expect(imported).toMatchObject({ outcome: 'applied', changed: 5, left: 5, setAside: 0 });
  const [tried] = await hold();
  expect(tried).toMatchObject({ suspects: null, last_error: 'refused_by_test', waits: true });
  expect(tried?.failures).toBeGreaterThan(0);
  const reading = (await messages()).find(({ messageId }) => messageId === imported.messageId);
  expect(reading).toMatchObject({ state: 'reading', changed: 5, applied: 0, setAside: 0, staff: 'ann' });
  await readAll();
  expect(await setAside()).toMatchObject([
    { withdrawalId: culprit, messageId: imported.messageId, to: 'paid', cause: 'refused_by_test' },
  ]);
  for (const id of neighbours) await operator.becomes(person, id, { status: 1 });
  expect(await operator.stateOf(culprit)).toBe('filed');
  expect([await operator.held(person), await person.balance()]).toEqual([4_050n, 79_750n]);
  expect((await messages())[0]).toMatchObject({ state: 'set-aside', changed: 5, applied: 4, setAside: 1 });
  expect(await operator.import(statement)).toMatchObject({ outcome: 'known', changed: 5, left: 0, setAside: 1 });

  // The cause has not ended, so nothing changes.
  const refused = await end(culprit, { decision: 'retry' });
  expect(refused).toMatchObject({ status: 409, body: { error: { params: { cause: 'refused_by_test' } } } });
  expect(await setAside()).toHaveLength(1);
  await allow();
  expect(await end(culprit, { decision: 'retry' })).toMatchObject({ status: 200, body: { ended: 1 } });
  await operator.becomes(person, culprit, { status: 1 });
  expect(await operator.held(person)).toBe(0n);
  expect((await messages())[0]).toMatchObject({ state: 'applied', changed: 5, applied: 5, setAside: 0, dismissed: 0 });
  expect(await end(culprit, { decision: 'retry' })).toMatchObject({ status: 404 });
  const [kept] = await sql('select outcome, ended_by from bank_step_set_aside where withdrawal_id = $1', [culprit]);
  expect(kept).toEqual({ outcome: 'applied', ended_by: 'bob' });
});

test('[WD-2] while a message waits, one about other transfers is applied at once; one about the same transfers is sent again later', async () => {
  const { statement, fileId, culprit } = await refusedFile();
  await operator.import(statement);
  await hold();
  const same = statementOf([{ direction: 'DBIT', cents: 20_000n, batch: paymentInformationIdOf(fileId) }]);
  expect(await operator.send(same)).toMatchObject({ status: 409 });
  // The worker takes the message of another operator meanwhile. It has no steps, so it ends.
  await sql(`with other as (insert into operator (id, partner_key, name) values ('other', 'other', 'Other') returning id),
      message as (insert into bank_message (operator_id, kind, name, hash, found, changed, by)
        select id, 'camt.053', 'other.xml', sha256('other'), 0, 0, 'ann' from other returning operator_id, id)
    insert into bank_message_queue (operator_id, message_id) select operator_id, id from message`);
  await vi.waitFor(
    async () => expect(await sql('select operator_id from bank_message_queue')).toEqual([{ operator_id: 'demo' }]),
    soon,
  );
  const other = await operator.fileOf('20.50');
  const debit = { direction: 'DBIT', cents: 2_000n, batch: paymentInformationIdOf(other.fileId) } as const;
  expect(await operator.import(statementOf([debit]))).toMatchObject({ changed: 1, left: 0, setAside: 0 });
  for (const id of other.withdrawals) expect(await operator.stateOf(id)).toBe('paid');
  await readAll();
  expect(await operator.import(same)).toMatchObject({ outcome: 'applied', changed: 0, problems: [] });
  expect(await end(culprit, { decision: 'dismiss' })).toMatchObject({ status: 400 });
  const [{ messageId = '' } = {}] = await setAside();
  const dismissal = { decision: 'dismiss', reason: 'another statement follows' };
  expect(await end(culprit, dismissal)).toMatchObject({ status: 400 });
  expect(await end(culprit, { ...dismissal, messageId })).toMatchObject({ status: 200, body: { ended: 1 } });
  const dismissed = (await messages()).find((one) => one.dismissed > 0);
  expect(dismissed).toMatchObject({ state: 'applied', changed: 5, applied: 4, dismissed: 1 });
  // The next statement pays what staff have dismissed.
  await allow();
  const third = statementOf([{ direction: 'DBIT', cents: 20_000n, batch: paymentInformationIdOf(fileId) }]);
  expect(await operator.import(third)).toMatchObject({ changed: 1, left: 0, setAside: 0 });
  expect(await operator.stateOf(culprit)).toBe('paid');
});

test('[WD-2] a file that comes twice at once is known the second time, also while a part of it fails', async () => {
  const { statement, culprit } = await refusedFile();
  const { database } = operator.running;
  let first: Promise<BankMessageView> | undefined;
  // The first import runs after the second one has looked for the message and has not found it.
  const racing: Database = {
    kind: database.kind,
    transaction: (work) => database.transaction(work),
    async query<Row>(asked: Statement) {
      const rows = await database.query<Row>(asked);
      first ??= operator.import(statement).finally(hold);
      await first;
      return rows;
    },
    ping: () => database.ping(),
    close: () => database.close(),
  };
  const ports = { database: racing, dataKeys: createDataKeys([randomBytes(32).toString('hex')]) };
  const sent = { operatorId: 'demo', by: 'bob', name: 'again.xml', bytes: Buffer.from(statement) };
  const second = await applyBankMessage(ports, sent);
  expect(second).toMatchObject({ outcome: 'known', changed: 5, left: 5 });
  expect(await first).toMatchObject({ outcome: 'applied', messageId: second.messageId });
  await readAll();
  await allow();
  expect(await end(culprit, { decision: 'retry' })).toMatchObject({ status: 200 });
});

test('[WD-2] what the bank says next of a transfer waits behind its step, and both are applied in their order', async () => {
  const { person, statement, culprit } = await refusedFile();
  await operator.import(statement);
  await readAll();
  const back = statementOf([{ direction: 'CRDT', cents: 4_000n, reference: endToEndIdOf(culprit), reason: 'AC04' }]);
  expect(await operator.import(back)).toMatchObject({ changed: 1, left: 0, setAside: 1, problems: [] });
  expect(await setAside()).toMatchObject([
    { withdrawalId: culprit, to: 'paid', cause: 'refused_by_test' },
    { withdrawalId: culprit, to: 'returned', cause: 'earlier-step' },
  ]);
  await allow();
  expect(await end(culprit, { decision: 'retry' })).toMatchObject({ status: 200, body: { ended: 2 } });
  expect(await operator.stateOf(culprit)).toBe('returned');
  await vi.waitFor(async () => expect(await operator.held(person)).toBe(0n), soon);
});

test('[WD-2] a dismissal ends the step that staff saw, and what the bank said after it is applied', async () => {
  const { person, statement, culprit } = await refusedFile();
  const { messageId } = await operator.import(statement);
  await readAll();
  // It comes between the look of staff and their decision.
  const back = statementOf([{ direction: 'CRDT', cents: 4_000n, reference: endToEndIdOf(culprit), reason: 'AC04' }]);
  const later = await operator.import(back);
  const dismissal = { decision: 'dismiss', reason: 'the bank has corrected it' };
  expect(await end(culprit, { ...dismissal, messageId: later.messageId })).toMatchObject({
    status: 409,
    body: { error: { params: { messageId } } },
  });
  expect(await end(culprit, { ...dismissal, messageId })).toMatchObject({ status: 200, body: { ended: 1 } });
  expect(await setAside()).toMatchObject([{ withdrawalId: culprit, messageId: later.messageId, to: 'returned' }]);
  await allow();
  // By the books nothing was paid, so nothing can come back.
  expect(await end(culprit, { decision: 'retry' })).toMatchObject({ status: 409 });
  expect(await end(culprit, { ...dismissal, messageId: later.messageId })).toMatchObject({ status: 200 });
  expect(await setAside()).toEqual([]);
  await vi.waitFor(async () => expect(await operator.held(person)).toBe(4_050n), soon);
  expect(await operator.stateOf(culprit)).toBe('filed');
});

test('[WD-2] while a step of a transfer is set aside, staff decide nothing about it and nobody downloads its file', async () => {
  const { withdrawals, fileId } = await operator.fileOf('20.50', '30.50');
  const [stopped = '', other = ''] = withdrawals;
  const decide = (decision: string) =>
    operator.ask('POST', `/payout-transfers/${stopped}/decide`, { decision, staff: 'ann' });
  await sql(`with message as (insert into bank_message (operator_id, kind, name, hash, found, changed, by)
      values ('demo', 'pain.002', 'a.xml', sha256('a'), 2, 2, 'ann') returning id)
    insert into bank_step_set_aside (operator_id, message_id, n, withdrawal_id, state, cause)
      select 'demo', message.id, step.n, step.id, 'paid', 'refused_by_test' from message, (values (1, '${stopped}'::uuid), (2, '${other}'::uuid)) step(n, id)`);
  expect(await operator.ask('POST', `/payout-files/${fileId}/download`, { staff: 'ann' })).toMatchObject({
    status: 409,
  });
  await sql(`update payout_transfer set state = 'stopped', reason = 'AC04' where withdrawal_id = $1`, [stopped]);
  for (const decision of ['decline', 'send-again']) {
    expect(await decide(decision)).toMatchObject({ status: 409 });
  }
  expect(await operator.stateOf(stopped)).toBe('stopped');
  await sql(
    `update bank_step_set_aside set outcome = 'dismissed', ended_by = 'bob', ended_at = now(), note = 'test', stood_state = 'stopped', stood_files = 1 where ended_at is null`,
  );
  expect(await decide('decline')).toMatchObject({ status: 200 });
});

test('[WD-2] a later step of the same message is set aside with the first one of its transfer', async () => {
  const { fileId, culprit, withdrawals } = await refusedFile();
  const debit = { direction: 'DBIT', cents: 20_000n, batch: paymentInformationIdOf(fileId) } as const;
  const credit = { direction: 'CRDT', cents: 4_000n, reference: endToEndIdOf(culprit), reason: 'AC04' } as const;
  await operator.import(statementOf([debit, credit]));
  await readAll();
  const own = (await setAside()).filter(({ withdrawalId }) => withdrawalId === culprit);
  expect(own).toMatchObject([
    { to: 'paid', cause: 'refused_by_test' },
    { to: 'returned', cause: 'earlier-step' },
  ]);
  for (const id of withdrawals) expect(await operator.stateOf(id)).toBe(id === culprit ? 'filed' : 'paid');
});

test('[WD-2] the commands list the messages and the steps that are set aside, and end them', async () => {
  const { statement, culprit } = await refusedFile();
  await operator.import(statement);
  await hold();
  const environment = { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: '0'.repeat(64) };
  const run = (command: string) => runCommand(command, { environment, open: keptOpen(operator.running.database) });
  expect(await run('payouts messages demo')).toMatchObject({
    exitCode: 0,
    out: expect.stringContaining('being read: 0 of 5'),
  });
  await readAll();
  expect((await run('payouts messages demo')).out).toMatch(/set-aside +4 of 5 /);
  expect((await run('payouts set-aside demo')).out).toMatch(new RegExp(`${culprit} .* paid +refused_by_test`));
  const ending = `payouts end-set-aside demo ${culprit} --by ann --decision`;
  expect(await run(`${ending} dismiss`)).toMatchObject({
    exitCode: 2,
    errors: expect.stringContaining('--reason is wrong'),
  });
  expect(await run(`${ending} retry`)).toMatchObject({ exitCode: 1, errors: expect.stringContaining('still refuses') });
  await allow();
  expect(await run(`${ending} retry`)).toMatchObject({ exitCode: 0, out: '1 step applied.\n' });
  expect(await operator.stateOf(culprit)).toBe('paid');
});
