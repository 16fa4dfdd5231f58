/** One user as staff see it: money, open payments, limits, block and notes (SRV-1). */
import type { UserView } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../../database/database.ts';
import { userControlsOf, userNotesOf } from '../../operators/user-controls.ts';
import { openTransactionsOf } from '../lookup/transaction-page.ts';
import { allBalancesOf } from './user-balances.ts';

const mostOpen = 20;
const mostNotes = 50;

interface AccountRow {
  readonly asset: string;
  readonly debt: bigint;
  readonly isFrozen: boolean;
}

/** A user without payments and settings has empty lists: the cashier does not know which users the operator has. */
export async function userViewOf(queryable: Queryable, operatorId: string, userId: string): Promise<UserView> {
  const [balances, accounts, { limits, block }, openPayments, notes] = await Promise.all([
    allBalancesOf(queryable, operatorId, userId),
    accountsOf(queryable, operatorId, userId),
    userControlsOf(queryable, operatorId, userId),
    openTransactionsOf(queryable, operatorId, userId, mostOpen),
    userNotesOf(queryable, operatorId, userId, mostNotes),
  ]);
  return {
    ...balances,
    debts: accounts
      .filter(({ debt }) => debt > 0n)
      .map(({ asset, debt }) => ({ currency: asset, amount: toDecimalString(debt, decimalsOf(asset)) })),
    frozen: accounts.filter(({ isFrozen }) => isFrozen).map(({ asset }) => asset),
    limits: [...limits],
    ...(block && { block: { ...block, since: block.since.toISOString() } }),
    openPayments,
    notes: notes.map(({ note, by, keyId, at }) => ({
      note,
      by,
      ...(keyId !== null && { keyId }),
      at: at.toISOString(),
    })),
  };
}

/** Currencies in which the user has a debt or a frozen account. */
function accountsOf(queryable: Queryable, operatorId: string, userId: string): Promise<AccountRow[]> {
  return queryable.query({
    name: 'user-debts',
    text: `select asset, coalesce(sum(-balance) filter (where kind = 'reversal_debt'), 0)::bigint as debt,
        coalesce(bool_or(frozen_at is not null), false) as "isFrozen"
      from account where operator_id = $1 and owner = $2 and kind in ('user', 'reversal_debt')
      group by asset order by asset`,
    values: [operatorId, userId],
  });
}
