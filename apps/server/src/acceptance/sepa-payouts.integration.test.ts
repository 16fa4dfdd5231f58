/** Withdrawals paid by SEPA transfers, from the form to the statement of the bank (WD-2). */
import { createHash } from 'node:crypto';
import type { PayoutTransferPage } from '@opencashier/contract/operator';
import { schemaChecks } from '@opencashier/core/sepa/credit-transfer-schema.fixture';
import { endToEndIdOf, messageIdOf, paymentInformationIdOf } from '@opencashier/core/sepa/payment-references';
import { expect, test, vi } from 'vitest';
import type { RunningApp } from '../transports/testing/running-app.ts';
import { dumpOf } from './connected-operator.fixture.ts';
import { reportOn, statementOf } from './sepa-messages.fixture.ts';
import { PAYEE, type SepaOperator, withSepaOperator } from './sepa-operator.fixture.ts';

let running: RunningApp;
let operator: SepaOperator;
withSepaOperator((made) => {
  operator = made;
  ({ running } = made);
});

test('[WD-2] a withdrawal leaves in a file that fits its schema, and the statement pays it', async () => {
  const { person, withdrawals, file, fileId } = await operator.fileOf('100.50', '20.50');
  expect(file).toMatchObject({ state: 'built', transfers: 2, open: 2, total: '120.00', currency: 'EUR' });
  const xml = await operator.download(fileId);
  for (const { validate } of schemaChecks('pain.001.001.09')) validate(xml);
  expect(createHash('sha256').update(xml).digest('hex')).toBe(file.hash);
  expect(xml).toContain('<Nm>Zoe Muller</Nm>');
  // The content is made once.
  expect(await operator.download(fileId, 'carl')).toBe(xml);
  expect(await operator.held(person)).toBe(12_100n);
  const [first = '', second = ''] = withdrawals;
  const statement = statementOf([
    { direction: 'DBIT', cents: 10_000n, reference: endToEndIdOf(first) },
    { direction: 'DBIT', cents: 2_000n, reference: endToEndIdOf(second) },
  ]);
  expect(await operator.import(statement)).toMatchObject({
    outcome: 'applied',
    kind: 'camt.053',
    found: 2,
    changed: 2,
  });
  for (const id of withdrawals) await operator.becomes(person, id, { status: 1 });
  expect([await operator.held(person), await person.balance()]).toEqual([0n, 87_900n]);
  expect(await operator.import(statement)).toMatchObject({ outcome: 'known', changed: 2 });
  expect(await person.balance()).toBe(87_900n);
});

test('[WD-2] no table keeps a payee in the clear', async () => {
  await operator.fileOf('33.50');
  const dump = await dumpOf(running);
  expect(dump).toContain('payout_transfer:');
  for (const secret of ['DE02120300000000202051', 'Zoe Muller', PAYEE.iban]) {
    expect(dump).not.toContain(secret);
  }
});

test('[WD-2] a closed account gives the amount back, and the operator’s own empty account does not', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50', '30.50', '40.50');
  const [closed = '', broke = '', pending = ''] = withdrawals;
  const report = reportOn(fileId, 'PART', [
    { id: closed, status: 'RJCT', reason: 'AC04' },
    { id: broke, status: 'RJCT', reason: 'AM04' },
    { id: pending, status: 'PDNG' },
  ]);
  expect(await operator.import(report)).toMatchObject({ kind: 'pain.002', found: 3, changed: 2, problems: [] });
  await operator.becomes(person, closed, { status: 2, declineCause: 'account-closed' });
  expect(await operator.held(person)).toBe(7_100n);
  expect(await operator.stateOf(broke)).toBe('stopped');
  expect(await operator.stateOf(pending)).toBe('filed');
  const again = await operator.ask('POST', `/payout-transfers/${broke}/decide`, {
    decision: 'send-again',
    staff: 'ann',
  });
  expect(again).toMatchObject({ status: 200, body: { state: 'queued' } });
  const [next] = await operator.files();
  expect(next).toMatchObject({ transfers: 1, total: '30.00' });
  expect(next?.fileId).not.toBe(fileId);
  // A late copy of the first rejection says nothing about the new file.
  const late = reportOn(fileId, 'PART', [{ id: broke, status: 'RJCT', reason: 'AC01' }]);
  expect(await operator.import(late)).toMatchObject({
    changed: 0,
    problems: [{ problem: 'other-file', withdrawalId: broke }],
  });
  expect(await operator.stateOf(broke)).toBe('filed');
  const { lines } = await liveLines(broke);
  expect(lines).toBe(1n);
});

