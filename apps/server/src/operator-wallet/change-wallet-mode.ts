/** Changes whose balance counts at an operator. Only the command line calls this (docs/adr/0024-whose-balance-counts.md). */
import type { WalletMode } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Database, Transaction } from '../database/database.ts';
import { shownAddress } from '../operators/manage-operators.ts';
import { type Actor, recordSettingChange } from '../operators/setting-history.ts';
import { isKeptByWallets } from './wallet-mode.ts';

/** Money that the present mode still has to bring to its end. */
export interface Obstacle {
  /**
   * `balances`: users have it here. `holds`: withdrawals or refunds have it. `calls`: the wallet has not answered yet. `bonuses`: bonus
   * money here, which only the ledger knows. `debts`: users owe it here, and whoever keeps the balance claims it.
   */
  readonly what: 'balances' | 'holds' | 'calls' | 'bonuses' | 'debts';
  readonly currency: string;
  /** A decimal string. */
  readonly amount: string;
  /** Users, or calls. */
  readonly count: number;
}

export type ChangedMode =
  | { readonly kind: 'changed' | 'same'; readonly before: WalletMode }
  | { readonly kind: 'refused'; readonly before: WalletMode; readonly obstacles: readonly Obstacle[] };

interface Wanted {
  readonly mode: WalletMode;
  /** Undefined: the address stays as it is. */
  readonly url: string | undefined;
  /** True: the new address leads to the wallet of the old one, so calls that wait may go there. */
  readonly isSameWallet?: boolean;
  /** True: debts stay here, for staff, deposits or returned money to pay. */
  readonly keepsDebts?: boolean;
}

/**
 * Changes the mode, unless money is in transit or users have balances, bonus money or debts here. Payments of the operator wait
 * meanwhile, so none is booked between the look and the change.
 * @returns undefined for an unknown operator
 * @throws Error for the mode `operator` without an address
 */
export function changeWalletMode(
  database: Database,
  operatorId: string,
  wanted: Wanted,
  actor: Actor,
): Promise<ChangedMode | undefined> {
  return database.transaction(async (transaction) => {
    await transaction.query({
      text: 'select pg_advisory_xact_lock(4726003, hashtext($1))',
      values: [operatorId],
    });
    const [now] = await transaction.query<{ mode: WalletMode; url: string | null }>({
      text: `select wallet_mode as mode, wallet_url as url from operator where id = $1 for no key update`,
      values: [operatorId],
    });
    if (now === undefined) return undefined;
    const url = wanted.url ?? now.url;
    const isSameMode = now.mode === wanted.mode;
    const found =
      isSameMode && (url === now.url || wanted.isSameWallet) ? [] : await obstaclesOf(transaction, operatorId);
    // Another wallet would execute a call that the old one may have executed. What is booked here is no matter of the address.
    const obstacles = found.filter(({ what }) =>
      isSameMode ? what === 'calls' : what !== 'debts' || !wanted.keepsDebts,
    );
    if (obstacles.length > 0) return { kind: 'refused', before: now.mode, obstacles };
    await transaction.query({
      text: 'update operator set wallet_mode = $2, wallet_url = $3 where id = $1',
      values: [operatorId, wanted.mode, url],
    });
    await recordSettingChange(transaction, {
      operatorId,
      setting: 'operator.wallet',
      ...actor,
      before: { mode: now.mode, url: shownAddress(now.url) },
      after: { mode: wanted.mode, url: shownAddress(url) },
    });
    return { kind: isSameMode && url === now.url ? 'same' : 'changed', before: now.mode };
  });
}

async function obstaclesOf(transaction: Transaction, operatorId: string): Promise<Obstacle[]> {
  interface Row {
    readonly what: Obstacle['what'];
    readonly currency: string;
    readonly amount: bigint;
    readonly count: number;
  }
  const rows = await transaction.query<Row>({
    text: `select what, asset as currency, sum(abs(balance))::bigint as amount, count(distinct owner)::int as count
      from (select asset, balance, owner, case kind when 'user_hold' then 'holds' when 'bonus' then 'bonuses'
          when 'reversal_debt' then 'debts' else 'balances' end as what
        from account where operator_id = $1 and kind in ('user', 'user_additional', 'user_hold', 'bonus', 'reversal_debt')
          and balance <> 0) open
      group by 1, 2
      union all
      select 'calls', asked.currency, sum(asked.amount)::bigint, count(*)::int from operator_wallet_queue queued
        join operator_wallet_call asked on asked.operator_id = queued.operator_id and asked.id = queued.call_id
      where queued.operator_id = $1 group by 2
      order by 1, 2`,
    values: [operatorId],
  });
  return rows
    .filter(({ currency }) => isKeptByWallets(currency))
    .map((row) => ({ ...row, amount: toDecimalString(row.amount, decimalsOf(row.currency)) }));
}
