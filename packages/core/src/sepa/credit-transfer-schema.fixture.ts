/**
 * Schemas that check the files of tests. The published schemas of ISO 20022 may not be copied into this repository, so tests use two sources:
 *
 * - The schema below is our own: exactly the elements that the cashier writes, with the lengths and patterns of EPC132-08. It is
 *   narrower than the published one.
 * - `ISO20022_SCHEMAS` names a folder with published schemas from https://www.iso20022.org, such as `pain.001.001.09.xsd`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import type { CreditTransferVersion } from './credit-transfer-file.ts';

const simple = (name: string, facets: string, base = 'string'): string =>
  `<xs:simpleType name="${name}"><xs:restriction base="xs:${base}">${facets}</xs:restriction></xs:simpleType>`;
const pattern = (text: string): string => `<xs:pattern value="${text}"/>`;
const sepaText = (longest: number): string => pattern(`[A-Za-z0-9/\\-?:().,'+ ]{1,${longest}}`);
const complex = (name: string, ...elements: readonly string[]): string =>
  `<xs:complexType name="${name}"><xs:sequence>${elements.join('')}</xs:sequence></xs:complexType>`;
const one = (name: string, type: string, more = ''): string => `<xs:element name="${name}" type="${type}"${more}/>`;
const optional = ' minOccurs="0"';

/** Our own schema of a version. */
function ownSchema(version: CreditTransferVersion): string {
  const isNew = version === 'pain.001.001.09';
  const urn = `urn:iso:std:iso:20022:tech:xsd:${version}`;
  const types = [
    simple('Reference', pattern("[A-Za-z0-9\\-?:().,'+ ]{1,35}")),
    simple('Name', sepaText(70)),
    simple('Text', sepaText(140)),
    simple('Count', pattern('[0-9]{1,15}')),
    simple(
      'Sum',
      '<xs:fractionDigits value="2"/><xs:totalDigits value="18"/><xs:minInclusive value="0.01"/>',
      'decimal',
    ),
    simple(
      'Amount',
      '<xs:fractionDigits value="2"/><xs:minInclusive value="0.01"/><xs:maxInclusive value="999999999.99"/>',
      'decimal',
    ),
    simple('IBAN', pattern('[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}')),
    simple('BIC', pattern('[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?')),
    ...['TRF', 'SEPA', 'INST', 'SLEV', 'NOTPROVIDED'].map((code) => simple(code, `<xs:enumeration value="${code}"/>`)),
    complex('Party', one('Nm', 'Name')),
    complex('AccountId', one('IBAN', 'IBAN')),
    complex('Account', one('Id', 'AccountId')),
    complex('Unknown', one('Id', 'NOTPROVIDED')),
    `<xs:complexType name="Bank"><xs:choice>${one(isNew ? 'BICFI' : 'BIC', 'BIC')}${one('Othr', 'Unknown')}</xs:choice></xs:complexType>`,
    complex('Agent', one('FinInstnId', 'Bank')),
    complex('Service', one('Cd', 'SEPA')),
    complex('Instrument', one('Cd', 'INST')),
    complex('Type', one('SvcLvl', 'Service'), one('LclInstrm', 'Instrument', optional)),
    complex('Day', one('Dt', 'xs:date')),
    complex('Ids', one('InstrId', 'Reference'), one('EndToEndId', 'Reference')),
    '<xs:complexType name="Euro"><xs:simpleContent><xs:extension base="Amount"><xs:attribute name="Ccy" use="required" fixed="EUR"/></xs:extension></xs:simpleContent></xs:complexType>',
    complex('Instructed', one('InstdAmt', 'Euro')),
    complex('Remittance', one('Ustrd', 'Text')),
    complex(
      'Transfer',
      one('PmtId', 'Ids'),
      one('Amt', 'Instructed'),
      one('Cdtr', 'Party'),
      one('CdtrAcct', 'Account'),
      one('RmtInf', 'Remittance'),
    ),
    complex(
      'Header',
      one('MsgId', 'Reference'),
      one('CreDtTm', 'xs:dateTime'),
      one('NbOfTxs', 'Count'),
      one('CtrlSum', 'Sum'),
      one('InitgPty', 'Party'),
    ),
    complex(
      'Payment',
      one('PmtInfId', 'Reference'),
      one('PmtMtd', 'TRF'),
      one('BtchBookg', 'xs:boolean'),
      one('NbOfTxs', 'Count'),
      one('CtrlSum', 'Sum'),
      one('PmtTpInf', 'Type'),
      one('ReqdExctnDt', isNew ? 'Day' : 'xs:date'),
      one('Dbtr', 'Party'),
      one('DbtrAcct', 'Account'),
      one('DbtrAgt', 'Agent'),
      one('ChrgBr', 'SLEV'),
      one('CdtTrfTxInf', 'Transfer', ' maxOccurs="unbounded"'),
    ),
    complex('Initiation', one('GrpHdr', 'Header'), one('PmtInf', 'Payment')),
    complex('Root', one('CstmrCdtTrfInitn', 'Initiation')),
  ];
  return `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${urn}" targetNamespace="${urn}" elementFormDefault="qualified">
    <xs:element name="Document" type="Root"/>${types.join('')}</xs:schema>`;
}

/** Checks documents against a schema. */
export interface SchemaCheck {
  readonly name: string;
  /** @throws Error that names the line, for a document that the schema refuses */
  validate(xml: string): void;
}

function checkBy(name: string, schema: string): SchemaCheck {
  const parsed = XmlDocument.fromString(schema);
  const validator = XsdValidator.fromDoc(parsed);
  return {
    name,
    validate(xml) {
      const document = XmlDocument.fromString(xml);
      try {
        validator.validate(document);
      } finally {
        document.dispose();
      }
    },
  };
}

/** The published schema of a message in the folder of `ISO20022_SCHEMAS`; none where no folder is named. */
export function publishedChecks(message: string): SchemaCheck[] {
  const folder = process.env['ISO20022_SCHEMAS'];
  if (folder === undefined) return [];
  return [checkBy(`${message}, as published`, readFileSync(join(folder, `${message}.xsd`), 'utf8'))];
}

/** The schemas that a file of this version must fit. */
export function schemaChecks(version: CreditTransferVersion): readonly [SchemaCheck, ...SchemaCheck[]] {
  return [checkBy(`${version}, as the cashier writes it`, ownSchema(version)), ...publishedChecks(version)];
}