async function liveLines(withdrawalId: string): Promise<{ lines: bigint }> {
  const [row] = await running.database.query<{ lines: bigint }>({
    text: 'select count(*) as lines from payout_file_line where withdrawal_id = $1 and is_live',
    values: [withdrawalId],
  });
  return row ?? { lines: 0n };
}

test('[WD-2] a stopped transfer that the bank has seen before waits for a statement', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50');
  const [id = ''] = withdrawals;
  await operator.import(reportOn(fileId, 'PART', [{ id, status: 'RJCT', reason: 'AM05' }]));
  expect(
    (await operator.ask('POST', `/payout-transfers/${id}/decide`, { decision: 'send-again', staff: 'ann' })).status,
  ).toBe(409);
  await operator.import(statementOf([{ direction: 'DBIT', cents: 2_000n, reference: endToEndIdOf(id) }]));
  await operator.becomes(person, id, { status: 1 });
});

/** Staff send a stopped transfer again. It is not due before other transfers, so that all of them leave in one file. */
async function sendAgainLater(id: string): Promise<void> {
  const { database } = running;
  await database.query({
    text: `create function due_later() returns trigger language plpgsql as
      $$ begin new.due_at := now() + interval '1 hour'; return new; end $$`,
  });
  await database.query({
    text: `create trigger due_later before update on payout_transfer
      for each row when (old.state = 'stopped' and new.state = 'queued') execute function due_later()`,
  });
  const decided = await operator.ask('POST', `/payout-transfers/${id}/decide`, {
    decision: 'send-again',
    staff: 'ann',
  });
  await database.query({ text: 'drop function due_later cascade' });
  expect(decided.status).toBe(200);
}

test('[WD-2] a file that nobody has is not given out when an older file has paid one of its transfers', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50');
  const [id = ''] = withdrawals;
  await operator.import(reportOn(fileId, 'PART', [{ id, status: 'RJCT', reason: 'AM04' }]));
  const other = await operator.withdraw(person, '30.50');
  await sendAgainLater(id);
  const [second] = await operator.files();
  expect(second).toMatchObject({ transfers: 2 });
  const secondId = second?.fileId ?? '';
  // The bank executed the first file after all.
  await operator.import(statementOf([{ direction: 'DBIT', cents: 2_000n, reference: endToEndIdOf(id) }]));
  await operator.becomes(person, id, { status: 1 });
  const download = () => operator.ask('POST', `/payout-files/${secondId}/download`, { staff: 'ann' });
  expect((await download()).status).toBe(409);
  expect((await download()).status).toBe(409);
  const [third] = await operator.files();
  expect(third).toMatchObject({ transfers: 1, total: '30.00', state: 'built' });
  const xml = await operator.download(third?.fileId ?? '');
  expect(xml).toContain(endToEndIdOf(other));
  expect(xml).not.toContain(endToEndIdOf(id));
  expect((await liveLines(other)).lines).toBe(1n);
});

test('[WD-2] a file that is rejected as a duplicate may be paid, and one debit for all of it ends the stop', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50', '30.50');
  const statuses = withdrawals.map((id) => ({ id, status: 'RJCT' }));
  const twice = reportOn(fileId, 'RJCT', statuses).replace(
    '</GrpSts>',
    '</GrpSts><StsRsnInf><Rsn><Cd>NARR</Cd></Rsn></StsRsnInf><StsRsnInf><Rsn><Cd>DU01</Cd></Rsn></StsRsnInf>',
  );
  expect(await operator.import(twice)).toMatchObject({ changed: 2, problems: [] });
  const [id = ''] = withdrawals;
  for (const decision of ['send-again', 'decline']) {
    expect((await operator.ask('POST', `/payout-transfers/${id}/decide`, { decision, staff: 'ann' })).status).toBe(409);
  }
  expect((await liveLines(id)).lines).toBe(1n);
  const cents = 5_000n;
  await operator.import(statementOf([{ direction: 'DBIT', cents, batch: paymentInformationIdOf(fileId) }]));
  for (const one of withdrawals) await operator.becomes(person, one, { status: 1 });
});

