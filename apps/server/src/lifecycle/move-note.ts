/** One line of the log for each move of a payment (SRV-9): ids and states, never a person or an amount. */
import type { Queryable } from '../database/database.ts';

export interface PaymentMove {
  readonly type: 'deposit' | 'withdrawal';
  readonly row: {
    readonly id: string;
    readonly operatorId: string;
    readonly provider: string;
    readonly providerRef: string | null;
    readonly state: string;
  };
  /** Absent: it has just been made. */
  readonly from?: string;
  /** As in its history. */
  readonly cause: string;
}

/** @param queryable writes the line when its transaction is committed */
export function noteMove(queryable: Queryable, { type, row, from, cause }: PaymentMove): void {
  const { id, operatorId: operator, provider, providerRef, state } = row;
  const fields = { payment: id, type, operator, provider, from, to: state, cause };
  queryable.note?.({ ...fields, ...(providerRef !== null && { reference: providerRef }) }, 'payment moved');
}
