/**
 * Staff search withdrawals by their destination, although destinations are not stored (SRV-1). The database has a
 * keyed hash of each number or address.
 */
import type { AskedPart } from '@opencashier/core/withdrawal/destination';
import { searchableDestination } from '@opencashier/core/withdrawal/searchable-destination';
import type { Transaction } from '../database/database.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import type { WithdrawalRow } from './withdrawal-row.ts';

const PURPOSE = 'withdrawal destination';

/** The hashes to search for; empty when the text is too short for a destination. */
export function destinationMarks(keys: DataKeys, typed: string): Buffer[] {
  const value = searchableDestination(typed);
  return value === undefined ? [] : keys.marks(value, PURPOSE);
}

/** Stores the hashes of a new withdrawal's destination. Values chosen from a list, such as a bank, are left out. */
export async function storeDestinationMarks(
  transaction: Transaction,
  keys: DataKeys,
  { id, operatorId }: WithdrawalRow,
  asked: readonly AskedPart[],
): Promise<void> {
  const typed = asked.filter(({ isChoice }) => isChoice !== true);
  const values = new Set(typed.flatMap(({ value }) => searchableDestination(value) ?? []));
  if (values.size === 0) return;
  await transaction.query({
    name: 'withdrawal-destination-marks',
    text: `insert into withdrawal_destination (operator_id, mark, withdrawal_id) select $1, unnest($2::bytea[]), $3`,
    values: [operatorId, [...values].map((value) => keys.marks(value, PURPOSE)[0]), id],
  });
}