test('[WD-2] a file that is rejected as a whole gives nobody’s amount back', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50', '30.50');
  expect(await operator.import(reportOn(fileId, 'RJCT', []))).toMatchObject({ changed: 2 });
  expect((await operator.transfers(fileId)).map(({ state, reason }) => [state, reason])).toEqual([
    ['stopped', 'FF01'],
    ['stopped', 'FF01'],
  ]);
  expect(await operator.held(person)).toBe(5_100n);
  expect((await operator.ask('POST', `/payout-files/${fileId}/download`, { staff: 'ann' })).status).toBe(409);
  const [first = ''] = withdrawals;
  await operator.ask('POST', `/payout-transfers/${first}/decide`, { decision: 'decline', staff: 'ann' });
  await operator.becomes(person, first, { status: 2 });
});

test('[WD-2] one debit for the whole file pays all of it, and only by its exact sum', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50', '30.50');
  const batch = (cents: bigint) => statementOf([{ direction: 'DBIT', cents, batch: paymentInformationIdOf(fileId) }]);
  expect(await operator.import(batch(4_999n))).toMatchObject({ changed: 0, problems: [{ problem: 'amount' }] });
  expect(await operator.import(batch(5_000n))).toMatchObject({ changed: 2, problems: [] });
  for (const id of withdrawals) await operator.becomes(person, id, { status: 1 });
});

test('[WD-2] a transfer that comes back is returned, also when one statement has both', async () => {
  const { person, withdrawals } = await operator.fileOf('20.50', '30.50');
  const [both = '', creditAlone = ''] = withdrawals;
  const reference = endToEndIdOf(both);
  const alone = endToEndIdOf(creditAlone);
  const statement = statementOf([
    { direction: 'DBIT', cents: 2_000n, reference },
    { direction: 'CRDT', cents: 2_000n, reference, reason: 'AC04' },
    { direction: 'CRDT', cents: 3_000n, reference: alone, reason: 'BE01' },
  ]);
  expect(await operator.import(statement)).toMatchObject({ changed: 2, problems: [] });
  await operator.becomes(person, both, {
    status: 2,
    reason: 'withdrawal.reason.returned',
    declineCause: 'account-closed',
  });
  await operator.becomes(person, creditAlone, {
    status: 2,
    reason: 'withdrawal.reason.returned',
    declineCause: 'name-mismatch',
  });
  expect([await person.balance(), await operator.held(person)]).toEqual([100_000n, 0n]);
});

test('[WD-2] a payment after a decline goes to staff, and takes nothing from the user', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50');
  const [id = ''] = withdrawals;
  await operator.import(reportOn(fileId, 'PART', [{ id, status: 'RJCT', reason: 'AC04' }]));
  await operator.becomes(person, id, { status: 2 });
  await operator.import(statementOf([{ direction: 'DBIT', cents: 2_000n, reference: endToEndIdOf(id) }]));
  await vi.waitFor(
    async () => {
      const [row] = await running.database.query<{ state: string }>({
        text: 'select state from withdrawal where id = $1',
        values: [id],
      });
      expect(row?.state).toBe('late_paid');
    },
    { timeout: 30_000 },
  );
  expect(await person.balance()).toBe(100_000n);
});

test('[WD-2] a name that banks cannot write is refused at its field, and nothing is held', async () => {
  const person = await operator.person();
  const refused = await operator.create(person, '20.50', { ...PAYEE, fullName: '王小明' });
  expect(refused.error).toMatchObject({ code: 'banking.paymentMethodRegex', fields: [{ path: 'fields.fullName' }] });
  expect([await person.balance(), await operator.held(person)]).toEqual([100_000n, 0n]);
});

