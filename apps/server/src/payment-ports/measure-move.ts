/** Counts each move of a deposit or withdrawal for the metrics (SRV-9). */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../database/database.ts';
import { measure } from '../observability/measure.ts';
import { depositEnds, withdrawalEnds } from '../observability/money-metrics.ts';

/** The parts of a row that are counted. Absent parts belong to other moves. */
export interface MeasuredRow {
  readonly provider: string;
  readonly paymentMethod: string;
  readonly state: string;
  readonly createdAt?: Date;
  readonly serverTime?: Date;
  readonly reason?: string | null;
  readonly declineCause?: string | null;
  readonly currency?: string;
  /** Minor units. */
  readonly credited?: bigint | null;
}

/** @param isNew the row was just created */
export function measureDeposit(queryable: Queryable, row: MeasuredRow, isNew: boolean): void {
  const { provider, state } = row;
  const labels = { provider, method: row.paymentMethod };
  if (isNew) measure(queryable, 'depositsCreated', labels);
  else if (state === 'submitted_unknown') measure(queryable, 'depositsUnknown', { provider });
  else if (state === 'credited') measureCredit(queryable, row);
  else if (DEPOSIT_ENDS.has(state)) measure(queryable, 'depositsEnded', { ...labels, end: state });
  if (state === 'declined') measure(queryable, 'depositsDeclined', { ...labels, reason: wordOf(row.reason) });
}

function measureCredit(queryable: Queryable, row: MeasuredRow): void {
  const { provider, currency, credited } = row;
  measure(queryable, 'depositsCredited', { provider, method: row.paymentMethod });
  measure(queryable, 'creditSeconds', { provider }, ageS(row));
  if (currency === undefined || typeof credited !== 'bigint') return;
  measure(queryable, 'creditedAmount', { provider, currency }, forDisplay(credited, currency));
}

/** @param isNew the row was just created */
export function measureWithdrawal(queryable: Queryable, row: MeasuredRow, isNew: boolean): void {
  const { provider, state } = row;
  const labels = { provider, method: row.paymentMethod };
  if (isNew) measure(queryable, 'withdrawalsCreated', labels);
  else if (WITHDRAWAL_ENDS.has(state)) measure(queryable, 'withdrawalsEnded', { ...labels, end: state });
  if (state === 'paid') measure(queryable, 'withdrawalSeconds', { provider }, ageS(row));
  if (state !== 'declined') return;
  measure(queryable, 'withdrawalsDeclined', { ...labels, reason: row.declineCause ?? wordOf(row.reason) });
}

/** An amount of minor units as a floating number, for graphs only. */
export function forDisplay(minor: bigint, currency: string): number {
  return Number(toDecimalString(minor, decimalsOf(currency)));
}

const DEPOSIT_ENDS: ReadonlySet<string> = new Set(depositEnds);
const WITHDRAWAL_ENDS: ReadonlySet<string> = new Set(withdrawalEnds);

/** Seconds since the creation; NaN if the row does not say, which is not counted. */
function ageS({ createdAt, serverTime }: MeasuredRow): number {
  if (createdAt === undefined || serverTime === undefined) return Number.NaN;
  return (serverTime.getTime() - createdAt.getTime()) / 1000;
}

/** The last word of a reason such as `transaction.reason.declined.card-expired`. */
function wordOf(reason: string | null | undefined): string {
  return reason?.split('.').at(-1) ?? 'other';
}
