/** Steps of bank messages that staff dismissed by mistake and bring back, at their place and only while they make sense (WD-2). */
import type { DismissedStepPage } from '@opencashier/contract/operator';
import { endToEndIdOf } from '@opencashier/core/sepa/payment-references';
import { expect, test } from 'vitest';
import { keptOpen, runCommand } from '../cli/run-command.fixture.ts';
import { reportOn, statementOf } from './sepa-messages.fixture.ts';
import type { SepaOperator } from './sepa-operator.fixture.ts';
import { withRefusingDatabase } from './sepa-refusals.fixture.ts';

let operator: SepaOperator;
const { sql, refuse, allow, readAll, setAside, end, retry } = withRefusingDatabase((made) => {
  operator = made;
});

const dismissed = async () => ((await operator.ask('GET', '/dismissed-steps')).body as DismissedStepPage).steps;
const dismiss = (withdrawalId: string, messageId: string) =>
  end(withdrawalId, { decision: 'dismiss', messageId, reason: 'the bank corrects it' });
const bringBack = (withdrawalId: string, messageId: string, step: number) =>
  operator.ask('POST', `/dismissed-steps/${withdrawalId}/bring-back`, {
    messageId,
    step,
    reason: 'dismissed by mistake',
    staff: 'carl',
  });

/** What a refusal says moved the transfer. */
async function refusalOf(withdrawalId: string, messageId: string) {
  const { status, body } = await bringBack(withdrawalId, messageId, 1);
  expect(status).toBe(409);
  const { message, params } = (body as { error: { message: string; params: object } }).error;
  return { params, mover: /^After the dismissal (.+) moved the transfer/.exec(message)?.[1] };
}

const debitOf = (id: string) => ({ direction: 'DBIT', cents: 2_000n, reference: endToEndIdOf(id) }) as const;
const creditOf = (id: string) =>
  ({ direction: 'CRDT', cents: 2_000n, reference: endToEndIdOf(id), reason: 'AC04' }) as const;

/** A transfer in a file, with steps of one message that the database refused. The rule is still there. */
async function refusedSteps(messageOf: (id: string, fileId: string) => string) {
  const { person, fileId, withdrawals } = await operator.fileOf('20.50');
  const [id = ''] = withdrawals;
  await refuse(id);
  const { messageId } = await operator.import(messageOf(id, fileId));
  await readAll();
  return { person, fileId, id, messageId };
}

test('[WD-2] a step dismissed by mistake is listed and brought back, and pays once; who dismissed it and who brought it back is kept', async () => {
  const { person, id, messageId } = await refusedSteps((own) => statementOf([debitOf(own)]));
  expect(await dismiss(id, messageId)).toMatchObject({ status: 200 });
  const [listed] = await dismissed();
  expect(listed).toMatchObject({ withdrawalId: id, messageId, step: 1, to: 'paid', cause: 'refused_by_test' });
  expect(listed).toMatchObject({ staff: 'bob', reason: 'the bank corrects it', dismissed: expect.any(String) });
  expect(await bringBack(id, messageId, 2)).toMatchObject({ status: 404 });
  expect(await bringBack(id, messageId, 1)).toMatchObject({ status: 200, body: { setAside: 1 } });
  expect(await bringBack(id, messageId, 1)).toMatchObject({ status: 404 });
  expect(await dismissed()).toEqual([]);
  expect(await setAside()).toMatchObject([
    {
      withdrawalId: id,
      step: 1,
      to: 'paid',
      broughtBack: { staff: 'carl', dismissedBy: 'bob', reason: 'dismissed by mistake' },
    },
  ]);
  await allow();
  expect(await retry(id)).toMatchObject({ status: 200, body: { ended: 1 } });
  await operator.becomes(person, id, { status: 1 });
  expect(await operator.held(person)).toBe(0n);
  const [kept] = await sql('select dismissed_by, dismissed_note, by, note from bank_step_brought_back');
  expect(kept).toEqual({
    dismissed_by: 'bob',
    dismissed_note: 'the bank corrects it',
    by: 'carl',
    note: 'dismissed by mistake',
  });
});