test('[WD-2] an account in another name is refused at its field, in the user’s language, and nothing is held', async () => {
  const person = await operator.person();
  const refused = await operator.create(person, '20.50', { ...PAYEE, fullName: 'Ann Other' });
  expect(refused.error).toMatchObject({
    code: 'banking.merchantClientError',
    message: expect.stringContaining('another name'),
    fields: [{ path: 'fields.fullName' }],
  });
  expect(await operator.held(person)).toBe(0n);
  const close = await operator.withdraw(person, '20.50', { ...PAYEE, fullName: 'Ann Close' });
  const silent = await operator.withdraw(person, '20.50', { ...PAYEE, fullName: 'Ann Silent' });
  const { transfers } = (await operator.ask('GET', '/payout-transfers?limit=200')).body as PayoutTransferPage;
  const checkOf = (id: string) => transfers.find(({ withdrawalId }) => withdrawalId === id)?.payeeCheck;
  expect([checkOf(close), checkOf(silent)]).toEqual(['close-match', 'not-possible']);
});

test('[WD-2] a nearly equal name is asked of a person who can be asked, and nothing is held before the answer', async () => {
  const person = await operator.person();
  const typed = { ...PAYEE, fullName: 'Ann Close' };
  const asked = await operator.create(person, '20.50', typed, { payeeName: 'ask' });
  expect(asked.error).toMatchObject({
    code: 'payee-close-match',
    fields: [{ path: 'fields.fullName' }],
    params: { name: 'Ann Closer' },
  });
  expect(asked.error?.message).not.toContain('Ann');
  expect(await operator.held(person)).toBe(0n);
  expect(running.log.join('\n')).not.toContain('Ann Closer');
  const kept = await operator.create(person, '20.50', typed, { payeeName: 'keep' });
  expect(kept.error).toBeUndefined();
  const suggested = { ...typed, fullName: asked.error?.params?.name ?? '' };
  expect((await operator.create(person, '20.50', suggested, { payeeName: 'ask' })).error).toBeUndefined();
  const other = { ...PAYEE, fullName: 'Ann Other' };
  const refused = await operator.create(person, '20.50', other, { payeeName: 'keep' });
  expect(refused.error).toMatchObject({ code: 'banking.merchantClientError' });
  expect(await operator.held(person)).toBe(4_100n);
});

const broken = (xml: string): string => xml.slice(0, xml.length - 60);

test.each([
  ['cut off', () => broken(statementOf([])), /line \d+/],
  [
    'without an entry',
    () => statementOf([{ direction: 'DBIT', cents: 5n, reference: 'x' }]).replace(/<Ntry>.*<\/Ntry>/, ''),
    /Stmt/,
  ],
  [
    'with a document type',
    () => statementOf([]).replace('<Document', '<!DOCTYPE x [<!ENTITY a "b">]><Document'),
    /line/,
  ],
  ['of another kind', () => '<Document><Other/></Document>', /Other/],
  ['no XML', () => 'hello', /line 1/],
])('[WD-2] a file %s is refused with its place', async (_what, xml, place) => {
  const answer = await operator.send(xml());
  expect(answer.status).toBe(400);
  const [field] = (answer.body as { error: { fields: { path: string; message: string }[] } }).error.fields;
  expect(`${field?.path}: ${field?.message}`).toMatch(place);
});

test('[WD-2] the bank of the sandbox plays a whole file', async () => {
  const { person, withdrawals, fileId } = await operator.fileOf('20.50', '20.60', '20.63', '20.64', '20.54');
  await operator.download(fileId);
  expect((await operator.ask('POST', `/sandbox/payout-files/${fileId}/play`)).status).toBe(409);
  await operator.handOver(fileId);
  const played = await operator.ask('POST', `/sandbox/payout-files/${fileId}/play`);
  expect(played.body).toMatchObject({
    messages: [
      { kind: 'pain.002', problems: [] },
      { kind: 'camt.053', problems: [] },
    ],
  });
  const [paid = '', closed = '', back = '', stopped = '', silent = ''] = withdrawals;
  await operator.becomes(person, paid, { status: 1 });
  await operator.becomes(person, closed, { status: 2, declineCause: 'account-closed' });
  await operator.becomes(person, back, { status: 2, reason: 'withdrawal.reason.returned' });
  expect([await operator.stateOf(stopped), await operator.stateOf(silent)]).toEqual(['stopped', 'filed']);
  expect(messageIdOf(fileId)).toHaveLength(33);
});
