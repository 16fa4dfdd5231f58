/** What statements of banks have in common: entries that become lines, and balances that prove that no entry is missing. */
import type { StatementMapping } from '@opencashier/contract/operator';
import { decimalsOf, findCurrency } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import { boundedAmount, fileFault, keptText, type Place, type ReadLine } from './read-line.ts';

/** One booked entry of a statement. */
export interface StatementEntry {
  readonly n: number;
  readonly currency: string;
  /** Signed minor units: money that came in is positive. */
  readonly amount: bigint;
  readonly date: string;
  /** References of the bank, the likeliest first. */
  readonly references: readonly string[];
  /** What the payer or the bank wrote. */
  readonly text: string;
  readonly payee?: string | undefined;
}

/** References and words of one line. More of them would only slow the search. */
const MOST_REFERENCES = 24;
/** Shorter words name nothing. */
const SHORTEST_WORD = 4;
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** @returns undefined for an entry that the mapping leaves out */
export function lineOfEntry(entry: StatementEntry, { only, credit, debit }: StatementMapping): ReadLine | undefined {
  const { n, currency, amount, date, text, payee } = entry;
  const kind = amount > 0n ? credit : debit;
  if (kind === 'ignore') return undefined;
  const words = `${payee ?? ''} ${text}`.toLowerCase();
  if (only !== undefined && !only.some((word) => words.includes(word.toLowerCase()))) return undefined;
  const named = [...entry.references, ...text.split(/[\s,;:/+?]+/).filter((word) => word.length >= SHORTEST_WORD)];
  const references = [...new Set(named.map(keptText))].filter((word) => word !== undefined);
  return {
    n,
    kind,
    references: references.slice(0, MOST_REFERENCES),
    ownId: UUID.exec(text)?.[0].toLowerCase(),
    currency,
    ...(kind === 'fee' ? { amount: 0n, fee: -amount } : { amount, fee: 0n }),
    date,
    payee: keptText(payee),
  };
}

/** @throws DomainError for an unknown currency or an amount that is none */
export function statementAmount(text: string, currency: string, place: Place): bigint {
  if (findCurrency(currency) === undefined) {
    throw fileFault(place, `"${currency.slice(0, 20)}" is no currency that the cashier knows.`);
  }
  const [whole = '', fraction = ''] = text.trim().split('.');
  const canonical = `${whole.replace(/^0+(?=\d)/, '')}${fraction.replace(/0+$/, '') && `.${fraction.replace(/0+$/, '')}`}`;
  const read = parseDecimal(canonical, decimalsOf(currency));
  if (!read.ok) throw fileFault(place, `"${text.slice(0, 40)}" is no amount in ${currency}.`);
  return boundedAmount(read.minor, place);
}

/** What a statement says of itself. */
export interface StatementSums {
  readonly currency: string;
  readonly opening: bigint | undefined;
  readonly closing: bigint | undefined;
  /** The sum of the entries that were read. */
  readonly sum: bigint;
}

/** @throws DomainError when the entries do not lead from the opening balance to the closing balance */
export function proveStatement({ currency, opening, closing, sum }: StatementSums, place: Place): void {
  if (opening === undefined || closing === undefined) {
    throw fileFault(
      place,
      'The statement has no opening or no closing balance, so nothing proves that it is complete.',
    );
  }
  if (opening + sum === closing) return;
  const written = (minor: bigint): string => `${toDecimalString(minor, decimalsOf(currency))} ${currency}`;
  throw fileFault(
    place,
    `The entries sum to ${written(sum)}, but the balances differ by ${written(closing - opening)}. An entry is missing.`,
  );
}