test('[WD-2] steps that come back in the wrong order are applied in the order of their places', async () => {
  const { id, messageId } = await refusedSteps((own) => statementOf([debitOf(own), creditOf(own)]));
  for (const _ of ['paid', 'returned']) expect(await dismiss(id, messageId)).toMatchObject({ status: 200 });
  expect(await dismissed()).toMatchObject([
    { to: 'returned', step: 2 },
    { to: 'paid', step: 1 },
  ]);
  expect(await bringBack(id, messageId, 2)).toMatchObject({ body: { setAside: 1 } });
  expect(await bringBack(id, messageId, 1)).toMatchObject({ body: { setAside: 2 } });
  expect(await setAside()).toMatchObject([{ to: 'paid' }, { to: 'returned' }]);
  await allow();
  expect(await retry(id)).toMatchObject({ status: 200, body: { ended: 2 } });
  expect(await operator.stateOf(id)).toBe('returned');
});

test('[WD-2] a step is not brought back once a later message has moved its transfer, and the refusal names the message', async () => {
  const { id, messageId } = await refusedSteps((own) => statementOf([debitOf(own)]));
  await dismiss(id, messageId);
  await allow();
  const later = await operator.import(statementOf([debitOf(id)]));
  const refused = await bringBack(id, messageId, 1);
  expect(refused).toMatchObject({
    status: 409,
    body: { error: { params: { state: 'paid', messageId: later.messageId } } },
  });
  expect(JSON.stringify(refused.body)).toContain('answer.xml');
  expect(await setAside()).toEqual([]);
});

test('[WD-2] a rejection of an older file never gives back an amount whose transfer staff have sent again', async () => {
  const { id, messageId, fileId, person } = await refusedSteps((own, file) =>
    reportOn(file, 'PART', [{ id: own, status: 'RJCT', reason: 'AC04' }]),
  );
  await dismiss(id, messageId);
  await allow();
  await operator.import(reportOn(fileId, 'RJCT', []));
  const decide = { decision: 'send-again', staff: 'dora' };
  expect(await operator.ask('POST', `/payout-transfers/${id}/decide`, decide)).toMatchObject({ status: 200 });
  expect(await bringBack(id, messageId, 1)).toMatchObject({
    status: 409,
    body: { error: { params: { decidedBy: 'dora' } } },
  });
  await operator.files();
  // The cashier has put it into another file since, so the person is not blamed.
  expect(await refusalOf(id, messageId)).toEqual({ params: { state: 'filed' }, mover: 'the cashier' });
  expect(await operator.held(person)).toBe(2_050n);
});

test('[WD-2] a transfer that the cashier has queued again after the decision of a person does not blame the person', async () => {
  const { person, fileId, withdrawals } = await operator.fileOf('20.50', '30.50');
  const [id = '', other = ''] = withdrawals;
  await refuse(id);
  const { messageId } = await operator.import(reportOn(fileId, 'PART', [{ id, status: 'RJCT', reason: 'AC04' }]));
  await readAll();
  await dismiss(id, messageId);
  await allow();
  await operator.import(reportOn(fileId, 'RJCT', []));
  for (const one of withdrawals) {
    const decide = { decision: 'send-again', staff: 'dora' };
    expect(await operator.ask('POST', `/payout-transfers/${one}/decide`, decide)).toMatchObject({ status: 200 });
  }
  expect(await refusalOf(id, messageId)).toEqual({
    params: { state: 'queued', decidedBy: 'dora' },
    mover: 'a decision of dora',
  });
  const [second] = await operator.files();
  // The bank executed the old file in part, so nobody gets the second one, and its other transfer is queued again.
  await operator.import(statementOf([{ ...debitOf(other), cents: 3_000n }]));
  const { status } = await operator.ask('POST', `/payout-files/${second?.fileId}/download`, { staff: 'ann' });
  expect(status).toBe(409);
  expect(await refusalOf(id, messageId)).toEqual({ params: { state: 'queued' }, mover: 'the cashier' });
  await operator.becomes(person, other, { status: 1 });
  expect(await operator.held(person)).toBe(2_050n);
});

test('[WD-2] a rejection comes back no more while a later step says that the bank has paid', async () => {
  const { id, messageId, person } = await refusedSteps((own, file) =>
    reportOn(file, 'PART', [{ id: own, status: 'RJCT', reason: 'AC04' }]),
  );
  await dismiss(id, messageId);
  const later = await operator.import(statementOf([debitOf(id)]));
  await readAll();
  expect(await setAside()).toMatchObject([{ to: 'paid' }]);
  expect(await bringBack(id, messageId, 1)).toMatchObject({
    status: 409,
    body: { error: { params: { messageId: later.messageId } } },
  });
  await allow();
  expect(await retry(id)).toMatchObject({ status: 200, body: { ended: 1 } });
  await operator.becomes(person, id, { status: 1 });
});

