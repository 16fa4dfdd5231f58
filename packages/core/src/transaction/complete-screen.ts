import type { Transaction } from '@opencashier/contract/api';
import { statusOfCode, type TransactionStatus } from './status.ts';

/** A waiting payment is shown as accepted after this long (the specification, sections 4 and 9). */
export const ACCEPTED_AFTER_MS = 60_000;
export const ACCEPTED_AFTER_ONRAMP_MS = 300_000;

/** Everything the complete screen's display depends on. Instants in milliseconds by one and the same clock. */
export interface CompleteScreenInput {
  readonly direction: 'deposit' | 'withdrawal';
  /** `stored`: crypto and the cashier's own deposits, which follow the server alone. */
  readonly kind: 'usual' | 'onramp' | 'stored';
  /** The `status` of the address, untrusted. */
  readonly queryStatus?: string | null | undefined;
  /** The server's latest word, if there is one. */
  readonly report?: Pick<Transaction, 'status' | 'isOutcomeUnknown' | 'isLate'> | undefined;
  readonly openedAt: number;
  readonly now: number;
}

/** What the screen shows. Only `basis: 'server'` says anything about money. */
export interface CompleteScreen {
  readonly status: TransactionStatus;
  readonly basis: 'server' | 'address' | 'timer' | 'start';
  /** When to look again because the display will change by itself; undefined when it will not. */
  readonly changesAt: number | undefined;
  /** Mistaked offers the way back to the payment; the others close. */
  readonly action: 'back-to-payment' | 'close' | 'none';
  /** The provider's answer is not known: say that it is being checked, and not to pay again. */
  readonly isBeingChecked: boolean;
  readonly isLate: boolean;
}

/** What an address may ask to be shown: never `processed`, which is the server's word alone (DEP-15). */
const ADDRESS_STATUSES: ReadonlySet<string> = new Set<TransactionStatus>(['waiting', 'accepted', 'mistaked']);

/** The display that an address asks for, or undefined when it asks for nothing it may have (DEP-15). */
export function statusOfAddress(value: string | null | undefined): Exclude<TransactionStatus, 'processed'> | undefined {
  if (value === null || value === undefined || !ADDRESS_STATUSES.has(value)) return undefined;
  return value as Exclude<TransactionStatus, 'processed'>;
}

/**
 * The complete screen's display rule (DEP-15, section 4 'Complete screen'), as a pure function of the server's word, the
 * address and the time. In this order: the server's final word; the address; the stored status (crypto, own deposits);
 * else what the server or the direction says, where waiting becomes accepted after a minute (on-ramp five).
 * While the outcome is unknown an address cannot declare the payment mistaken, lest the user pays twice.
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
