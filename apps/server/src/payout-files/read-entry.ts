/** Reads one entry of a statement or a notification: a transfer, several transfers, or a whole file. */
import { fileOfReference, withdrawalOfReference } from '@opencashier/core/sepa/payment-references';
import { fileFault } from '../settlements/read-line.ts';
import { statementAmount } from '../settlements/statement-line.ts';
import type { BankFact, BookedEntry } from './bank-facts.ts';
import { allOf, at, type MessageElement, textAt } from './read-elements.ts';

interface Money {
  readonly amount: bigint;
  readonly currency: string;
}

/** @throws DomainError for an amount that is none */
function moneyAt(element: MessageElement | undefined): Money | undefined {
  if (element === undefined) return undefined;
  const { text, currency = '', line, name } = element;
  return { amount: statementAmount(text, currency, { line, name }), currency };
}

/** The amount of one transfer inside an entry, by the versions of the message. */
const moneyOf = (details: MessageElement): Money | undefined =>
  moneyAt(at(details, 'Amt') ?? at(details, 'AmtDtls', 'TxAmt', 'Amt') ?? at(details, 'AmtDtls', 'InstdAmt', 'Amt'));

/** The facts of a booked entry. An entry that is not booked yet says nothing. */
export function factsOfEntry(entry: MessageElement): BankFact[] {
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts');
  if (status !== undefined && status !== 'BOOK') return [];
  const direction = textAt(entry, 'CdtDbtInd');
  const total = moneyAt(at(entry, 'Amt'));
  if (total === undefined || (direction !== 'CRDT' && direction !== 'DBIT')) {
    throw fileFault({ line: entry.line, name: 'Ntry' }, 'The entry has no amount, or no direction (CdtDbtInd).');
  }
  const kind = kindOf(direction);
  const groups = allOf(entry, 'NtryDtls');
  const details = groups.flatMap((one) => allOf(one, 'TxDtls'));
  const booked: BookedEntry = { amount: total.amount };
  const facts = details.flatMap((one) =>
    factOf(one, kindOf(textAt(one, 'CdtDbtInd') ?? direction), details.length === 1 ? total : undefined, booked, total),
  );
  if (facts.length > 0) return facts;
  // The bank books the whole file at once, and names its message alone.
  const fileId = [...groups.map((one) => at(one, 'Btch')), ...details.map((one) => at(one, 'Refs'))]
    .flatMap((one) => [textAt(one, 'PmtInfId'), textAt(one, 'MsgId')])
    .map((reference) => fileOfReference(reference ?? ''))
    .find((found) => found !== undefined);
  return fileId === undefined ? [] : [{ kind, line: entry.line, fileId, ...total }];
}

/** An entry for several transfers may have both directions inside. */
const kindOf = (direction: string): 'booked' | 'returned' => (direction === 'CRDT' ? 'returned' : 'booked');

function factOf(
  details: MessageElement,
  kind: 'booked' | 'returned',
  whole: Money | undefined,
  entry: BookedEntry,
  total: Money,
): BankFact[] {
  const withdrawalId = withdrawalOfReference(textAt(details, 'Refs', 'EndToEndId') ?? '');
  if (withdrawalId === undefined) return [];
  const money = moneyOf(details) ?? whole;
  const reason = textAt(details, 'RtrInf', 'Rsn', 'Cd');
  const fact = { kind, line: details.line, withdrawalId, reason, currency: money?.currency ?? total.currency };
  if (money !== undefined) return [{ ...fact, amount: money.amount }];
  return [{ ...fact, entry }];
}
