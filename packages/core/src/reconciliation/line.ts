/**
 * What reconciliation compares: lines of settlement files and bank statements with the entries of the ledger. All amounts are signed
 * minor units as the operator sees them: a payment is positive, and a refund, a chargeback or a payout is negative.
 */

/** The kinds of money movements that the ledger books with a provider or a bank. */
export const entryKinds = ['payment', 'refund', 'chargeback', 'payout', 'return', 'settlement'] as const;
export type EntryKind = (typeof entryKinds)[number];

/** A line can also be a fee of its own. The ledger books fees by the file, so a fee has no entry. */
export const lineKinds = [...entryKinds, 'fee'] as const;
export type LineKind = (typeof lineKinds)[number];

/** One line of a provider's settlement file or list, or of a bank statement. */
export interface SettlementLine {
  readonly id: string;
  readonly kind: LineKind;
  /** References of the provider, the likeliest first. A bank line has one for each word of its text. */
  readonly references: readonly string[];
  /** Our id of the payment. Absent: the line has none. */
  readonly ownId?: string | undefined;
  readonly currency: string;
  /** Signed minor units, before the fee. */
  readonly amount: bigint;
  /** Minor units that the provider keeps. Negative: the provider gives a fee back. */
  readonly fee: bigint;
  /** The day: `2026-01-31`. */
  readonly date: string;
  /** Who paid or was paid. */
  readonly payee?: string | undefined;
}

/** One movement that the ledger has booked. */
export interface LedgerEntry {
  readonly id: string;
  readonly kind: EntryKind;
  /** The provider's reference. Refunds and chargebacks share the reference of their payment. */
  readonly reference?: string | undefined;
  /** Our ids that a line may name. */
  readonly ownIds: readonly string[];
  /** Of a refund or a chargeback. Several of them may share a deposit. */
  readonly depositId?: string | undefined;
  readonly currency: string;
  readonly amount: bigint;
  /** The day of the booking: `2026-01-31`. */
  readonly date: string;
  readonly payee?: string | undefined;
  /** The sum of the lines that were matched with this entry before. Absent: none was. */
  readonly settled?: bigint | undefined;
}

/** How a line found its entry. */
export type MatchedBy = 'reference' | 'own-id' | 'amount-and-date';

export interface Match {
  readonly lineId: string;
  readonly entryKind: EntryKind;
  readonly entryId: string;
  readonly by: MatchedBy;
}

/** A line and the entry that it names. */
export interface Named {
  readonly line: SettlementLine;
  readonly by: MatchedBy;
  /** The entry of our id. Absent: the line names a reference, which several entries may share. */
  readonly entry?: LedgerEntry;
}

/** Minor units of the entry that no line has settled yet; 0 when it was settled in full or beyond. */
export function remainingOf({ amount, settled = 0n }: LedgerEntry): bigint {
  const rest = amount - settled;
  return rest > 0n === amount > 0n ? rest : 0n;
}

/**
 * What is wrong with a line or an entry.
 * - `missing-here`: the line has no entry in the ledger.
 * - `missing-there`: the entry has no line, though its time is over.
 * - `amount`: the lines of the entry have another sum.
 * - `currency`: the line has another currency.
 * - `date`: the day differs by more than the tolerance.
 * - `duplicate`: the entry was settled before.
 */
export const mismatchClasses = ['missing-here', 'missing-there', 'amount', 'currency', 'date', 'duplicate'] as const;
export type MismatchClass = (typeof mismatchClasses)[number];

export interface Mismatch {
  readonly class: MismatchClass;
  /** Absent for `missing-there`. */
  readonly lineId?: string;
  /** Absent for `missing-here`. */
  readonly entryKind?: EntryKind;
  readonly entryId?: string;
  /** Minor units of the entry; 0 when the ledger has none. Without what earlier lines settled. */
  readonly expected: bigint;
  /** Minor units of the lines; 0 when there is none. */
  readonly found: bigint;
}

export interface Matching {
  readonly matches: readonly Match[];
  readonly mismatches: readonly Mismatch[];
}

const DAY_MS = 86_400_000;

/** The number of days between two days such as `2026-01-31`, never negative. */
export function daysBetween(one: string, other: string): number {
  return Math.abs(Date.parse(one) - Date.parse(other)) / DAY_MS;
}

/** The day some days later; earlier for a negative number. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
