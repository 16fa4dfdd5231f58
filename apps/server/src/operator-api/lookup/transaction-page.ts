/** Deposits and withdrawals of all users of an operator, page by page (SRV-1). */
import type { AccountType, TransactionStatus } from '@opencashier/contract/api';
import type { TransactionPage, TransactionQuery } from '@opencashier/contract/operator';
import {
  DEPOSIT_STATES,
  depositRank,
  isDepositState,
  statusOfDepositState,
} from '@opencashier/core/deposit/deposit-lifecycle';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import {
  isWithdrawalState,
  statusOfWithdrawalState,
  WITHDRAWAL_STATES,
  withdrawalRank,
} from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import type { Queryable } from '../../database/database.ts';
import { momentAndId, pagedList } from '../../requests/page-cursor.ts';

const transactionList = pagedList('transactions', momentAndId);

type Kind = 'deposit' | 'withdrawal';

/** The indexes of open payments end below it. */
const FIRST_ENDED_RANK = 80;

interface TransactionRow {
  type: Kind;
  id: string;
  user_id: string;
  payment_method: string;
  state: string;
  amount: bigint;
  credited: bigint | null;
  fee: bigint | null;
  account_type: AccountType | null;
  currency: string;
  created_at: Date;
  updated_at: Date;
  /** The exact time, for the cursor. */
  created_text: string;
}

const depositsOf = `select 'deposit' as type, id, user_id, payment_method, state, amount, credited, null::bigint as fee,
  null as account_type, currency, created_at, updated_at, created_at::text as created_text from deposit`;
const withdrawalColumns = `select 'withdrawal', id, user_id, payment_method, state, amount, null::bigint, fee, account_type, currency,
  created_at, updated_at, created_at::text as created_text`;

/** The payments of a user that have not ended, the newest first. */
export async function openTransactionsOf(
  queryable: Queryable,
  operatorId: string,
  userId: string,
  limit: number,
): Promise<TransactionPage['transactions']> {
  const rows = await queryable.query<TransactionRow>({
    name: 'user-open-transactions',
    text: `select * from (
        (${depositsOf} where operator_id = $1 and user_id = $2 and rank < ${FIRST_ENDED_RANK} order by created_at desc limit $3)
        union all
        (${withdrawalColumns} from withdrawal where operator_id = $1 and user_id = $2 and rank < ${FIRST_ENDED_RANK}
        order by created_at desc limit $3)
      ) transactions order by created_at desc, id desc limit $3`,
    values: [operatorId, userId, limit],
  });
  return rows.map(transactionOf);
}

/** Both tables have the same filters. Each gives its newest rows, and the newest of both are the page. */
const filtered = `operator_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2::timestamptz, $3::uuid))
  and ($5::text is null or user_id = $5) and ($6::timestamptz is null or created_at >= $6)
  and ($7::timestamptz is null or created_at < $7)`;

/**
 * The withdrawals, or only one user's. The offset makes the planner read those by the user. By time it would read every withdrawal of
 * the operator that is newer than the user's. Deposits have an index by user and time.
 */
const withdrawalsOf = (isOneUser: boolean): string =>
  isOneUser ? '(select * from withdrawal where operator_id = $1 and user_id = $5 offset 0) withdrawal' : 'withdrawal';

/**
 * The condition for states of one table. An index holds only the few payments that are still open, so a list of those reads no
 * others. No state at all: the table is not read.
 */
function inStates(parameter: string, ranks: readonly number[]): string {
  if (ranks.length === 0) return `state = any(${parameter}) and false`;
  const isOpen = ranks.every((rank) => rank < FIRST_ENDED_RANK);
  return `state = any(${parameter})${isOpen ? ` and rank < ${FIRST_ENDED_RANK}` : ''}`;
}

/**
 * Deposits and withdrawals of an operator, newest first.
 * @param cursor from the page before; `undefined`: the first page
 */
export async function transactionPage(
  database: Queryable,
  operatorId: string,
  { limit, cursor, ...filter }: TransactionQuery,
): Promise<TransactionPage> {
  const after = transactionList.placeOf(cursor);
  const isOneUser = filter.userId !== undefined;
  const deposits =
    filter.type === 'withdrawal' ? [] : statesShownAs(DEPOSIT_STATES, statusOfDepositState, filter.status);
  const withdrawals =
    filter.type === 'deposit' ? [] : statesShownAs(WITHDRAWAL_STATES, statusOfWithdrawalState, filter.status);
  const rows = await database.query<TransactionRow>({
    // Without a name, so that it is planned for these filters. A plan for all of them would search no index by the cursor.
    text: `select * from (
        (${depositsOf}
        where ${filtered} and ${inStates('$8', deposits.map(depositRank))}
        order by created_at desc, id desc limit $4)
        union all
        (${withdrawalColumns} from ${withdrawalsOf(isOneUser)}
        where ${filtered} and ${inStates('$9', withdrawals.map(withdrawalRank))}
        order by created_at desc, id desc limit $4)
      ) transactions order by created_at desc, id desc limit $4`,
    values: [
      operatorId,
      after?.at ?? null,
      after?.id ?? null,
      limit + 1,
      filter.userId ?? null,
      filter.from ?? null,
      filter.to ?? null,
      deposits,
      withdrawals,
    ],
  });
  const { page, next } = transactionList.pageOf(rows, limit, (row) => ({ at: row.created_text, id: row.id }));
  return {
    transactions: page.map(transactionOf),
    ...next,
  };
}

function statesShownAs<State>(
  states: readonly State[],
  statusOf: (state: State) => TransactionStatus,
  status: TransactionStatus | undefined,
): readonly State[] {
  return status === undefined ? states : states.filter((state) => statusOf(state) === status);
}

function transactionOf(row: TransactionRow): TransactionPage['transactions'][number] {
  const write = (minor: bigint): string => toDecimalString(minor, decimalsOf(row.currency));
  const shared = {
    userId: row.user_id,
    paymentMethod: row.payment_method,
    state: row.state,
    amount: write(row.amount),
    currency: row.currency,
    created: row.created_at.toISOString(),
    updated: row.updated_at.toISOString(),
  };
  if (row.type === 'deposit') {
    if (!isDepositState(row.state)) throw new Error(`Deposit ${row.id} has a state that this version does not know`);
    return {
      type: 'deposit',
      depositId: row.id,
      ...shared,
      status: statusOfDepositState(row.state),
      ...(row.credited !== null && { creditedAmount: write(row.credited) }),
    };
  }
  if (!isWithdrawalState(row.state))
    throw new Error(`Withdrawal ${row.id} has a state that this version does not know`);
  const fee = row.fee ?? 0n;
  return {
    type: 'withdrawal',
    withdrawalId: row.id,
    ...shared,
    status: statusOfWithdrawalState(row.state),
    accountType: row.account_type ?? 'main',
    fee: write(fee),
    receives: write(row.amount - fee),
  };
}
