/**
 * Writes one log line for each move of a deposit or withdrawal (SRV-9), and counts the move. The line has ids and states, never
 * personal data or an amount.
 */
import type { Queryable } from '../database/database.ts';
import { type MeasuredRow, measureDeposit, measureWithdrawal } from './measure-move.ts';

/** A move of a deposit or withdrawal. */
export interface PaymentMove {
  readonly type: 'deposit' | 'withdrawal';
  readonly row: MeasuredRow & {
    readonly id: string;
    readonly operatorId: string;
    readonly providerRef: string | null;
  };
  /** The state before; absent: the row was just created. */
  readonly from?: string;
  /** The cause as in the history, such as `provider` or `expiry`. */
  readonly cause: string;
}

/**
 * Logs and counts a move.
 * @param queryable writes the line and counts the move when its transaction is committed
 */
export function logMove(queryable: Queryable, { type, row, from, cause }: PaymentMove): void {
  const count = type === 'deposit' ? measureDeposit : measureWithdrawal;
  count(queryable, row, from === undefined);
  const { id, operatorId: operator, provider, providerRef, state } = row;
  const fields = { payment: id, type, operator, provider, from, to: state, cause };
  queryable.note?.({ ...fields, ...(providerRef !== null && { reference: providerRef }) }, 'payment moved');
}
