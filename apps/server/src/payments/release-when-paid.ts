/**
 * Releases a frozen account when its debt is paid, if the operator enabled this (SRV-1). Otherwise staff release it.
 */
import { ruleNamePrefix } from '@opencashier/contract/operator';
import type { Transaction } from '../database/database.ts';
import { unfreezeUser } from '../ledger/ledger.ts';

/** The name in the history when no member of staff settled the debt. */
const BY_RULE = `${ruleNamePrefix}debt-settings`;

/**
 * Releases the account if no debt is left. Call after every payment of a debt, under the lock of the user's account.
 * New debts need the same lock.
 * @param decidedBy the member of staff who settled the debt; absent: a deposit or a returned payment paid it
 */
export async function releaseWhenPaid(
  transaction: Transaction,
  operatorId: string,
  userId: string,
  asset: string,
  decidedBy = BY_RULE,
): Promise<void> {
  const released = await transaction.query({
    name: 'account-release-when-paid',
    text: `insert into account_release (operator_id, decision_id, account_id, frozen_since, debt, decided_by, reason)
      select operator.id, gen_random_uuid(), account.id, account.frozen_at, 0, $4, 'nothing is owed any more'
      from operator join account on account.operator_id = operator.id
      where operator.id = $1 and operator.accounts_released_when_paid and account.owner = $2 and account.asset = $3
        and account.kind = 'user' and account.frozen_at is not null
        and not exists (select 1 from account debt where debt.operator_id = $1 and debt.owner = $2 and debt.asset = $3
          and debt.kind = 'reversal_debt' and debt.balance < 0)
      returning 1`,
    values: [operatorId, userId, asset, decidedBy],
  });
  if (released.length > 0) await unfreezeUser(transaction, operatorId, userId, asset);
}
