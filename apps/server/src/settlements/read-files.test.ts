/** Readers of CSV, camt.053 and MT940: what they read, and what they refuse with line and column. */
import { csvMappingSchema, settlementMappingSchema } from '@opencashier/contract/operator';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors/domain-error.ts';
import type { ReadLine } from './read-line.ts';
import { readLines, scanFile } from './scan-file.ts';

/** The file in pieces of some bytes, so that no reader may rely on whole lines. */
async function* pieces(content: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(content: string | Buffer, mapping: unknown): Promise<ReadLine[]> {
  const lines: ReadLine[] = [];
  for await (const line of readLines(pieces(content), v.parse(settlementMappingSchema, mapping))) lines.push(line);
  return lines;
}

/** Where and why a file is refused. */
async function refusal(content: string | Buffer, mapping: unknown): Promise<string> {
  try {
    await scanFile(() => pieces(content), v.parse(settlementMappingSchema, mapping));
  } catch (error) {
    if (error instanceof DomainError) {
      const [field] = error.details.fields ?? [];
      return `${field?.path}: ${field?.message}`;
    }
    throw error;
  }
  return 'read';
}

const csv = {
  format: 'csv',
  columns: {
    reference: 'id',
    amount: 'Amount',
    fee: 'Fee',
    currency: 'Ccy',
    date: 'Date',
    kind: 'Type',
    batch: 'Payout',
  },
  kinds: { charge: 'payment', refund: 'refund', payout: 'settlement', fee: 'fee', hold: 'ignore' },
};
const head = 'id,Type,Amount,Fee,Ccy,Date,Payout\n';

describe('[SRV-1] a CSV file', () => {
  test('is read by its mapping', async () => {
    const lines = await read(
      `${head}pi_1,charge,100.00,1.50,eur,2026-01-31,po_1\nre_1,refund,-20,,EUR,2026-01-31T10:00:00Z,po_1\n,fee,-3.00,0,EUR,2026-01-31,po_1\nx,hold,1,,EUR,2026-01-31,\n"po_1",payout,-75.50,,EUR,2026-02-01,\n`,
      csv,
    );
    expect(lines).toMatchObject([
      {
        n: 2,
        kind: 'payment',
        references: ['pi_1'],
        amount: 10_000n,
        fee: 150n,
        currency: 'EUR',
        date: '2026-01-31',
        batch: 'po_1',
      },
      { n: 3, kind: 'refund', amount: -2_000n, fee: 0n },
      { n: 4, kind: 'fee', references: [], amount: 0n, fee: 300n },
      { n: 6, kind: 'settlement', references: ['po_1'], amount: -7_550n },
    ]);
  });

  test('may have other separators, signs, dates, units and characters', async () => {
    const mapping = {
      format: 'csv',
      encoding: 'windows-1252',
      delimiter: ';',
      linesAbove: 1,
      columns: { ownId: 'Nr', amount: 'Betrag', date: 'Tag', payee: 'Empfänger', kind: 'Art' },
      currency: 'EUR',
      kinds: { Auszahlung: 'payout', Zahlung: 'payment' },
      decimalSeparator: ',',
      groupSeparator: '.',
      sign: 'by-kind',
      dateForm: 'dd.mm.yyyy',
    };
    const text =
      'Bericht Januar\r\nNr;Art;Betrag;Tag;Empfänger\r\nA1;Auszahlung;1.234,50;31.01.2026;Jürgen Groß\r\nA2;Zahlung;7;01.02.2026;\r\n';
    expect(await read(Buffer.from(text, 'latin1'), mapping)).toMatchObject([
      { n: 3, kind: 'payout', ownId: 'A1', amount: -123_450n, date: '2026-01-31', payee: 'Jürgen Groß' },
      { n: 4, kind: 'payment', amount: 700n },
    ]);
    const swiss = { ...csv, delimiter: 'tab', groupSeparator: 'apostrophe' };
    const tabs = `${head}a,charge,1'234.50,,CHF,2026-01-31,\n`.replaceAll(',', '\t');
    expect(await read(tabs, swiss)).toMatchObject([{ amount: 123_450n }]);
    const minor = { ...csv, unit: 'minor', dateForm: 'unix', sign: 'reversed' };
    expect(
      await read(`${head}a,charge,-2500,,JPY,1769817600,\nb,charge,-2500,,USD,1769817600,\n`, minor),
    ).toMatchObject([
      // A yen has no hundredths at the provider, and has them in the ledger.
      { amount: 250_000n, date: '2026-01-31' },
      { amount: 2_500n },
    ]);
  });

  test.each([
    [
      'cut in the middle of a line',
      `${head}pi_1,charge,1,0,EUR,2026-01-31,p\npi_2,char`,
      'line 3: The line has another number of columns',
    ],
    ['cut in its last column', `${head}pi_1,charge,1,0,EUR,2026-01-31,po`, 'line 2: The last line has no line break'],
    ['cut within quotes', `${head}pi_1,charge,1,0,EUR,2026-01-31,"po`, 'line 2: A quote is not closed'],
    [
      'with a wrong amount',
      `${head}pi_1,charge,1.005,0,EUR,2026-01-31,p\n`,
      'line 2, column 3, Amount: "1.005" is no amount',
    ],
    [
      'with a wrong day',
      `${head}pi_1,charge,1,0,EUR,2026-02-30,p\n`,
      'line 2, column 6, Date: "2026-02-30" is no date',
    ],
    [
      'with an unknown kind',
      `${head}pi_1,topup,1,0,EUR,2026-01-31,p\n`,
      'line 2, column 2, Type: The mapping does not say what "topup" is',
    ],
    [
      'with an unknown currency',
      `${head}pi_1,charge,1,0,XXQ,2026-01-31,p\n`,
      'line 2, column 5, Ccy: "XXQ" is no currency',
    ],
    ['without a column', 'id,Type\n', 'line 1: There is no column "Amount" (amount). The file has: id, Type.'],
    ['without lines', head, 'line 1: The file has no lines.'],
    ['without anything', '', 'line 1: The file has no line with headings.'],
    [
      'of other characters',
      Buffer.from(`${head}pi_1,charge,1,0,EUR,2026-01-31,\xfc\n`, 'latin1'),
      'line 2: From this line on the file has bytes',
    ],
  ])('%s is refused', async (_name, content, words) => {
    expect(await refusal(content, csv)).toContain(words);
  });

  test.each([
    ['.', ',', '25.05', undefined],
    ['.', ',', '1.23', undefined],
    ['.', ',', '1.2.345', undefined],
    ['.', ',', '1234.567', undefined],
    ['.', ',', '0.250', undefined],
    ['.', ',', '25,05', 2_505n],
    ['.', ',', '-1.234.567,8', -123_456_780n],
    [',', '.', '25,05', undefined],
    [',', '.', '1,23,456.50', 12_345_650n],
    ['space', ',', '- 1 234,50', -123_450n],
  ])('with groups by %s and decimals by %s: %s is never another amount', async (group, decimal, cell, amount) => {
    const mapping = { ...csv, delimiter: ';', groupSeparator: group, decimalSeparator: decimal };
    const text = `${head.replaceAll(',', ';')}a;charge;${cell};0;EUR;2026-01-31;\n`;
    if (amount === undefined) expect(await refusal(text, mapping)).toContain('Compare its decimalSeparator');
    else expect(await read(text, mapping)).toMatchObject([{ amount }]);
  });

  test('may have no last line break where the mapping says so', async () => {
    const mapping = { ...csv, endsWithLineBreak: false };
    expect(await refusal(`${head}pi_1,charge,1,0,EUR,2026-01-31,po`, mapping)).toBe('read');
    expect(v.parse(csvMappingSchema, csv).endsWithLineBreak).toBe(true);
  });
});

const entry = (amount: string, mark: 'CRDT' | 'DBIT', more = '') => `
  <Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-31</Dt></BookgDt>
  <AcctSvcrRef>BANK-9</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>po_1</EndToEndId></Refs>
  <RltdPties><Dbtr><Nm>Stripe Payments</Nm></Dbtr><Cdtr><Nm>Landlord</Nm></Cdtr></RltdPties>
  <RmtInf><Ustrd>STRIPE PAYOUT 77 &amp; more</Ustrd></RmtInf></TxDtls></NtryDtls>${more}</Ntry>`;
const balance = (code: string, amount: string) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`;
const camt = (body: string, closing = '178.00', summary = '') =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ns:Document xmlns:ns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${balance('OPBD', '100.00')}${balance('CLBD', closing)}${summary}${body}</Stmt></BkToCstmrStmt></ns:Document>\n`;
const both = entry('128', 'CRDT') + entry('50.00', 'DBIT');

const daysOf = async (content: string, mapping: unknown) => {
  const scan = await scanFile(() => pieces(content), v.parse(settlementMappingSchema, mapping));
  const { lines, firstDay, lastDay } = scan;
  return { lines, firstDay, lastDay };
};

describe('[SRV-2] the days of a statement', () => {
  const only = ['nobody'];
  const dated = (day: string) => camt(both).replace('<Cd>CLBD</Cd></CdOrPrtry></Tp>', `$&<Dt>${day}</Dt>`);
  const empty = { lines: 0, firstDay: '2026-02-01', lastDay: '2026-02-01' };

  test('reach to its closing balance, also where no line counts', async () => {
    const mapping = { format: 'camt.053' };
    const both = { lines: 2, firstDay: '2026-01-31', lastDay: '2026-02-01' };
    expect(await daysOf(dated('<Dt>2026-02-01</Dt>'), mapping)).toEqual(both);
    expect(await daysOf(dated('<DtTm>2026-02-01T18:00:00</DtTm>'), { ...mapping, only })).toEqual(empty);
    const swift = ':20:X\n:60F:C260131EUR0,00\n:61:260131C5,00NTRFX\n:62F:C260201EUR5,00\n';
    expect(await daysOf(swift, { format: 'mt940' })).toEqual({ ...both, lines: 1 });
    expect(await daysOf(swift, { format: 'mt940', only })).toEqual(empty);
  });

  test('are unknown without a line and without the day of a balance, so the file is refused', async () => {
    await expect(daysOf(camt(both), { format: 'camt.053', only })).rejects.toMatchObject({ code: 'invalid-request' });
  });
});

describe('[SRV-1] a camt.053 statement', () => {
  const mapping = { format: 'camt.053' };

  test('is read with its references, its words and the other side', async () => {
    const pending = entry('9.00', 'CRDT').replace('BOOK', 'PDNG');
    expect(await read(camt(both + pending), mapping)).toMatchObject([
      { n: 3, kind: 'settlement', amount: 12_800n, date: '2026-01-31', payee: 'Stripe Payments' },
      { kind: 'settlement', amount: -5_000n, payee: 'Landlord' },
    ]);
    const [first] = await read(camt(both), mapping);
    expect(first?.references).toEqual(['BANK-9', 'po_1', 'STRIPE', 'PAYOUT', 'more']);
  });

  test('gives only the lines that the mapping wants, and is still proved whole', async () => {
    expect(await read(camt(both), { ...mapping, only: ['stripe payments'] })).toHaveLength(1);
    expect(await read(camt(both), { ...mapping, debit: 'ignore' })).toHaveLength(1);
  });

  test.each([
    [
      'with a lost entry',
      camt(entry('128', 'CRDT')),
      'The entries sum to 128.00 EUR, but the balances differ by 78.00 EUR',
    ],
    [
      'with a wrong count',
      camt(both, '178.00', '<TxsSummry><TtlNtries><NbOfNtries>3</NbOfNtries></TtlNtries></TxsSummry>'),
      'says that it has 3 entries, but the file has 2',
    ],
    [
      'with a wrong sum',
      camt(both, '178.00', '<TxsSummry><TtlNtries><Sum>179.00</Sum></TtlNtries></TxsSummry>'),
      'its entries sum to 179.00',
    ],
    ['that is cut off', camt(both).slice(0, -60), 'The XML is broken or cut off'],
    ['without balances', camt(both).replaceAll(/CLBD/g, 'ITAV'), 'no closing balance'],
    ['with a document type', camt(both).replace('\n', '<!DOCTYPE x [<!ENTITY a "b">]>'), 'no document type'],
    ['of another kind', '<a></a>', 'The file has no statement'],
  ])('%s is refused', async (_name, content, words) => {
    expect(await refusal(content, mapping)).toContain(words);
  });
});

const swift = (entries: string, closing = 'C260131EUR178,00') => `{1:F01BANK}{2:I940BANK}{4:\r
:20:STARTUMSE\r
:25:DE1234\r
:28C:00001/001\r
:60F:C260130EUR100,00\r
${entries}:62F:${closing}\r
-}\r
`;
const first =
  ':61:2601310131CR128,00NTRFNONREF//BANK9\r\n:86:166?20SVWZ+po_1234567890?21-0987654321?32Stripe Paym?33ents\r\n';
const second = ':61:260131D50,00NMSCpo_2\r\nsupplementary\r\n:86:Rent January\r\n';

describe('[SRV-1] an MT940 statement', () => {
  const mapping = { format: 'mt940' };

  test('is read with its references, its text in pieces and the other side', async () => {
    const lines = await read(swift(first + second), mapping);
    expect(lines).toMatchObject([
      { n: 6, kind: 'settlement', amount: 12_800n, currency: 'EUR', date: '2026-01-31', payee: 'Stripe Payments' },
      { n: 8, amount: -5_000n },
    ]);
    expect(lines[0]?.references).toEqual(expect.arrayContaining(['BANK9', 'po_1234567890-0987654321']));
    expect(lines[1]?.references).toEqual(['po_2', 'supplementary', 'Rent', 'January']);
  });

  test('takes a credit back with RC', async () => {
    expect(await read(swift(first.replace('CR128', 'RCR128'), 'D260131EUR28,00'), mapping)).toMatchObject([
      { amount: -12_800n },
    ]);
  });

  test.each([
    [
      'with a lost entry',
      swift(first),
      'line 8, :62F:: The entries sum to 128.00 EUR, but the balances differ by 78.00 EUR',
    ],
    ['that is cut off', swift(first + second).split(':62F:')[0] ?? '', 'The statement has no closing balance'],
    ['with an entry that cannot be read', swift(':61:26013\r\n'), 'line 6, :61:: The entry cannot be read'],
    ['with a balance that cannot be read', swift(first, 'x'), ':62F:: The balance cannot be read'],
    ['that is something else', 'hello\n', 'line 1: The line belongs to no field'],
  ])('%s is refused', async (_name, content, words) => {
    expect(await refusal(content, mapping)).toContain(words);
  });
});
