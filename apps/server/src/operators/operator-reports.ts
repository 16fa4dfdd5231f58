/** What an operator's backend may read about its own users. Reading only: nothing here moves money. */
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../database/database.ts';
import type { Balance, TransactionPage } from './operator-schemas.ts';

/** The balances of a user that are not zero, by currency: the money that may leave, or the bonus money. */
export async function balancesOf(
  database: Queryable,
  operatorId: string,
  userId: string,
  kind: 'user' | 'bonus' = 'user',
): Promise<Balance[]> {
  const rows = await database.query<{ asset: string; balance: bigint }>({
    name: 'operator_user_balances',
    text: `select asset, balance from account
      where operator_id = $1 and owner = $2 and kind = $3 and balance <> 0 order by asset`,
    values: [operatorId, userId, kind],
  });
  return rows.map(({ asset, balance }) => ({ currency: asset, amount: toDecimalString(balance, decimalsOf(asset)) }));
}

interface DepositRow {
  id: string;
  user_id: string;
  payment_method: string;
  state: string;
  amount: bigint;
  credited: bigint | null;
  currency: string;
  created_at: Date;
  updated_at: Date;
  /** With the microseconds that a Date has not: a page must not lose what happened within one millisecond. */
  created_text: string;
}

/**
 * Deposits of an operator, newest first.
 * @param cursor of an earlier page; `undefined` begins at the newest
 */
export async function transactionPage(
  database: Queryable,
  operatorId: string,
  limit: number,
  cursor: { created: string; id: string } | undefined,
): Promise<TransactionPage> {
  const rows = await database.query<DepositRow>({
    name: 'operator_transactions',
    text: `select id, user_id, payment_method, state, amount, credited, currency, created_at, updated_at,
        created_at::text as created_text
      from deposit
      where operator_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2::timestamptz, $3::uuid))
      order by created_at desc, id desc limit $4`,
    values: [operatorId, cursor?.created ?? null, cursor?.id ?? null, limit + 1],
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    transactions: page.map((row) => ({
      depositId: row.id,
      userId: row.user_id,
      paymentMethod: row.payment_method,
      state: row.state,
      amount: toDecimalString(row.amount, decimalsOf(row.currency)),
      currency: row.currency,
      ...(row.credited !== null && { creditedAmount: toDecimalString(row.credited, decimalsOf(row.currency)) }),
      created: row.created_at.toISOString(),
      updated: row.updated_at.toISOString(),
    })),
    ...(last && rows.length > limit && { nextCursor: formatCursor({ created: last.created_text, id: last.id }) }),
  };
}

function formatCursor(cursor: { created: string; id: string }): string {
  return Buffer.from(JSON.stringify([cursor.created, cursor.id])).toString('base64url');
}

const createdForm = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d{1,6})?[+-]\d{2}(?::\d{2})?$/;
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads a cursor that {@link transactionPage} gave; `undefined` for any other text. */
export function parseCursor(text: string): { created: string; id: string } | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parts)) return undefined;
    const [created, id] = parts as unknown[];
    if (typeof created !== 'string' || typeof id !== 'string') return undefined;
    return createdForm.test(created) && idForm.test(id) ? { created, id } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
