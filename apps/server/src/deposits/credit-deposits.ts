/**
 * Statements that credit many deposits of one operator. Each deposit is read without a lock, with the version of its row.
 * The transaction that credits it then locks the rows and compares the versions.
 */
import { depositRank } from '@opencashier/core/deposit/deposit-lifecycle';
import type { Queryable, Transaction } from '../database/database.ts';
import type { DepositReport } from '../providers/provider.ts';
import { type DepositRow, depositColumns, idAtProvider, readDeposit } from './deposit-row.ts';
import { namedDeposits } from './reported-deposits.ts';

/** A deposit that no transaction holds. */
export interface FoundDeposit {
  readonly row: DepositRow;
  /** Changes with every change of the row. */
  readonly version: string;
  /** True: the deposit pays a debt of its user first. */
  readonly paysDebt: boolean;
  /** True: the ledger keeps the balance, so the money stays with the user here. */
  readonly isKeptHere: boolean;
}

/** True when the operator wants debts to be paid by deposits, and the user of the row `deposit` owes money in its currency. */
const paysDebt = `exists (select 1 from operator join account on account.operator_id = operator.id
  where operator.id = deposit.operator_id and operator.debts_paid_by_deposits and account.owner = deposit.user_id
    and account.asset = deposit.currency and account.kind = 'reversal_debt' and account.balance < 0)`;

/**
 * Finds the deposit of each report, by our id or by the provider's reference, without locks.
 * @param reports of one provider
 * @returns for each report its deposit; undefined: there is none, or the report names two
 */
export async function findDeposits(
  queryable: Queryable,
  reports: readonly DepositReport[],
): Promise<(FoundDeposit | undefined)[]> {
  type Found = DepositRow & { readonly n: number } & Pick<FoundDeposit, 'version' | 'paysDebt' | 'isKeptHere'>;
  const found = await queryable.query<Found>({
    name: 'deposits-of-reports',
    // Subqueries for each report are planned with the indexes, also while the table is small.
    text: `select report.n::int, deposit.*
      from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) with ordinality as report(id, provider, ref, connection, n)
      cross join lateral (
        ${namedDeposits('report.id', 'report.provider', 'report.ref', 'report.connection')}
      ) named
      cross join lateral (
        select ${depositColumns}, deposit.xmin::text as version, ${paysDebt} as "paysDebt",
          (select wallet_mode = 'cashier' from operator where id = deposit.operator_id) as "isKeptHere" from deposit
        where deposit.operator_id = named.operator_id and deposit.id = named.id offset 0
      ) deposit`,
    values: [
      reports.map(({ depositId }) => depositId ?? null),
      reports.map(({ provider }) => provider),
      reports.map(({ providerRef }) => providerRef),
      reports.map(({ connectionId }) => connectionId ?? null),
    ],
  });
  const rows = new Map<number, Found | 'several'>();
  for (const row of found) rows.set(row.n, rows.has(row.n) ? 'several' : row);
  return reports.map(({ depositId }, index) => {
    const only = rows.get(index + 1);
    if (only === undefined || only === 'several') return undefined;
    if (depositId !== undefined && depositId !== idAtProvider(only)) return undefined;
    const { n: _n, version, paysDebt: isDebtPaid, isKeptHere, ...row } = only;
    return { row: readDeposit(row), version, paysDebt: isDebtPaid, isKeptHere };
  });
}

/** Deposits under a lock: the versions of their rows, and the time of the transaction. */
export interface LockedDeposits {
  readonly versions: ReadonlyMap<string, string>;
  readonly serverTime: Date;
}

/** Locks deposits of one operator until the end of the transaction, in the order of their ids. */
export async function lockDeposits(
  transaction: Transaction,
  operatorId: string,
  ids: readonly string[],
): Promise<LockedDeposits> {
  const locked = await transaction.query<{ id: string; version: string; serverTime: Date }>({
    name: 'deposits-lock',
    text: `select deposit.id, deposit.version, now() as "serverTime" from unnest($2::uuid[]) as wanted(id)
      cross join lateral (select id, xmin::text as version from deposit
        where deposit.operator_id = $1 and deposit.id = wanted.id for update) deposit`,
    values: [operatorId, [...ids].sort()],
  });
  const [first] = locked;
  if (first === undefined) throw new Error('Deposits no longer exist');
  return { versions: new Map(locked.map(({ id, version }) => [id, version])), serverTime: first.serverTime };
}

/** A credit of a deposit: the amount in minor units, and the provider's reference of the payment. */
export interface DepositCredit {
  readonly row: DepositRow;
  readonly amount: bigint;
  readonly ref: string;
}

/**
 * Moves locked deposits of one operator to `credited`, as `moveDeposit` moves one.
 * @returns the ids of those that should have paid a debt of their user first; the transaction must then be rolled back
 */
export async function creditDeposits(
  transaction: Transaction,
  operatorId: string,
  credits: readonly DepositCredit[],
): Promise<string[]> {
  const moved = await transaction.query<{ id: string; paysDebt: boolean }>({
    name: 'deposits-credit',
    // The provider is not called or asked again, so what the user entered is deleted.
    text: `update deposit set state = 'credited', cause = 'provider', paid = credit.amount, credited = credit.amount,
        received = credit.amount, provider_ref = coalesce(deposit.provider_ref, credit.ref), checks = 0, check_at = null,
        request = jsonb_set(deposit.request, '{fields}', '{}') - 'inputs'
      from unnest($1::uuid[], $2::bigint[], $3::text[]) as credit(id, amount, ref)
      -- The array lets no plan read all deposits, also one that was made while there were few.
      where deposit.operator_id = $4 and deposit.id = credit.id and deposit.id = any ($1)
      returning deposit.id, deposit.box is null and ${paysDebt} as "paysDebt"`,
    values: [
      credits.map(({ row }) => row.id),
      credits.map(({ amount }) => amount),
      credits.map(({ ref }) => ref),
      operatorId,
    ],
  });
  if (moved.length !== credits.length) throw new Error('Not every locked deposit was credited');
  return moved.filter((row) => row.paysDebt).map(({ id }) => id);
}

/** The row of a credited deposit as the database now has it, with all that the user and the operator get to know. */
export function creditedRow({ row, amount, ref }: DepositCredit, serverTime: Date): DepositRow {
  return {
    ...row,
    state: 'credited',
    rank: depositRank('credited'),
    paid: amount,
    credited: amount,
    received: amount,
    providerRef: row.providerRef ?? ref,
    checks: 0,
    serverTime,
  };
}
