/**
 * The bank of the sandbox. It takes a file that was handed over, and answers as a bank does: a status report and a statement with one debit for
 * the whole file. The last two digits of an amount choose what happens, as docs/payouts.md lists.
 */
import { sandboxBankName } from '@opencashier/contract/operator';
import { toDecimalString } from '@opencashier/core/money/money';
import { DomainError } from '../errors/domain-error.ts';
import { type AppliedMessage, applyBankMessage } from './apply-bank-message.ts';
import { downloadFile } from './hand-over.ts';
import { fileView } from './payout-file-page.ts';
import type { PayoutFilePorts } from './payout-file-ports.ts';
import { allOf, at, readElements, textAt } from './read-elements.ts';

const EURO_DECIMALS = 2;
/** Reasons of a rejection, by the last two digits of the amount. */
const REJECTIONS: Readonly<Record<number, string>> = { 10: 'AC04', 14: 'AM04', 15: 'AC01', 17: 'BE01' };
/** The money comes back after the debit. */
const RETURNED = 13;
/** The bank says nothing. */
const SILENT = 4;

interface Instructed {
  readonly reference: string;
  readonly cents: bigint;
}

const endingOf = ({ cents }: Instructed): number => Number(cents % 100n);
const written = (cents: bigint): string => toDecimalString(cents, EURO_DECIMALS);
const sumOf = (all: readonly Instructed[]): bigint => all.reduce((sum, { cents }) => sum + cents, 0n);

/** @throws DomainError not-found; state-conflict for a file that was not handed over */
export async function playFile(ports: PayoutFilePorts, operatorId: string, fileId: string): Promise<AppliedMessage[]> {
  const { state } = await fileView(ports.database, operatorId, fileId);
  if (state !== 'handed') throw new DomainError('state-conflict', 'Hand the file over first.', { params: { state } });
  const by = sandboxBankName;
  const { content, file } = await downloadFile(ports, operatorId, fileId, { by });
  const answers = await answersTo(content, file.built);
  const applied: AppliedMessage[] = [];
  for (const [name, xml] of Object.entries(answers)) {
    applied.push(await applyBankMessage(ports, { operatorId, by, name, bytes: Buffer.from(xml) }));
  }
  return applied;
}

/** The status report and the statement about a file. The same file has the same answers. @param at ISO 8601 */
export async function answersTo(content: string, builtAt: string): Promise<Record<string, string>> {
  const initiation = at(await readElements(Buffer.from(content)), 'CstmrCdtTrfInitn');
  const payment = at(initiation, 'PmtInf');
  const message = textAt(initiation, 'GrpHdr', 'MsgId') ?? '';
  const information = textAt(payment, 'PmtInfId') ?? '';
  const all = allOf(payment, 'CdtTrfTxInf').map((one) => ({
    reference: textAt(one, 'PmtId', 'EndToEndId') ?? '',
    cents: BigInt((textAt(one, 'Amt', 'InstdAmt') ?? '0').replace('.', '')),
  }));
  const day = builtAt.slice(0, 10);
  const report = document(
    'pain.002.001.10',
    statusReport({ message, information, all, at: `${builtAt.slice(0, 19)}Z` }),
  );
  const booked = all.filter((one) => REJECTIONS[endingOf(one)] === undefined && endingOf(one) !== SILENT);
  return {
    [`pain.002-${message}.xml`]: report,
    [`camt.053-${message}.xml`]: document('camt.053.001.08', statement({ message, information, booked, day })),
  };
}

const document = (version: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${version}">${body}</Document>\n`;

interface Reported {
  readonly message: string;
  readonly information: string;
}

function statusReport({
  message,
  information,
  all,
  at: moment,
}: Reported & { readonly all: readonly Instructed[]; readonly at: string }): string {
  const transactions = all.flatMap((one) => {
    const reason = REJECTIONS[endingOf(one)];
    if (endingOf(one) === SILENT) return [];
    const status = reason === undefined ? 'ACSP' : 'RJCT';
    const why = reason === undefined ? '' : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>`;
    return `<TxInfAndSts><OrgnlEndToEndId>${one.reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>${why}</TxInfAndSts>`;
  });
  const ofAll = all.some((one) => REJECTIONS[endingOf(one)] !== undefined) ? 'PART' : 'ACSP';
  return [
    `<CstmrPmtStsRpt><GrpHdr><MsgId>S${message.slice(1)}</MsgId><CreDtTm>${moment}</CreDtTm></GrpHdr>`,
    `<OrgnlGrpInfAndSts><OrgnlMsgId>${message}</OrgnlMsgId><OrgnlMsgNmId>pain.001</OrgnlMsgNmId><GrpSts>${ofAll}</GrpSts></OrgnlGrpInfAndSts>`,
    `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${information}</OrgnlPmtInfId><PmtInfSts>${ofAll}</PmtInfSts>${transactions.join('')}</OrgnlPmtInfAndSts>`,
    '</CstmrPmtStsRpt>',
  ].join('');
}

interface Booked extends Reported {
  readonly booked: readonly Instructed[];
  readonly day: string;
}

function statement({ message, information, booked, day }: Booked): string {
  const back = booked.filter((one) => endingOf(one) === RETURNED);
  const opening = 10_000_000_00n;
  const closing = opening - sumOf(booked) + sumOf(back);
  const balance = (code: string, cents: bigint): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${written(cents)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const details = (one: Instructed, more = ''): string =>
    `<TxDtls><Refs><EndToEndId>${one.reference}</EndToEndId></Refs><Amt Ccy="EUR">${written(one.cents)}</Amt>${more}</TxDtls>`;
  const entry = (direction: string, cents: bigint, inside: string): string =>
    `<Ntry><Amt Ccy="EUR">${written(cents)}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${day}</Dt></BookgDt><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd><NtryDtls>${inside}</NtryDtls></Ntry>`;
  const batch = `<Btch><MsgId>${message}</MsgId><PmtInfId>${information}</PmtInfId><NbOfTxs>${booked.length}</NbOfTxs></Btch>`;
  const debit =
    booked.length === 0 ? '' : entry('DBIT', sumOf(booked), batch + booked.map((one) => details(one)).join(''));
  const credits = back.map((one) =>
    entry('CRDT', one.cents, details(one, '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>')),
  );
  return [
    `<BkToCstmrStmt><GrpHdr><MsgId>T${message.slice(1)}</MsgId><CreDtTm>${day}T20:00:00Z</CreDtTm></GrpHdr>`,
    `<Stmt><Id>T${message.slice(1)}</Id><Acct><Id><Othr><Id>sandbox</Id></Othr></Id></Acct>`,
    `${balance('OPBD', opening)}${balance('CLBD', closing)}${debit}${credits.join('')}</Stmt></BkToCstmrStmt>`,
  ].join('');
}
