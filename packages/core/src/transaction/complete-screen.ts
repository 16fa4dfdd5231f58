import type { Transaction } from '@opencashier/contract/api';
import { statusOfCode, type TransactionStatus } from './status.ts';

/** A waiting payment is shown as accepted after this time (the specification, sections 4 and 9). */
export const ACCEPTED_AFTER_MS = 60_000;
/** The same time for an on-ramp. */
export const ACCEPTED_AFTER_ONRAMP_MS = 300_000;

/** The inputs of the complete screen. All times are milliseconds of the same clock. */
export interface CompleteScreenInput {
  readonly direction: 'deposit' | 'withdrawal';
  /** `stored`: crypto and the cashier's own deposits, which show only the server's status. */
  readonly kind: 'usual' | 'onramp' | 'stored';
  /** The `status` parameter of the page's address. Untrusted. */
  readonly queryStatus?: string | null | undefined;
  /** The server's latest report, if there is one. */
  readonly report?: Pick<Transaction, 'status' | 'isOutcomeUnknown' | 'isLate'> | undefined;
  readonly openedAt: number;
  readonly now: number;
}

/** The content of the complete screen. Only `basis: 'server'` is a statement about money. */
export interface CompleteScreen {
  readonly status: TransactionStatus;
  readonly basis: 'server' | 'address' | 'timer' | 'start';
  /** When the screen must be computed again; undefined when it will not change. */
  readonly changesAt: number | undefined;
  /** A mistaked payment offers the way back; every other status closes. */
  readonly action: 'back-to-payment' | 'close' | 'none';
  /** The outcome at the provider is unknown. The screen says so and asks the user not to pay again. */
  readonly isBeingChecked: boolean;
  readonly isLate: boolean;
}

/** The statuses that an address may show. `processed` is missing, because only the server may report it (DEP-15). */
const ADDRESS_STATUSES: ReadonlySet<string> = new Set<TransactionStatus>(['waiting', 'accepted', 'mistaked']);

/** The status from the page's address, or undefined for a status that an address may not show (DEP-15). */
export function statusOfAddress(value: string | null | undefined): Exclude<TransactionStatus, 'processed'> | undefined {
  if (value === null || value === undefined || !ADDRESS_STATUSES.has(value)) return undefined;
  return value as Exclude<TransactionStatus, 'processed'>;
}

/**
 * The display rule of the complete screen (DEP-15, section 4 'Complete screen'), as a pure function.
 * The first source that applies wins:
 * - the server's final status;
 * - the page's address;
 * - the stored status (crypto, own deposits);
 * - the server's or the direction's status, where waiting becomes accepted after a minute (on-ramp: five).
 *
 * While the outcome is unknown, an address cannot show the payment as mistaken, because the user might pay twice.
 */
export function completeScreen(input: CompleteScreenInput): CompleteScreen {
  const server = input.report === undefined ? undefined : statusOfCode(input.report.status);
  const isBeingChecked = input.report?.isOutcomeUnknown === true && server !== 'processed' && server !== 'mistaked';
  const notes = { isBeingChecked, isLate: input.report?.isLate === true };
  if (server === 'processed' || server === 'mistaked') return show(server, 'server', undefined, notes);

  const asked = statusOfAddress(input.queryStatus);
  if (asked !== undefined && !(asked === 'mistaked' && isBeingChecked)) {
    return asked === 'waiting' && input.kind !== 'stored'
      ? showWaiting(input, 'address', notes)
      : show(asked, 'address', undefined, notes);
  }
  if (input.kind === 'stored')
    return show(server ?? startOf(input), server === undefined ? 'start' : 'server', undefined, notes);
  if (server === 'accepted') return show('accepted', 'server', undefined, notes);
  if (server === undefined && input.direction === 'withdrawal') return show('accepted', 'start', undefined, notes);
  return showWaiting(input, server === undefined ? 'start' : 'server', notes);
}

type Notes = Pick<CompleteScreen, 'isBeingChecked' | 'isLate'>;

function startOf({ direction }: CompleteScreenInput): TransactionStatus {
  return direction === 'withdrawal' ? 'accepted' : 'waiting';
}

function showWaiting(input: CompleteScreenInput, basis: CompleteScreen['basis'], notes: Notes): CompleteScreen {
  const flipsAt = input.openedAt + (input.kind === 'onramp' ? ACCEPTED_AFTER_ONRAMP_MS : ACCEPTED_AFTER_MS);
  if (input.now >= flipsAt) return show('accepted', 'timer', undefined, notes);
  return show('waiting', basis, flipsAt, notes);
}

function show(
  status: TransactionStatus,
  basis: CompleteScreen['basis'],
  changesAt: number | undefined,
  notes: Notes,
): CompleteScreen {
  const action = status === 'mistaked' ? 'back-to-payment' : status === 'waiting' ? 'none' : 'close';
  return { status, basis, changesAt, action, ...notes };
}
