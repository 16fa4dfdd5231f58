/** Counts the wrong confirmation codes of a user per day, over all withdrawals (WD-2). */
import type { Queryable, Transaction } from '../database/database.ts';

/** The limit per day. Guessing one of a million codes fails, however many withdrawals the user opens. */
export const WRONG_CODES_A_DAY = 15;

interface User {
  readonly operatorId: string;
  readonly userId: string;
}

const recent = `array(select at from unnest(wrong_code.tried_at) as at where at > now() - interval '1 day')`;

/** The number of a user's wrong codes in the last 24 hours. Takes no lock, so another node may be adding one. */
export async function wrongCodesToday(queryable: Queryable, { operatorId, userId }: User): Promise<number> {
  const [row] = await queryable.query<{ count: number }>({
    name: 'wrong-codes',
    text: `select cardinality(${recent}) as count from wrong_code where operator_id = $1 and user_id = $2`,
    values: [operatorId, userId],
  });
  return row?.count ?? 0;
}

/** Like {@link wrongCodesToday}, but locks the user's count until the end of the transaction. */
export async function lockWrongCodes(transaction: Transaction, { operatorId, userId }: User): Promise<number> {
  const [row] = await transaction.query<{ count: number }>({
    name: 'wrong-codes-lock',
    text: `insert into wrong_code (operator_id, user_id) values ($1, $2)
      on conflict (operator_id, user_id) do update set tried_at = ${recent} returning cardinality(tried_at) as count`,
    values: [operatorId, userId],
  });
  if (row === undefined) throw new Error('The wrong codes of a user were not counted');
  return row.count;
}

/** Counts one more wrong code. The caller holds the lock of {@link lockWrongCodes}. */
export async function countWrongCode(transaction: Transaction, { operatorId, userId }: User): Promise<void> {
  await transaction.query({
    name: 'wrong-codes-count',
    text: `update wrong_code set tried_at = array_append(tried_at, now()) where operator_id = $1 and user_id = $2`,
    values: [operatorId, userId],
  });
}
