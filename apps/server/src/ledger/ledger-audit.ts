/** The audit of the ledger: a proof that no money was created or lost. */
import type { Database, Queryable, Transaction } from '../database/database.ts';
import { findChangedArchives } from './archived-months.ts';
import { findChangedSettlements } from './archived-settlements.ts';
import { findChangedPoints, findChangedSums, hasAuditPoints } from './audit-points.ts';
import { AFTER_POINT, type AuditScope, CHECKED, sincePoints, wholeLedger } from './audit-scope.ts';
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

/** How many faults of all kinds an audit found. */
export function countFaults({ unbalancedAssets, wrongBalances, uncreditedDeposits, faults }: LedgerAudit): number {
  return unbalancedAssets.length + wrongBalances.length + uncreditedDeposits.length + faults.length;
}

/** The tables of money whose months leave the database, in the order in which the application writes to them. */
const WITH_MONTHS = 'journal, posting, settlement_line, settlement_match';

/**
 * A transaction for an audit: one snapshot, so that all sums agree. No time limit, because the audit of a big ledger takes longer than
 * other queries may. It locks the tables before its first query, which takes the snapshot. Else a month that leaves afterwards would be gone
 * from its table, and its sums would not be there yet.
 */
export function inAuditSnapshot<Result>(
  database: Database,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (transaction) => {
    await transaction.query({ text: 'set transaction isolation level repeatable read' });
    await transaction.query({ text: 'set local statement_timeout = 0' });
    await transaction.query({ text: `lock table ${WITH_MONTHS} in access share mode` });
    return work(transaction);
  });
}

/**
 * Audits the whole ledger, and compares its checked points and its archived months (SRV-2). It reads every posting: use it in tests, in boot checks of small
 * ledgers and each week.
 */
export async function auditLedger(queryable: Queryable): Promise<LedgerAudit> {
  await switchJitOff(queryable);
  const audit = await auditWithin(queryable, wholeLedger);
  const changed = [
    ...(await findChangedPoints(queryable)),
    ...(await findChangedSums(queryable)),
    ...(await findChangedArchives(queryable)),
    ...(await findChangedSettlements(queryable)),
  ];
  return { ...audit, isSound: audit.isSound && changed.length === 0, faults: [...audit.faults, ...changed] };
}

/**
 * Audits what came or changed since the checked points, the balances of all accounts, and all triggers. Use it each night. Without
 * points it audits the whole ledger.
 */
export async function auditSincePoints(queryable: Queryable): Promise<LedgerAudit> {
  await switchJitOff(queryable);
  return (await hasAuditPoints(queryable)) ? auditWithin(queryable, sincePoints) : auditLedger(queryable);
}

/**
 * PostgreSQL would compile the expressions of each partition in each statement, although every partition has few rows: a fifth of the
 * time of an audit of 29 months. Holds until the end of the transaction, and does nothing outside of one.
 */
async function switchJitOff(queryable: Queryable): Promise<void> {
  await queryable.query({ text: `select set_config('jit', 'off', true)` });
}

async function auditWithin(queryable: Queryable, scope: AuditScope): Promise<LedgerAudit> {
  const { rows, deposit, journal } = scope;
  const unbalancedAssets = await queryable.query<LedgerAudit['unbalancedAssets'][number]>({
    text: `${rows} select journal.operator_id as "operatorId", posting.asset, sum(posting.amount)::text as sum
      from posting join journal on journal.operator_id = posting.operator_id and journal.id = posting.journal_id where ${journal('journal.id', 'journal.operator_id')}
      group by 1, 2 having sum(posting.amount) <> 0`,
  });
  const wrongBalances = await queryable.query<LedgerAudit['wrongBalances'][number]>({
    text: scope.isFull ? BALANCES : BALANCES_SINCE_POINTS,
  });
  const uncredited = await queryable.query<{ id: string }>({
    text: `${rows} select deposit.id from deposit
      left join journal on journal.operator_id = deposit.operator_id and journal.deposit_id = deposit.id
        and journal.kind = 'deposit_credit'
      left join posting on posting.operator_id = journal.operator_id and posting.journal_id = journal.id
      left join account on account.operator_id = posting.operator_id and account.id = posting.account_id and account.asset = deposit.currency
        and account.kind in ('user', 'coin_sales')
      where ${deposit('deposit.id', 'deposit.operator_id')}
      group by deposit.operator_id, deposit.id, deposit.credited
      having ((deposit.credited is not null) <> (count(journal.id) > 0)
          or coalesce(deposit.credited, 0) <> coalesce(sum(posting.amount) filter (where account.id is not null), 0))
        -- The credit of an archived month has only its key. Its payment has the amount.
        and not (deposit.credited is not null and count(journal.id) = 0 and exists (select 1 from journal_key key
          where key.operator_id = deposit.operator_id and key.ref = deposit.id::text and key.source = 'deposit' and key.kind = 'one_credit'
            and key.journal_id < (select archived_before())))`,
  });
  const faults = await findLedgerFaults(queryable, scope);
  return {
    isSound: unbalancedAssets.length + wrongBalances.length + uncredited.length + faults.length === 0,
    unbalancedAssets,
    wrongBalances,
    uncreditedDeposits: uncredited.map((row) => row.id),
    faults,
  };
}

const BALANCES = `with archived as (select operator_id, account_id, sum(sum) as sum from archived_balance group by operator_id, account_id),
  counted as (select account.operator_id, account.id, account.balance, coalesce(sum(posting.amount), 0) as sum
    from account left join posting on posting.operator_id = account.operator_id and posting.account_id = account.id
    where account.balance is not null group by account.operator_id, account.id)
  select counted.id as "accountId", balance, (counted.sum + coalesce(archived.sum, 0))::text as sum
  from counted left join archived on archived.operator_id = counted.operator_id and archived.account_id = counted.id
  where balance <> counted.sum + coalesce(archived.sum, 0)`;

/** The stored sum at the point and the postings since must give the balance. So a changed balance of any account shows. */
const BALANCES_SINCE_POINTS = `with ${CHECKED},
  moved as (select posting.operator_id, posting.account_id, sum(posting.amount) as sum from checked
    join journal on journal.operator_id = checked.operator_id and ${AFTER_POINT}
      and journal.at >= checked.until
    join posting on posting.operator_id = journal.operator_id and posting.journal_id = journal.id
    group by posting.operator_id, posting.account_id),
  counted as (select account.id, account.balance, coalesce(moved.sum, 0) + coalesce((select stored.sum from audit_sum stored
      where stored.operator_id = account.operator_id and stored.account_id = account.id and stored.until <= checked.until order by stored.until desc limit 1), 0) as sum
    from account join checked using (operator_id) left join moved on moved.operator_id = account.operator_id and moved.account_id = account.id
    where account.balance is not null)
  select id as "accountId", balance, sum::text from counted where balance <> sum`;
