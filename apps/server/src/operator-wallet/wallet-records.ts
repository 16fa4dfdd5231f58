/** The list of calls to an operator's wallet, for its staff (SRV-1). */
import type { KnownWalletCall, WalletCallPage, WalletCallQuery } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../database/database.ts';
import { idAlone, pagedList } from '../requests/page-cursor.ts';
import { type WalletCallRow, walletCallColumns } from './wallet-store.ts';

const callList = pagedList('wallet calls', idAlone);

interface CallRow extends WalletCallRow {
  readonly transactionId: string | null;
  readonly knownAt: Date | null;
  readonly tries: number | null;
  readonly why: string | null;
  readonly dueAt: Date | null;
}

const columns = `${walletCallColumns}, asked.transaction_id as "transactionId", asked.known_at as "knownAt", queued.tries, queued.why,
  queued.due_at as "dueAt"`;
const tables = `operator_wallet_call asked
  left join operator_wallet_queue queued on queued.operator_id = asked.operator_id and queued.call_id = asked.id`;

/**
 * Calls of an operator, oldest first.
 * @param query.state `waiting`: only those whose outcome is unknown
 */
export async function walletCallPage(
  queryable: Queryable,
  operatorId: string,
  { state, depositId, withdrawalId, limit, cursor }: WalletCallQuery,
): Promise<WalletCallPage> {
  const after = callList.placeOf(cursor);
  const waiting = 'asked.id in (select call_id from operator_wallet_queue where operator_id = $1)';
  const rows = await queryable.query<CallRow>({
    // Without a name, so that it is planned for these filters.
    text: `select ${columns} from ${tables} where asked.operator_id = $1 ${state === undefined ? '' : `and ${waiting}`}
        and ($2::uuid is null or asked.deposit_id = $2) and ($3::uuid is null or asked.withdrawal_id = $3)
        and ($4::uuid is null or asked.id > $4)
      order by asked.id limit $5`,
    values: [operatorId, depositId ?? null, withdrawalId ?? null, after?.id ?? null, limit + 1],
  });
  const { page, next } = callList.pageOf(rows, limit, ({ id }) => ({ id }));
  return { calls: page.map(viewOf), ...next };
}

/**
 * Calls about payments, by the payment's id, oldest first.
 * @param mostEach calls of one payment, at most
 */
export async function walletCallsOf(
  queryable: Queryable,
  operatorIds: readonly string[],
  paymentIds: readonly string[],
  mostEach: number,
): Promise<Map<string, KnownWalletCall[]>> {
  const rows = await queryable.query<CallRow>({
    name: 'wallet-calls-of-payments',
    text: `select ${columns} from ${tables} where asked.operator_id = any($1::text[])
        and (asked.deposit_id = any($2::uuid[]) or asked.withdrawal_id = any($2::uuid[]))
      order by asked.id`,
    values: [operatorIds, paymentIds],
  });
  const lists = new Map<string, KnownWalletCall[]>();
  for (const row of rows) {
    const payment = row.depositId ?? row.withdrawalId ?? '';
    const list = lists.get(payment) ?? [];
    if (list.length < mostEach) list.push(viewOf(row));
    lists.set(payment, list);
  }
  return lists;
}

function viewOf(row: CallRow): KnownWalletCall {
  return {
    callId: row.id,
    type: row.type,
    reason: row.reason,
    userId: row.userId,
    amount: toDecimalString(row.amount, decimalsOf(row.currency)),
    currency: row.currency,
    ...(row.depositId !== null && { depositId: row.depositId }),
    ...(row.withdrawalId !== null && { withdrawalId: row.withdrawalId }),
    state: row.state,
    ...(row.tries !== null && { tries: row.tries }),
    ...(row.why !== null && { why: row.why }),
    ...(row.dueAt !== null && { next: row.dueAt.toISOString() }),
    ...(row.transactionId !== null && { transactionId: row.transactionId }),
    ...(row.code !== null && { code: row.code }),
    created: row.createdAt.toISOString(),
    ...(row.knownAt !== null && { known: row.knownAt.toISOString() }),
  };
}
