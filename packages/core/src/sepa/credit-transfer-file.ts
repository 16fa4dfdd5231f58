/** Writes SEPA credit transfers as a customer credit transfer initiation of ISO 20022 (pain.001), by the guidelines of EPC132-08. */
import { toDecimalString } from '../money/money.ts';
import { endToEndIdOf, messageIdOf, paymentInformationIdOf } from './payment-references.ts';
import { sepaText } from './sepa-text.ts';

/** The versions of the message that banks take. */
export const CREDIT_TRANSFER_VERSIONS = ['pain.001.001.09', 'pain.001.001.03'] as const;
export type CreditTransferVersion = (typeof CREDIT_TRANSFER_VERSIONS)[number];

/** The longest name (EPC132-08). */
export const LONGEST_NAME = 70;
const EURO_DECIMALS = 2;

/** Who pays. */
export interface DebtorAccount {
  readonly name: string;
  /** Without spaces. */
  readonly iban: string;
  /** Absent: the bank finds it by the IBAN. */
  readonly bic?: string | undefined;
}

/** One transfer. */
export interface CreditTransfer {
  readonly withdrawalId: string;
  /** Cents. */
  readonly amountMinor: bigint;
  readonly name: string;
  /** With or without spaces. */
  readonly iban: string;
}

export interface CreditTransferFile {
  readonly version: CreditTransferVersion;
  readonly fileId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly debtor: DebtorAccount;
  /** `2026-01-31`. */
  readonly executionDay: string;
  readonly isInstant: boolean;
  /** Whether the bank books one debit for the whole file. */
  readonly isBatchBooked: boolean;
  readonly transfers: readonly CreditTransfer[];
}

/** The sum of transfers, in cents. */
export function controlSum(transfers: readonly Pick<CreditTransfer, 'amountMinor'>[]): bigint {
  return transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;
const group = (name: string, ...parts: readonly string[]): string => `<${name}>${parts.join('')}</${name}>`;

/** @throws RangeError for a name that SEPA cannot write, because callers check names before */
function nameOf(name: string): string {
  const latin = sepaText(name, LONGEST_NAME);
  if (latin === undefined) throw new RangeError('A name cannot be written in the characters of SEPA');
  return element('Nm', latin);
}

const amountOf = (minor: bigint): string => toDecimalString(minor, EURO_DECIMALS);
const accountOf = (iban: string): string => group('Id', element('IBAN', iban.replace(/\s/g, '').toUpperCase()));

/**
 * The content of a file. The same input gives the same bytes.
 * @throws RangeError without transfers, or for a name that SEPA cannot write
 */
export function writeCreditTransfers(file: CreditTransferFile): string {
  const { version, fileId, transfers, debtor, createdAt } = file;
  if (transfers.length === 0) throw new RangeError('A file needs a transfer');
  const counted = [
    element('NbOfTxs', String(transfers.length)),
    element('CtrlSum', amountOf(controlSum(transfers))),
  ].join('');
  const header = group(
    'GrpHdr',
    element('MsgId', messageIdOf(fileId)),
    element('CreDtTm', `${new Date(createdAt).toISOString().slice(0, 19)}Z`),
    counted,
    group('InitgPty', nameOf(debtor.name)),
  );
  const payment = group('PmtInf', paymentHead(file, counted), ...transfers.map(transferOf));
  const root = group('CstmrCdtTrfInitn', header, payment);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${version}">${root}</Document>\n`;
}

function paymentHead(
  { version, fileId, debtor, executionDay, isInstant, isBatchBooked }: CreditTransferFile,
  counted: string,
): string {
  const isNew = version === 'pain.001.001.09';
  const agent =
    debtor.bic === undefined
      ? group('Othr', element('Id', 'NOTPROVIDED'))
      : element(isNew ? 'BICFI' : 'BIC', debtor.bic.toUpperCase());
  return [
    element('PmtInfId', paymentInformationIdOf(fileId)),
    element('PmtMtd', 'TRF'),
    element('BtchBookg', String(isBatchBooked)),
    counted,
    group(
      'PmtTpInf',
      group('SvcLvl', element('Cd', 'SEPA')),
      ...(isInstant ? [group('LclInstrm', element('Cd', 'INST'))] : []),
    ),
    isNew ? group('ReqdExctnDt', element('Dt', executionDay)) : element('ReqdExctnDt', executionDay),
    group('Dbtr', nameOf(debtor.name)),
    group('DbtrAcct', accountOf(debtor.iban)),
    group('DbtrAgt', group('FinInstnId', agent)),
    element('ChrgBr', 'SLEV'),
  ].join('');
}

function transferOf({ withdrawalId, amountMinor, name, iban }: CreditTransfer): string {
  const reference = endToEndIdOf(withdrawalId);
  return group(
    'CdtTrfTxInf',
    group('PmtId', element('InstrId', reference), element('EndToEndId', reference)),
    group('Amt', `<InstdAmt Ccy="EUR">${amountOf(amountMinor)}</InstdAmt>`),
    group('Cdtr', nameOf(name)),
    group('CdtrAcct', accountOf(iban)),
    group('RmtInf', element('Ustrd', reference)),
  );
}
