/** Settlement files through the operator API: imported wholly or not at all, once, and compared with real payments. */
import { mismatchPageSchema, settlementFilePageSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { beforeTransactions, intercepted } from '../database/testing/intercepted.fixture.ts';
import { type OperatorApi, withOperatorApi } from '../operator-api/operator-api.fixture.ts';
import { type Bench, commandOf, refOf, reportOf } from '../payments/testing/payments.fixture.ts';
import { openDepositOf } from '../payments/testing/with-payments.fixture.ts';
import { importFile } from './import-file.ts';

let database: Database;
let bench: Bench;
let api: OperatorApi;
withOperatorApi((made) => {
  ({ database, bench, api } = made);
});
beforeEach(async () => {
  for (const operatorId of ['op', 'other']) {
    const body = { mapping: providerMapping, staff: 'eve' };
    expect(await api.ask('/settlement-mappings/fake/all', body, operatorId, 'PUT')).toMatchObject({ status: 200 });
  }
});

const providerMapping = {
  format: 'csv',
  columns: { reference: 'id', amount: 'amount', fee: 'fee', date: 'date', kind: 'kind', batch: 'batch' },
  currency: 'INR',
  kinds: { payment: 'payment', refund: 'refund', chargeback: 'chargeback', settlement: 'settlement' },
};
const today = new Date().toISOString().slice(0, 10);
const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const csv = (...rows: string[]) => ['id,kind,amount,fee,date,batch', ...rows, ''].join('\n');
let files = 0;

const send = (content: string, more: object = {}, operatorId = 'op') => {
  files += 1;
  const file = { provider: 'fake', mapping: 'all', name: `file-${files}.csv`, staff: 'eve' };
  return api.ask(
    '/settlement-files',
    { ...file, content: Buffer.from(content).toString('base64'), ...more },
    operatorId,
  );
};
const mismatches = async (query = '') =>
  v.parse(mismatchPageSchema, (await api.ask(`/settlement-mismatches?limit=200${query}`)).body).mismatches;
const fileOf = (answer: { body: Record<string, unknown> }) => answer.body['file'] as { fileId: string };

async function paidDeposit(): Promise<string> {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await bench.payments.apply(reportOf(request.depositId));
  return request.depositId;
}

test('[SRV-1] a file finds payments, a chargeback and fees, and the same file again changes nothing', async () => {
  const good = await paidDeposit();
  const back = await paidDeposit();
  await bench.payments.apply(reportOf(back, { outcome: 'reversed' }));
  const content = csv(
    `${refOf(good)},payment,500.00,7.50,${today},b1`,
    `${refOf(back)},payment,500.00,7.50,${today},b1`,
    `${refOf(back)},chargeback,-500.00,15.00,${today},b1`,
  );
  const dry = await send(content, { dryRun: true });
  expect(dry.body).toMatchObject({
    outcome: 'dry-run',
    file: { lines: 3, totals: [{ currency: 'INR', amount: '500.00', fees: '30.00' }] },
    tried: { lines: 3, matched: 3, mismatches: {} },
  });
  expect((await api.ask('/settlement-files')).body).toMatchObject({ files: [] });
  const answer = await send(content);
  expect(answer.body).toMatchObject({
    outcome: 'imported',
    file: { state: 'done', lines: 3, matched: 3, mismatches: {} },
  });
  const known = { outcome: 'known', file: { fileId: fileOf(answer).fileId } };
  expect((await send(content)).body).toMatchObject(known);
  expect((await send(content, { dryRun: true })).body).toMatchObject(known);
  const { files: listed } = v.parse(settlementFilePageSchema, (await api.ask('/settlement-files')).body);
  expect(listed).toHaveLength(1);
  expect(listed[0]).toMatchObject({ importedBy: 'eve', firstDay: today, matched: 3 });
  expect((await api.ask('/settlement-files', undefined, 'other')).body).toMatchObject({ files: [] });
});

test('[SRV-1] a dry run shows how the first lines would match by this mapping, and keeps nothing', async () => {
  const paid = await paidDeposit();
  const rows = [
    `${refOf(paid)},payment,50000.00,0,${today},b8`,
    `po-9,settlement,-50.00,0,${today},`,
    ...Array.from({ length: 1_001 }, (_, n) => `stranger-${n},payment,1.00,0,${today},b8`),
  ];
  const wrong = await send(csv(...rows), { dryRun: true });
  expect(wrong.body).toMatchObject({
    outcome: 'dry-run',
    file: { lines: 1_003 },
    tried: { lines: 1_000, matched: 0, mismatches: { amount: 1, 'missing-here': 999 } },
  });
  expect(await mismatches()).toEqual([]);
  expect((await send(csv(`${refOf(paid)},payment,500.00,0,${today},b8`), { dryRun: true })).body).toMatchObject({
    tried: { lines: 1, matched: 1, mismatches: {} },
  });
});

test('[SRV-1] a file that is cut off leaves nothing behind, and says where it ends', async () => {
  const content = csv(`${refOf(await paidDeposit())},payment,500.00,1,${today},b2`, 'cut,pay').trimEnd();
  const answer = await send(content);
  expect(answer).toMatchObject({ status: 400, code: 'invalid-request' });
  expect(JSON.stringify(answer.body)).toContain('line 3');
  for (const table of ['settlement_file', 'settlement_line']) {
    const rows = await database.query<{ name: string }>({
      text: `select * from ${table} where name like '%cut%' or name = 'file-${files}.csv'`,
    });
    expect(rows).toEqual([]);
  }
});

test('[SRV-1] a file that reaches far ahead is refused at its line, also in a dry run', async () => {
  const reference = refOf(await paidDeposit());
  const rows = (day: string) =>
    csv(
      `${reference},payment,500.00,1,${today},b9`,
      `tomorrow,payment,1.00,0,${day},b9`,
      `next,payment,1.00,0,${today},b9`,
    );
  for (const dryRun of [true, false]) {
    const answer = await send(rows(later(33)), { dryRun });
    expect(answer).toMatchObject({ status: 400, code: 'invalid-request' });
    expect(JSON.stringify(answer.body)).toMatch(new RegExp(`line 3".*The day ${later(33)} is more than 31 days ahead`));
  }
  expect(await database.query({ text: `select 1 from settlement_file where last_day > now()` })).toEqual([]);
  expect((await send(rows(later(7)))).status).toBe(200);
  // An earlier build let it in. Its repeat is answered, as that of every file.
  await database.query({ text: 'alter table settlement_file disable trigger user' });
  const known = rows(later(40));
  await database.query({
    text: `update settlement_file set hash = sha256($1) where name = $2`,
    values: [Buffer.from(known), `file-${files}.csv`],
  });
  await database.query({ text: 'alter table settlement_file enable trigger user' });
  for (const dryRun of [true, false]) expect((await send(known, { dryRun })).body).toMatchObject({ outcome: 'known' });
});

test('[SRV-2] an import that was interrupted begins again and finds the same', async () => {
  const depositId = await paidDeposit();
  const content = csv(`${refOf(depositId)},payment,499.00,1,${today},b3`, `strange,payment,5.00,0,${today},b3`);
  const open = async function* () {
    yield Buffer.from(content);
  };
  const request = { operatorId: 'op', provider: 'fake', mapping: 'all', name: 'broken.csv', by: 'eve', open };
  const failing = intercepted(database, async ({ text }) => {
    if (text.includes(`set state = 'done'`)) throw new Error('the node died');
  });
  await expect(importFile(failing, request)).rejects.toThrow('the node died');
  expect(await mismatches(`&provider=fake&class=amount`)).toEqual([]);
  await expect(importFile(database, request)).rejects.toMatchObject({ code: 'state-conflict' });
  await database.query({ text: `update settlement_file set busy_until = now() where name = 'broken.csv'` });
  expect(await importFile(database, request)).toMatchObject({
    outcome: 'imported',
    file: { matched: 1, mismatches: { amount: 1, 'missing-here': 1 } },
  });
  expect(await mismatches('&class=amount')).toMatchObject([
    {
      state: 'open',
      line: 2,
      kind: 'payment',
      reference: refOf(depositId),
      expected: '500.00',
      found: '499.00',
      currency: 'INR',
      ageDays: 0,
    },
  ]);
});

test('[SRV-2] an import that stood still while another one took its file stops at its next step, and writes nothing', async () => {
  let steps = 0;
  for (let isOver = false; !isOver; steps += 1) {
    const reference = refOf(await paidDeposit());
    const content = csv(
      `${reference},payment,500.00,2,${today},stood-${steps}`,
      `po-${steps},settlement,-498.00,0,${today},`,
    );
    const open = async function* () {
      yield Buffer.from(content);
    };
    const name = `stood-${steps}.csv`;
    const request = { operatorId: 'op', provider: 'fake', mapping: 'all', name, by: 'eve', open };
    // The first transaction takes the file.
    const still = steps + 2;
    let begun = 0;
    const slow = beforeTransactions(database, async (before) => {
      begun = before + 1;
      if (begun !== still) return;
      await database.query({ text: 'update settlement_file set busy_until = now() where name = $1', values: [name] });
      expect(await importFile(database, request)).toMatchObject({ outcome: 'imported', file: { matched: 1 } });
    });
    const imported = importFile(slow, request);
    isOver = await imported.then(
      () => true,
      (error: { code: string }) => {
        expect(error.code).toBe('state-conflict');
        return false;
      },
    );
    expect(begun).toBe(isOver ? still - 1 : still);
    const [counts] = await database.query({
      text: `select count(*)::int as lines, count(match.line_id)::int as matches, min(file.matched)::int as matched, min(batch.amount) as paid
        from settlement_file file join settlement_line line on line.operator_id = file.operator_id and line.file_id = file.id
          left join settlement_match match on match.operator_id = line.operator_id and match.line_id = line.id
          join settlement_batch batch on batch.operator_id = file.operator_id and batch.file_id = file.id where file.name = $1`,
      values: [name],
    });
    expect(counts).toEqual({ lines: 2, matches: 1, matched: 1, paid: 49_800n });
  }
  // Lines, sums, one page of matches, the days of the file, and its end.
  expect(steps).toBeGreaterThanOrEqual(5);
});

test('[SRV-2] a payment without a line is missing there once its time is over, and a later line clears it', async () => {
  const depositId = await paidDeposit();
  const far = csv(`nobody,payment,1.00,0,${today},b4`, `nobody,payment,1.00,0,${later(10)},b4`);
  const first = fileOf(await send(far));
  const missing = (await mismatches('&class=missing-there')).find(({ reference }) => reference === refOf(depositId));
  expect(missing).toMatchObject({
    state: 'open',
    fileId: first.fileId,
    expected: '500.00',
    found: '0.00',
    kind: 'payment',
  });
  expect(missing?.line).toBeUndefined();
  await send(csv(`${refOf(depositId)},payment,500.00,0,${today},b4`));
  const cleared = (await mismatches('&state=cleared')).map(({ mismatchId }) => mismatchId);
  expect(cleared).toContain(missing?.mismatchId);
});

test('[SRV-2] a payment on a day that no file has is missing there, as soon as a later file is imported', async () => {
  const depositId = await paidDeposit();
  const isMissing = async () =>
    (await mismatches('&class=missing-there')).some(({ reference }) => reference === refOf(depositId));
  await send(csv(`unknown-1,payment,1.00,0,${later(-9)},b6`));
  // The date of this line is wrong. Nobody could know the payments of the days before it.
  await send(csv(`unknown-2,payment,1.00,0,${today},b6`, `unknown-3,payment,1.00,0,${later(2)},b6`));
  expect(await isMissing()).toBe(false);
  await send(csv(`unknown-4,payment,1.00,0,${later(30)},b6`));
  expect(await isMissing()).toBe(true);
});

test('[SRV-2] parts that come one after the other leave one mismatch, with the rest', async () => {
  const depositId = await paidDeposit();
  const part = (amount: string) => send(csv(`${refOf(depositId)},payment,${amount},0,${today},b7`));
  const open = async () =>
    (await mismatches('&class=amount')).filter(
      ({ reference, state }) => reference === refOf(depositId) && state !== 'cleared',
    );
  await part('490.00');
  const [short] = await open();
  await api.ask(`/settlement-mismatches/${short?.mismatchId}/resolve`, {
    decisionId: crypto.randomUUID(),
    account: 'write_off',
    decidedBy: 'maria',
    reason: 'short',
  });
  await part('4.00');
  expect(await open()).toMatchObject([{ state: 'open', expected: '10.00', found: '4.00' }]);
  expect((await api.ask('/settlement-bookings?state=proposed&limit=200')).body['bookings']).not.toContainEqual(
    expect.objectContaining({ mismatchId: short?.mismatchId }),
  );
  await part('-4.00');
  expect(await open()).toMatchObject([{ state: 'open', expected: '6.00', found: '-4.00' }]);
  await part('10.00');
  expect(await open()).toEqual([]);
});

test('[SRV-2] a line that came before its payment is cleared by the next file', async () => {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  await send(csv(`${refOf(request.depositId)},payment,500.00,0,${today},b5`));
  const [missing] = (await mismatches('&class=missing-here')).filter(
    ({ reference }) => reference === refOf(request.depositId),
  );
  expect(missing).toMatchObject({ state: 'open', found: '500.00' });
  await bench.payments.apply(reportOf(request.depositId));
  await send(csv(`another,payment,1.00,0,${today},b5`));
  expect((await mismatches('&state=cleared')).map(({ mismatchId }) => mismatchId)).toContain(missing?.mismatchId);
});

test('[SRV-2] a second line that came before its payment is one duplicate, however many files follow', async () => {
  const { request } = commandOf();
  await bench.payments.createDeposit(commandOf(request));
  const line = `${refOf(request.depositId)},payment,500.00,0,${today},b9`;
  await send(csv(line, line));
  await bench.payments.apply(reportOf(request.depositId));
  for (let n = 0; n < 3; n += 1) await send(csv(`follows-${n},payment,1.00,0,${today},b9`));
  const found = (await mismatches()).filter(({ reference }) => reference === refOf(request.depositId));
  expect(found.map((one) => `${one.class} ${one.state}`).toSorted()).toEqual([
    'duplicate open',
    'missing-here cleared',
    'missing-here cleared',
  ]);
});

test('[SRV-2] one line of a bank statement settles many payments less fees', async () => {
  const [one, two] = [await paidDeposit(), await paidDeposit()];
  await send(csv(`${refOf(one)},payment,500.00,10,${today},po_77`, `${refOf(two)},payment,500.00,10,${today},po_77`));
  await api.ask('/settlement-mappings/mybank/camt', { mapping: { format: 'mt940', only: ['fake'] } }, 'op', 'PUT');
  const day = today.slice(2).replaceAll('-', '');
  const statement = (amount: string) =>
    `:20:X\n:25:X\n:60F:C${day}INR0,00\n:61:${day}C${amount}NTRFNONREF\n:86:FAKE payout po_77\n:62F:C${day}INR${amount}\n`;
  const bank = { provider: 'mybank', mapping: 'camt' };
  expect((await send(statement('980,00'), bank)).body).toMatchObject({
    outcome: 'imported',
    file: { matched: 1, mismatches: {} },
  });
  expect((await send(statement('979,00'), bank)).body).toMatchObject({ file: { mismatches: { duplicate: 1 } } });
});

test('[SRV-1] a mapping that cannot read any file is refused, and so is a file without a mapping', async () => {
  const useless = { mapping: { format: 'csv', columns: { amount: 'a', date: 'd', kind: 'k' } } };
  const answer = await api.ask('/settlement-mappings/fake/bad', useless, 'op', 'PUT');
  expect(answer).toMatchObject({ status: 400, code: 'invalid-request' });
  expect(JSON.stringify(answer.body)).toContain('mapping.kinds');
  expect(await send('x', { mapping: 'none' })).toMatchObject({ status: 404, code: 'not-found' });
  expect((await api.ask('/settlement-mappings')).body).toMatchObject({
    mappings: [{ provider: 'fake', name: 'all', changedBy: 'eve' }, { provider: 'mybank' }],
  });
});

test('[SRV-2] a provider that stops paying to an account is missing on its next statement, and not on those of others', async () => {
  const mapping = { format: 'mt940', settlesWithinDays: 1, only: ['po-silent'] };
  for (const name of ['first-bank/sta', 'second-bank/sta', 'first-bank/other']) {
    await api.ask(`/settlement-mappings/${name}`, { mapping }, 'op', 'PUT');
  }
  await api.ask('/settlement-mappings/fake/euro', { mapping: { ...providerMapping, currency: 'EUR' } }, 'op', 'PUT');
  const batch = (reference: string, days: number, more = {}) =>
    send(csv(`${reference}-payment,payment,70.00,0,${later(days)},${reference}`), more);
  // The days come from its balances: a line of somebody else is left out.
  const statement = (account: string, days: readonly [number, number], text: string, read = 'sta') => {
    const [from, to] = days.map((n) => later(n).slice(2).replaceAll('-', ''));
    const lines = `:61:${from}C70,00NTRFX\n:86:${text}\n`;
    const content = `:20:X\n:60F:C${from}INR0,00\n${lines}:62F:C${to}INR70,00\n`;
    return send(content, { provider: account, mapping: read });
  };
  const missing = async () =>
    (await mismatches('&class=missing-there'))
      .filter(({ kind, state }) => kind === 'settlement' && state === 'open')
      .map(({ reference }) => reference);
  await batch('po-silent-1', -40);
  await statement('first-bank', [-40, -38], 'po-silent-1');
  await batch('po-silent-2', -36);
  await batch('po-in-euro', -36, { mapping: 'euro' });
  await statement('first-bank', [-40, -33], 'salary', 'other');
  await statement('second-bank', [-40, -30], 'salary');
  expect(await missing()).toEqual([]);
  const quiet = await statement('first-bank', [-37, -34], 'insurance');
  expect(quiet.body).toMatchObject({ file: { lines: 0, firstDay: later(-34), lastDay: later(-34) } });
  expect(await missing()).toEqual(['po-silent-2']);
  await statement('second-bank', [-29, -28], 'po-silent-2');
  expect(await missing()).toEqual([]);
  await batch('po-silent-3', -27);
  await statement('first-bank', [-33, -20], 'insurance');
  expect(await missing()).toEqual([]);
  await statement('second-bank', [-27, -20], 'salary');
  expect(await missing()).toEqual(['po-silent-3']);
});

test('[SRV-1] a statement that reaches far ahead is refused at its own line, and no mapping is blamed', async () => {
  for (const [format, line] of [
    ['mt940', 4],
    ['camt.053', 5],
  ] as const) {
    await api.ask('/settlement-mappings/mybank/ahead', { mapping: { format, only: ['fake'] } }, 'op', 'PUT');
    const short = later(33).slice(2).replaceAll('-', '');
    const balance = (code: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="INR">0</Amt><CdtDbtInd>CRDT</CdtDbtInd>\n<Dt><Dt>${later(33)}</Dt></Dt></Bal>`;
    const content =
      format === 'mt940'
        ? `:20:X\n:25:X\n:60F:C${short}INR0,00\n:62F:C${short}INR0,00\n`
        : `<Document><BkToCstmrStmt>\n<Stmt>${balance('OPBD')}\n${balance('CLBD')}</Stmt></BkToCstmrStmt></Document>\n`;
    const answer = await send(content, { provider: 'mybank', mapping: 'ahead' });
    expect(answer).toMatchObject({ status: 400, code: 'invalid-request' });
    const text = JSON.stringify(answer.body);
    expect(text).toMatch(new RegExp(`line ${line}".*The day ${later(33)} is more than 31 days ahead`));
    expect(text).toContain('Ask the bank');
    expect(text).not.toContain('mapping');
  }
});

test('[SRV-1] of equal lines whose payment is booked later, the first one of the file is matched', async () => {
  const created: string[] = [];
  for (let nth = 0; nth < 12; nth += 1) created.push((await openDepositOf(bench)).depositId);
  const rows = created.map((depositId) => `${refOf(depositId)},payment,500.00,0,${today},b20`);
  const { fileId } = fileOf(await send(csv(...rows, ...rows)));
  for (const depositId of created) await bench.payments.apply(reportOf(depositId));
  await send(csv(`stranger,payment,500.00,0,${today},b20`));
  const text = `select n from settlement_match join settlement_line line on line.id = line_id where file_id = $1 order by n`;
  const matched = await database.query<{ n: number }>({ text, values: [fileId] });
  expect(matched.map(({ n }) => n)).toEqual(created.map((_depositId, index) => index + 2));
});
