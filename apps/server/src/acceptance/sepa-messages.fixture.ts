/** Answers and statements of a bank, as tests write them. */
import { toDecimalString } from '@opencashier/core/money/money';
import { endToEndIdOf, messageIdOf, paymentInformationIdOf } from '@opencashier/core/sepa/payment-references';

interface Status {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
}

const document = (version: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${version}">\n${body}</Document>\n`;
const why = (reason: string | undefined): string =>
  reason === undefined ? '' : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>`;

/** A status report about a file. */
export function reportOn(
  fileId: string,
  ofAll: string,
  statuses: readonly Status[],
  version = 'pain.002.001.10',
): string {
  const one = ({ id, status, reason }: Status): string =>
    `<TxInfAndSts><OrgnlEndToEndId>${endToEndIdOf(id)}</OrgnlEndToEndId><TxSts>${status}</TxSts>${why(reason)}</TxInfAndSts>`;
  const group = `<OrgnlGrpInfAndSts><OrgnlMsgId>${messageIdOf(fileId)}</OrgnlMsgId><OrgnlMsgNmId>pain.001</OrgnlMsgNmId><GrpSts>${ofAll}</GrpSts>${
    statuses.length === 0 ? why('FF01') : ''
  }</OrgnlGrpInfAndSts>`;
  const payments =
    statuses.length === 0
      ? ''
      : `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${paymentInformationIdOf(fileId)}</OrgnlPmtInfId>${statuses.map(one).join('')}</OrgnlPmtInfAndSts>`;
  return document(
    version,
    `<CstmrPmtStsRpt><GrpHdr><MsgId>R1</MsgId><CreDtTm>2026-02-02T10:00:00Z</CreDtTm></GrpHdr>${group}${payments}</CstmrPmtStsRpt>`,
  );
}

export interface Entry {
  readonly direction: 'DBIT' | 'CRDT';
  readonly cents: bigint;
  /** The end-to-end id of a single transfer. */
  readonly reference?: string;
  /** The payment information id of a whole file. */
  readonly batch?: string;
  /** Why money came back. */
  readonly reason?: string;
}

let statements = 0;

/** A statement whose balances agree with its entries. */
export function statementOf(entries: readonly Entry[]): string {
  statements += 1;
  const sum = entries.reduce((total, { direction, cents }) => total + (direction === 'CRDT' ? cents : -cents), 0n);
  const opening = 100_000_000n;
  const euros = (cents: bigint): string => toDecimalString(cents, 2);
  const balance = (code: string, cents: bigint): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${euros(cents)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-02-02</Dt></Dt></Bal>`;
  const details = ({ reference, batch, reason }: Entry): string => {
    if (batch !== undefined) return `<Btch><PmtInfId>${batch}</PmtInfId></Btch>`;
    const back = reason === undefined ? '' : `<RtrInf><Rsn><Cd>${reason}</Cd></Rsn></RtrInf>`;
    return `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${back}</TxDtls>`;
  };
  const entry = (one: Entry): string =>
    `<Ntry><Amt Ccy="EUR">${euros(one.cents)}</Amt><CdtDbtInd>${one.direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-02-02</Dt></BookgDt><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd><NtryDtls>${details(one)}</NtryDtls></Ntry>`;
  return document(
    'camt.053.001.08',
    `<BkToCstmrStmt><GrpHdr><MsgId>S${statements}</MsgId><CreDtTm>2026-02-02T20:00:00Z</CreDtTm></GrpHdr><Stmt><Id>S${statements}</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct>${balance('OPBD', opening)}${balance('CLBD', opening + sum)}${entries.map(entry).join('')}</Stmt></BkToCstmrStmt>`,
  );
}