test('[WD-2] money that came back of another payment than the one on record is not given back', async () => {
  const { id, messageId, person } = await refusedSteps((own) => statementOf([debitOf(own), creditOf(own)]));
  for (const _ of ['paid', 'returned']) expect(await dismiss(id, messageId)).toMatchObject({ status: 200 });
  await allow();
  await operator.import(statementOf([debitOf(id)]));
  await operator.becomes(person, id, { status: 1 });
  expect(await bringBack(id, messageId, 2)).toMatchObject({ status: 409 });
  expect(await operator.stateOf(id)).toBe('paid');
});

test('[WD-2] a step comes back only after the message about its transfer is read', async () => {
  const { id, messageId } = await refusedSteps((own) => statementOf([debitOf(own)]));
  await dismiss(id, messageId);
  // The step is in no queue, so no worker applies it.
  await sql(
    `insert into bank_message_step (operator_id, message_id, n, withdrawal_id, state) values ('demo', $1, 7, $2, 'paid')`,
    [messageId, id],
  );
  expect(await bringBack(id, messageId, 1)).toMatchObject({ status: 409 });
  await sql('delete from bank_message_step');
  expect(await bringBack(id, messageId, 1)).toMatchObject({ status: 200 });
  await dismiss(id, messageId);
});

test('[WD-2] the database keeps dismissals: only a recorded return undoes one', async () => {
  const { id, messageId } = await refusedSteps((own) => statementOf([debitOf(own)]));
  await dismiss(id, messageId);
  const open = `update bank_step_set_aside set outcome = null, ended_by = null, ended_at = null, note = null, stood_state = null,
    stood_reason = null, stood_file_id = null, stood_files = null where withdrawal_id = $1`;
  await expect(sql(open, [id])).rejects.toMatchObject({ constraint: 'bank_step_set_aside_guarded' });
  const invented = `insert into bank_step_brought_back (operator_id, message_id, n, dismissed_by, dismissed_note, dismissed_at, by, note)
    select operator_id, message_id, n, 'eve', note, ended_at, 'eve', 'x' from bank_step_set_aside where withdrawal_id = $1`;
  await expect(sql(invented, [id])).rejects.toMatchObject({ constraint: 'bank_step_brought_back_guarded' });
  await bringBack(id, messageId, 1);
  await expect(sql(`update bank_step_brought_back set by = 'eve'`)).rejects.toThrow();
  await expect(sql('delete from bank_step_brought_back')).rejects.toThrow();
  const redecide = `update bank_step_set_aside set state = 'returned', returned = 5 where withdrawal_id = $1`;
  await expect(sql(redecide, [id])).rejects.toMatchObject({ constraint: 'bank_step_set_aside_guarded' });
  await dismiss(id, messageId);
});

test('[WD-2] the commands list the dismissed steps, and bring one back', async () => {
  const { id, messageId } = await refusedSteps((own) => statementOf([debitOf(own)]));
  await dismiss(id, messageId);
  const environment = { DATABASE_URL: 'postgres://none/none', TOKEN_SECRET: '0'.repeat(64) };
  const run = (command: string) => runCommand(command, { environment, open: keptOpen(operator.running.database) });
  expect((await run('payouts dismissed demo')).out).toMatch(new RegExp(`${id} .*paid .*bob .*the bank corrects it`));
  const command = `payouts bring-back demo ${id} --message ${messageId} --reason mistake --by ann`;
  expect(await run(`${command} --step one`)).toMatchObject({ exitCode: 2, errors: expect.stringContaining('--step') });
  expect(await run(`${command} --step 1`)).toMatchObject({
    exitCode: 0,
    out: 'The step is set aside again. Set aside for this transfer: 1.\n',
  });
  const [heading = '', row = ''] = (await run('payouts set-aside demo')).out.split('\n');
  const columns = [
    'withdrawal',
    'message',
    'step',
    'to',
    'cause',
    'since',
    'brought back',
    'by',
    'reason',
    'dismissed by',
  ];
  expect(heading.split(/ {2,}/)).toEqual(columns);
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  const cells = [id, messageId, '1', 'paid', 'refused_by_test', time, time, 'ann', 'mistake', 'bob'];
  expect(row.split(/ {2,}/)).toEqual(cells);
  await allow();
  expect(await run(`payouts end-set-aside demo ${id} --decision retry --by ann`)).toMatchObject({ exitCode: 0 });
  expect(await operator.stateOf(id)).toBe('paid');
});
