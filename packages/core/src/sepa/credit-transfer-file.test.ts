import fc from 'fast-check';
import { XmlDocument } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import { ibanOf } from '../fields/iban.ts';
import { SEPA_COUNTRIES } from '../fields/iban-countries.ts';
import {
  CREDIT_TRANSFER_VERSIONS,
  type CreditTransferFile,
  controlSum,
  LONGEST_NAME,
  writeCreditTransfers,
} from './credit-transfer-file.ts';
import { schemaChecks } from './credit-transfer-schema.fixture.ts';
import { endToEndIdOf, fileOfReference, messageIdOf, withdrawalOfReference } from './payment-references.ts';
import { sepaText } from './sepa-text.ts';

const fileId = '01234567-89ab-4cde-8f01-23456789abcd';
const debtor = { name: 'Example Casino GmbH & Co. KG', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
const file: CreditTransferFile = {
  version: 'pain.001.001.09',
  fileId,
  createdAt: Date.UTC(2026, 0, 30, 9, 15, 4),
  debtor,
  executionDay: '2026-02-02',
  isInstant: false,
  isBatchBooked: true,
  transfers: [
    {
      withdrawalId: '9b2e0f4c-0000-4000-8000-00000000000a',
      amountMinor: 2550n,
      name: 'Zoë Müller',
      iban: 'DE02 1203 0000 0000 2020 51',
    },
    {
      withdrawalId: '9b2e0f4c-0000-4000-8000-00000000000b',
      amountMinor: 1n,
      name: 'Ελένη Παππά',
      iban: 'FR1420041010050500013M02606',
    },
  ],
};

const iban = fc
  .tuple(fc.constantFrom(...SEPA_COUNTRIES), fc.stringMatching(/^[A-Z0-9]{11,27}$/))
  .map(([country, account]) => ibanOf(country, account));
const anyName = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 90 }),
    fc.constantFrom('</Nm><x>', 'A & B', 'a\u202eb', "d'Œuvre", '//x', 'Ян Ќ'),
  )
  .filter((name) => sepaText(name, LONGEST_NAME) !== undefined);
const anyFile = fc.record({
  version: fc.constantFrom(...CREDIT_TRANSFER_VERSIONS),
  fileId: fc.uuid(),
  createdAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  debtor: fc.record({ name: anyName, iban, bic: fc.constantFrom(undefined, 'COBADEFFXXX', 'DEUTDEFF') }),
  executionDay: fc.constantFrom('2026-02-02', '2027-12-31'),
  isInstant: fc.boolean(),
  isBatchBooked: fc.boolean(),
  transfers: fc.array(
    fc.record({ withdrawalId: fc.uuid(), amountMinor: fc.bigInt(1n, 99_999_999_999n), name: anyName, iban }),
    { minLength: 1, maxLength: 20 },
  ),
});

const checks = new Map(CREDIT_TRANSFER_VERSIONS.map((version) => [version, schemaChecks(version)]));

describe('[WD-2] a file of SEPA credit transfers', () => {
  test('has the ids, the sums and the payees, in the characters of SEPA', () => {
    const xml = writeCreditTransfers(file);
    expect(xml).toContain('<MsgId>F0123456789AB4CDE8F0123456789ABCD</MsgId>');
    expect(xml.match(/<NbOfTxs>2<\/NbOfTxs><CtrlSum>25.51<\/CtrlSum>/g)).toHaveLength(2);
    expect(xml).toContain('<EndToEndId>W9B2E0F4C00004000800000000000000A</EndToEndId>');
    expect(xml).toContain('<InstdAmt Ccy="EUR">0.01</InstdAmt>');
    expect(xml).toContain('<Nm>Zoe Muller</Nm>');
    expect(xml).toContain('<Nm>Eleni Pappa</Nm>');
    expect(xml).toContain('<Nm>Example Casino GmbH + Co. KG</Nm>');
    expect(xml).toContain('<ReqdExctnDt><Dt>2026-02-02</Dt></ReqdExctnDt>');
    expect(xml).not.toContain('LclInstrm');
    expect(writeCreditTransfers({ ...file, isInstant: true })).toContain('<LclInstrm><Cd>INST</Cd></LclInstrm>');
  });

  test('has the same bytes for the same input', () => {
    expect(writeCreditTransfers(file)).toBe(writeCreditTransfers(structuredClone(file)));
  });

  test('refuses to be without transfers, and to hold a name that banks cannot write', () => {
    expect(() => writeCreditTransfers({ ...file, transfers: [] })).toThrow(RangeError);
    const [first] = file.transfers;
    expect(() =>
      writeCreditTransfers({ ...file, transfers: first === undefined ? [] : [{ ...first, name: '王小明' }] }),
    ).toThrow(RangeError);
  });

  test('fits its schema, whatever the payees are called, and its sums are exact', () => {
    fc.assert(
      fc.property(anyFile, (made) => {
        const xml = writeCreditTransfers(made);
        for (const { validate } of checks.get(made.version) ?? []) validate(xml);
        const document = XmlDocument.fromString(xml);
        try {
          const ns = { p: `urn:iso:std:iso:20022:tech:xsd:${made.version}` };
          const texts = (path: string): string[] => document.find(path, ns).map((node) => node.content);
          const cents = (text: string): bigint => BigInt(text.replace('.', ''));
          expect(texts('//p:CtrlSum').map(cents)).toEqual([controlSum(made.transfers), controlSum(made.transfers)]);
          expect(texts('//p:InstdAmt').map(cents)).toEqual(made.transfers.map(({ amountMinor }) => amountMinor));
          expect(texts('//p:EndToEndId').map(withdrawalOfReference)).toEqual(
            made.transfers.map(({ withdrawalId }) => withdrawalId),
          );
          expect(texts('//p:Cdtr/p:Nm')).toEqual(made.transfers.map(({ name }) => sepaText(name, LONGEST_NAME)));
        } finally {
          document.dispose();
        }
      }),
    );
  });

  test('its schema notices a wrong element', () => {
    for (const [version, all] of checks) {
      const xml = writeCreditTransfers({ ...file, version });
      for (const { validate } of all) {
        validate(xml);
        expect(() => validate(xml.replace('<PmtMtd>TRF', '<PmtMtd>XXX'))).toThrow();
        expect(() => validate(xml.replace(/<GrpHdr>.*<\/GrpHdr>/, ''))).toThrow();
      }
    }
  });
});

describe('[WD-2] references of a file', () => {
  test('have at most 35 characters and name their withdrawal or file alone', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(endToEndIdOf(id).length).toBeLessThanOrEqual(35);
        expect(withdrawalOfReference(endToEndIdOf(id))).toBe(id);
        expect(withdrawalOfReference(messageIdOf(id))).toBeUndefined();
        expect(fileOfReference(messageIdOf(id))).toBe(id);
        expect(fileOfReference(endToEndIdOf(id))).toBeUndefined();
      }),
    );
  });

  test.each(['', 'NOTPROVIDED', 'W123', `X${'0'.repeat(32)}`, `W${'0'.repeat(33)}`])('%j is nobody’s', (text) => {
    expect(withdrawalOfReference(text)).toBeUndefined();
  });
});
