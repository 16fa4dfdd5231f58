/**
 * Writes one log line for each move of a deposit or withdrawal (SRV-9). The line has ids and states, never personal
 * data or an amount.
 */
import type { Queryable } from '../database/database.ts';

/** A move of a deposit or withdrawal. */
export interface PaymentMove {
  readonly type: 'deposit' | 'withdrawal';
  readonly row: {
    readonly id: string;
    readonly operatorId: string;
    readonly provider: string;
    readonly providerRef: string | null;
    readonly state: string;
  };
  /** The state before; absent: the row was just created. */
  readonly from?: string;
  /** The cause as in the history, such as `provider` or `expiry`. */
  readonly cause: string;
}

/**
 * Logs a move.
 * @param queryable writes the line when its transaction is committed
 */
export function logMove(queryable: Queryable, { type, row, from, cause }: PaymentMove): void {
  const { id, operatorId: operator, provider, providerRef, state } = row;
  const fields = { payment: id, type, operator, provider, from, to: state, cause };
  queryable.note?.({ ...fields, ...(providerRef !== null && { reference: providerRef }) }, 'payment moved');
}
