/** What every reader of settlement files gives, and how it refuses a file. */
import type { LineKind } from '@opencashier/core/reconciliation/line';
import { DomainError } from '../errors/domain-error.ts';

/** One line of a file, without an id. Amounts are signed minor units, as in core. */
export interface ReadLine {
  /** The number of the line in the file, from 1. */
  readonly n: number;
  readonly kind: LineKind;
  readonly references: readonly string[];
  readonly ownId?: string | undefined;
  readonly currency: string;
  readonly amount: bigint;
  readonly fee: bigint;
  /** `2026-01-31`. */
  readonly date: string;
  readonly payee?: string | undefined;
  readonly batch?: string | undefined;
}

/** The bytes of a file, from its beginning. It is read twice: once to check it, and once to write its lines. */
export type OpenFile = () => AsyncIterable<Uint8Array>;

/** Takes the day up to which a statement is complete, by its closing balance, and the line of the balance: `2026-01-31`. */
export type OnClosed = (day: string, n: number) => void;

/** Where a fault is. Lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column?: number | undefined;
  /** The heading of the column, or the element. */
  readonly name?: string | undefined;
}

/** Refuses a file, and names the place. */
export function fileFault({ line, column, name }: Place, message: string): DomainError {
  const path = [
    `line ${line}`,
    ...(column === undefined ? [] : [`column ${column}`]),
    ...(name === undefined ? [] : [name]),
  ];
  return new DomainError('invalid-request', 'The file was refused. Nothing was imported.', {
    fields: [{ path: path.join(', ').slice(0, 100), message }],
  });
}

/** Longer texts are cut: no reference, name or id of a provider is longer. */
const LONGEST_TEXT = 128;

/** Control characters, and halves of characters, which no database keeps. */
const UNSTORABLE = /[\p{Cc}\p{Surrogate}]/gu;

/** A text of a file that the database can keep; undefined when it is empty. */
export function keptText(text: string | undefined): string | undefined {
  const kept = text?.replaceAll(UNSTORABLE, '').trim().slice(0, LONGEST_TEXT).trim();
  return kept === undefined || kept === '' ? undefined : kept;
}

/** Larger amounts do not fit into the ledger. */
const LARGEST_AMOUNT = 10n ** 17n;

/** @throws DomainError that names the place */
export function boundedAmount(minor: bigint, place: Place): bigint {
  if (minor < LARGEST_AMOUNT && minor > -LARGEST_AMOUNT) return minor;
  throw fileFault(place, 'The amount is too large.');
}

/** @returns `2026-01-31`; undefined for a day that no calendar has */
export function dayOf(year: string, month: string, day: string): string | undefined {
  const text = `${year}-${month}-${day}`;
  const read = new Date(`${text}T00:00:00Z`);
  const isKnown = !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text);
  return isKnown && year >= '1990' && year < '2200' ? text : undefined;
}
