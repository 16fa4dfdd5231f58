/**
 * The deposits that a report of a provider names. A callback knows no operator, so only these statements search without one. All that
 * follows uses the operator of the found row.
 */
import type { Transaction } from '../database/database.ts';
import type { DepositReport } from '../providers/provider.ts';
import { type DepositRow, depositColumns, readDeposit } from './deposit-row.ts';

/**
 * A query of the operator and the id of each deposit that its provider knows by this id or reference, of the connection that reported.
 * The keys of the table begin with id and reference. A deposit that went on to another connection is known there by the id of its
 * attempt alone: the connection before knows the deposit's own id. The owner of one connection must never change a payment of another one.
 * The arguments become SQL text, so they must never be input.
 */
export const namedDeposits = (id: string, provider: string, ref: string, connection: string): string =>
  `select operator_id, id from deposit where id = ${id} and attempt_id is null and connection_id is not distinct from ${connection}
    union select operator_id, id from deposit where attempt_id = ${id} and connection_id is not distinct from ${connection}
    union select operator_id, id from deposit where provider = ${provider} and provider_ref = ${ref}
      and connection_id is not distinct from ${connection}`;

/** What names a deposit in a report. */
type Named = Pick<DepositReport, 'depositId' | 'provider' | 'providerRef' | 'connectionId'>;

const namesOf = ({ depositId, provider, providerRef, connectionId }: Named) => [
  depositId ?? null,
  provider,
  providerRef,
  connectionId ?? null,
];

/** Whether a report names a deposit. Locks nothing. Failed attempts do not count: no event is woken for one. */
export async function isReported(transaction: Transaction, report: Named): Promise<boolean> {
  const named = await transaction.query({
    name: 'deposit-of-report',
    text: `${namedDeposits('$1', '$2', '$3', '$4::uuid')} limit 1`,
    values: namesOf(report),
  });
  return named.length > 0;
}

/**
 * Locks the deposits that a report names, in the order of their ids.
 * @returns `several-operators` when the report names deposits of two operators
 */
export async function lockReported(
  transaction: Transaction,
  report: Named,
): Promise<readonly DepositRow[] | 'several-operators'> {
  const rows = await transaction.query<DepositRow & { readonly operators: number }>({
    name: 'deposit-lock-for-report',
    // A transaction never holds rows of two operators.
    text: `with named as materialized (${namedDeposits('$1', '$2', '$3', '$4::uuid')})
      select deposit.*, (select count(distinct operator_id)::int from named) as operators
      from (select * from named where operator_id = (select min(operator_id) from named) order by id) named
      cross join lateral (select ${depositColumns} from deposit
        where deposit.operator_id = named.operator_id and deposit.id = named.id for update) deposit`,
    values: namesOf(report),
  });
  return rows.some(({ operators }) => operators > 1) ? 'several-operators' : rows.map(readDeposit);
}
