/** Reads the answers of a bank: status reports (pain.002), statements (camt.053) and notifications (camt.054) of ISO 20022. */
import { isDuplicateReason } from '@opencashier/core/sepa/bank-status';
import { fileOfReference, withdrawalOfReference } from '@opencashier/core/sepa/payment-references';
import { readCamt } from '../settlements/read-camt.ts';
import { fileFault } from '../settlements/read-line.ts';
import type { BankFact, BankMessage } from './bank-facts.ts';
import { allOf, at, type MessageElement, piecesOf, readElements, textAt } from './read-elements.ts';
import { factsOfEntry } from './read-entry.ts';

/** How a statement is read to prove that it is complete. */
const PROOF = {
  format: 'camt.053',
  encoding: 'utf-8',
  credit: 'return',
  debit: 'payout',
  settlesWithinDays: 3,
  daysApart: 3,
} as const;

/** @throws DomainError that names the line, for a file that is broken, incomplete, or no such message */
export async function readBankMessage(bytes: Uint8Array): Promise<BankMessage> {
  const document = await readElements(bytes);
  const [root] = document.children;
  switch (root?.name) {
    case 'CstmrPmtStsRpt':
      return { kind: 'pain.002', facts: factsOfReport(root) };
    case 'BkToCstmrStmt':
      await proveStatements(bytes);
      return { kind: 'camt.053', facts: factsOfBookings(root, 'Stmt') };
    case 'BkToCstmrDbtCdtNtfctn':
      return { kind: 'camt.054', facts: factsOfBookings(root, 'Ntfctn') };
    default:
      throw fileFault(
        { line: root?.line ?? document.line, name: root?.name ?? document.name },
        'The file is no pain.002, no camt.053 and no camt.054.',
      );
  }
}

/** The balances of a statement prove that no entry is missing. @throws DomainError */
async function proveStatements(bytes: Uint8Array): Promise<void> {
  for await (const _line of readCamt(piecesOf(bytes), PROOF));
}

/** The reasons of a status: codes, or proprietary texts of the bank. */
const reasonsOf = (element: MessageElement | undefined): string[] =>
  allOf(element, 'StsRsnInf').flatMap((one) => textAt(one, 'Rsn', 'Cd') ?? textAt(one, 'Rsn', 'Prtry') ?? []);

/** The reason that decides. A duplicate goes before all others, because the bank may have paid. */
const weightiest = (reasons: readonly string[]): string | undefined => reasons.find(isDuplicateReason) ?? reasons[0];

function factsOfReport(root: MessageElement): BankFact[] {
  const group = at(root, 'OrgnlGrpInfAndSts');
  const message = textAt(group, 'OrgnlMsgId');
  if (group === undefined || message === undefined) {
    throw fileFault({ line: root.line, name: 'OrgnlGrpInfAndSts/OrgnlMsgId' }, 'The report names no message.');
  }
  const fileId = fileOfReference(message);
  const ofGroup = textAt(group, 'GrpSts');
  const facts: BankFact[] = [];
  let ofAll = ofGroup;
  let reasonOfAll = weightiest(reasonsOf(group));
  for (const payment of allOf(root, 'OrgnlPmtInfAndSts')) {
    ofAll = textAt(payment, 'PmtInfSts') ?? ofAll;
    reasonOfAll = weightiest([...reasonsOf(payment), ...(reasonOfAll === undefined ? [] : [reasonOfAll])]);
    for (const one of allOf(payment, 'TxInfAndSts')) {
      const withdrawalId = withdrawalOfReference(textAt(one, 'OrgnlEndToEndId') ?? textAt(one, 'OrgnlInstrId') ?? '');
      const status = textAt(one, 'TxSts');
      if (status !== undefined && !/^[A-Z]{4}$/.test(status)) {
        throw fileFault({ line: one.line, name: 'TxInfAndSts/TxSts' }, 'The status is no code of four letters.');
      }
      if (withdrawalId === undefined) continue;
      const reason = weightiest(reasonsOf(one));
      facts.push({ kind: 'status', line: one.line, withdrawalId, fileId, status, ofAll, reason, reasonOfAll });
    }
  }
  return [...facts, { kind: 'status', line: group.line, fileId, ofAll, reason: reasonOfAll }];
}

function factsOfBookings(root: MessageElement, name: 'Stmt' | 'Ntfctn'): BankFact[] {
  const parts = allOf(root, name);
  if (parts.length === 0) throw fileFault({ line: root.line, name }, `The file has no ${name}.`);
  return parts.flatMap((part) => allOf(part, 'Ntry').flatMap(factsOfEntry));
}
