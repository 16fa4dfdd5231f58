/** The balances of a user in the ledger, as an operator's backend reads them. */
import type { Balance, balancesResponseSchema } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type * as v from 'valibot';
import type { Queryable } from '../../database/database.ts';

/** The balances of a user that are not zero, by currency. By default those of the main account. */
export async function balancesOf(
  database: Queryable,
  operatorId: string,
  userId: string,
  kind: 'user' | 'user_additional' | 'user_hold' | 'bonus' | 'reversal_debt' = 'user',
): Promise<Balance[]> {
  const rows = await database.query<{ asset: string; balance: bigint }>({
    name: 'operator_user_balances',
    text: `select asset, balance from account
      where operator_id = $1 and owner = $2 and kind = $3 and balance <> 0 order by asset`,
    values: [operatorId, userId, kind],
  });
  return rows.map(({ asset, balance }) => ({ currency: asset, amount: toDecimalString(balance, decimalsOf(asset)) }));
}

/** The balances of a user on every account that holds money of the user. */
export async function allBalancesOf(
  database: Queryable,
  operatorId: string,
  userId: string,
): Promise<v.InferOutput<typeof balancesResponseSchema>> {
  const [balances, additional, held] = await Promise.all([
    balancesOf(database, operatorId, userId),
    balancesOf(database, operatorId, userId, 'user_additional'),
    balancesOf(database, operatorId, userId, 'user_hold'),
  ]);
  return { userId, balances, additional, held };
}
