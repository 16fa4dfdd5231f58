/** The audit of the ledger: a proof that no money was created or lost. */
import type { Queryable } from '../database/database.ts';
import { findLedgerFaults, type LedgerFault } from './ledger-faults.ts';

/** The result of an audit. */
export interface LedgerAudit {
  /** True when every sum is correct and every rule holds. */
  readonly isSound: boolean;
  /** Assets of an operator whose postings do not sum to zero. */
  readonly unbalancedAssets: readonly { readonly operatorId: string; readonly asset: string; readonly sum: string }[];
  /** Accounts whose stored balance differs from the sum of their postings. */
  readonly wrongBalances: readonly { readonly accountId: bigint; readonly balance: bigint; readonly sum: string }[];
  /** Deposits marked as credited without exactly one crediting journal. */
  readonly uncreditedDeposits: readonly string[];
  /** Journals, payments, histories and triggers that break a rule. */
  readonly faults: readonly LedgerFault[];
}

/**
 * Sums the whole ledger (SRV-2). It reads every posting: use it in tests, in boot checks of small
 * ledgers and in a nightly run.
 */
export async function auditLedger(queryable: Queryable): Promise<LedgerAudit> {
  const unbalancedAssets = await queryable.query<LedgerAudit['unbalancedAssets'][number]>({
    text: `select journal.operator_id as "operatorId", posting.asset, sum(posting.amount)::text as sum
      from posting join journal on journal.id = posting.journal_id
      group by 1, 2 having sum(posting.amount) <> 0`,
  });
  const wrongBalances = await queryable.query<LedgerAudit['wrongBalances'][number]>({
    text: `select account.id as "accountId", account.balance, coalesce(sum(posting.amount), 0)::text as sum
      from account left join posting on posting.account_id = account.id
      where account.balance is not null
      group by account.id having account.balance <> coalesce(sum(posting.amount), 0)`,
  });
  const uncredited = await queryable.query<{ id: string }>({
    text: `select deposit.id from deposit
      left join journal on journal.deposit_id = deposit.id and journal.kind = 'deposit_credit'
      left join posting on posting.journal_id = journal.id
      left join account on account.id = posting.account_id and account.asset = deposit.currency
        and account.kind in ('user', 'coin_sales')
      group by deposit.id
      having (deposit.credited is not null) <> (count(journal.id) > 0)
        or coalesce(deposit.credited, 0) <> coalesce(sum(posting.amount) filter (where account.id is not null), 0)`,
  });
  const faults = await findLedgerFaults(queryable);
  return {
    isSound: unbalancedAssets.length + wrongBalances.length + uncredited.length + faults.length === 0,
    unbalancedAssets,
    wrongBalances,
    uncreditedDeposits: uncredited.map((row) => row.id),
    faults,
  };
}
