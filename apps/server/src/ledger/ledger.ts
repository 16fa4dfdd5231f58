/** The double-entry ledger (SRV-2): the only code that writes journals. The rules that matter are also the database's own. */
import type { Queryable, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';

/** Accounts whose owner is a user carry a balance row; those of the system are summed when somebody asks. */
export type AccountKind =
  | 'user'
  | 'user_additional'
  | 'user_hold'
  | 'reversal_debt'
  | 'provider_clearing'
  | 'operator_clearing'
  | 'suspense'
  | 'bonus'
  | 'bonus_expense'
  | 'withdrawal_fee'
  /** Between what leaves a balance and what arrives of it in another currency. */
  | 'conversion'
  | 'coin_issue'
  | 'coin_play'
  | 'coin_sales'
  | 'coin_redemption';

export interface AccountName {
  /** A user, a provider, or '' for the operator's own. */
  readonly owner: string;
  /** The currency's code. */
  readonly asset: string;
  readonly kind: AccountKind;
}

export interface PostingLine extends AccountName {
  /** Minor units; positive raises what the cashier owes to the owner. */
  readonly amount: bigint;
}

export interface JournalEntry {
  readonly operatorId: string;
  readonly kind: string;
  readonly depositId?: string;
  readonly withdrawalId?: string;
  /** Which row of its deposit the journal books. */
  readonly paymentId?: string;
  readonly refundId?: string;
  readonly disputeId?: string;
  /** Which payout of its withdrawal the journal books. */
  readonly payoutId?: string;
  /** The fact that is booked: `source` names who knows it, `ref` is theirs. Booked once per kind, for ever. */
  readonly source: string;
  readonly ref: string;
  readonly note?: string;
  readonly lines: readonly PostingLine[];
}

/** A debit that the account does not cover. */
export class InsufficientFundsError extends Error {
  override readonly name = 'InsufficientFundsError';
}

/** An account from which nothing may leave until people decide. */
export class FrozenAccountError extends Error {
  override readonly name = 'FrozenAccountError';
}

/**
 * Books a fact. Balances of users move with it.
 * @returns `duplicate` when this fact was booked before under this kind: nothing is changed
 * @throws InsufficientFundsError; a database error when the lines do not sum to zero per asset (at commit)
 */
export async function postJournal(transaction: Transaction, entry: JournalEntry): Promise<'posted' | 'duplicate'> {
  await ensureAccounts(transaction, entry.operatorId, entry.lines);
  try {
    const rows = await transaction.query({
      name: 'ledger-post',
      text: `with entry as (
          insert into journal (operator_id, kind, deposit_id, withdrawal_id, ext_source, ext_ref, note, payment_id, refund_id,
            dispute_id, payout_id)
          values ($1, $2, $3, $4, $5, $6, $7, $12, $13, $14, $15)
          on conflict on constraint journal_fact_once do nothing
          returning id
        )
        insert into posting (journal_id, account_id, asset, amount)
        select entry.id, account.id, account.asset, line.amount
        from entry, unnest($8::text[], $9::text[], $10::text[], $11::bigint[]) as line(owner, asset, kind, amount)
        join account on account.operator_id = $1 and account.owner = line.owner and account.asset = line.asset
          and account.kind = line.kind
        order by account.id
        returning journal_id`,
      values: [
        entry.operatorId,
        entry.kind,
        entry.depositId ?? null,
        entry.withdrawalId ?? null,
        entry.source,
        entry.ref,
        entry.note ?? null,
        ...columnsOf(entry.lines),
        entry.lines.map((line) => line.amount),
        entry.paymentId ?? null,
        entry.refundId ?? null,
        entry.disputeId ?? null,
        entry.payoutId ?? null,
      ],
    });
    return rows.length === 0 ? 'duplicate' : 'posted';
  } catch (error) {
    if (constraintOf(error) === 'account_not_overdrawn') {
      throw new InsufficientFundsError('The account does not cover the amount', { cause: error });
    }
    throw error;
  }
}

function columnsOf(lines: readonly AccountName[]): [string[], string[], string[]] {
  return [lines.map((line) => line.owner), lines.map((line) => line.asset), lines.map((line) => line.kind)];
}

async function ensureAccounts(
  transaction: Transaction,
  operatorId: string,
  names: readonly AccountName[],
): Promise<void> {
  await transaction.query({
    name: 'ledger-accounts',
    text: `insert into account (operator_id, owner, asset, kind, balance)
      select $1, name.owner, name.asset, name.kind,
        case when name.kind in ('user', 'user_additional', 'user_hold', 'reversal_debt', 'bonus') then 0 end
      from unnest($2::text[], $3::text[], $4::text[]) as name(owner, asset, kind)
      where not exists (select 1 from account where operator_id = $1 and owner = name.owner and asset = name.asset
        and kind = name.kind)
      order by 2, 3, 4
      on conflict on constraint account_once do nothing`,
    values: [operatorId, ...columnsOf(names)],
  });
}

/** What an account holds, in minor units; 0 where it does not exist. */
export async function accountBalance(queryable: Queryable, operatorId: string, name: AccountName): Promise<bigint> {
  const [row] = await queryable.query<{ balance: bigint | null }>({
    name: 'ledger-balance',
    text: `select coalesce(account.balance, (select sum(amount)::bigint from posting where account_id = account.id)) as balance
      from account where operator_id = $1 and owner = $2 and asset = $3 and kind = $4`,
    values: [operatorId, name.owner, name.asset, name.kind],
  });
  return row?.balance ?? 0n;
}

/** The money that a user may spend, in minor units. */
export function userBalance(queryable: Queryable, operatorId: string, userId: string, asset: string): Promise<bigint> {
  return accountBalance(queryable, operatorId, { owner: userId, asset, kind: 'user' });
}

/** Everything that a user may spend, in minor units by currency; accounts that hold nothing too. */
export async function userBalances(
  queryable: Queryable,
  operatorId: string,
  userId: string,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await queryable.query<{ asset: string; balance: bigint }>({
    name: 'ledger-user-balances',
    text: `select asset, balance from account where operator_id = $1 and owner = $2 and kind = 'user' order by asset`,
    values: [operatorId, userId],
  });
  return new Map(rows.map(({ asset, balance }) => [asset, balance]));
}

export interface LockedAccount {
  /** Undefined where there is none, and nothing was locked. */
  readonly accountId: bigint | undefined;
  readonly balance: bigint;
  readonly isFrozen: boolean;
}

/** Locks a user's account until the end of the transaction and answers its balance; 0 where there is none. */
export async function lockUserBalance(
  transaction: Transaction,
  operatorId: string,
  userId: string,
  asset: string,
  kind: AccountKind = 'user',
): Promise<LockedAccount> {
  const [row] = await transaction.query<{ id: bigint; balance: bigint; is_frozen: boolean }>({
    name: 'ledger-lock-user',
    text: `select id, balance, frozen_at is not null as is_frozen from account
      where operator_id = $1 and owner = $2 and asset = $3 and kind = $4 for no key update`,
    values: [operatorId, userId, asset, kind],
  });
  return { accountId: row?.id, balance: row?.balance ?? 0n, isFrozen: row?.is_frozen ?? false };
}

/** Lets nothing leave a user's account until people decide. */
export async function freezeUser(
  transaction: Transaction,
  operatorId: string,
  userId: string,
  asset: string,
): Promise<void> {
  await transaction.query({
    // Somebody who has only the other account is frozen by this one too.
    // By the clock and not by the transaction's begin: what left before the lock was taken is older, and the audit compares.
    text: `insert into account (operator_id, owner, asset, kind, balance, frozen_at) values ($1, $2, $3, 'user', 0, clock_timestamp())
      on conflict on constraint account_once do update set frozen_at = coalesce(account.frozen_at, clock_timestamp())`,
    values: [operatorId, userId, asset],
  });
}

/** Ends the freeze of a user's account; the database wants to know by then who decided it (`account_release`). */
export async function unfreezeUser(
  transaction: Transaction,
  operatorId: string,
  userId: string,
  asset: string,
): Promise<void> {
  await transaction.query({
    text: `update account set frozen_at = null where operator_id = $1 and owner = $2 and asset = $3 and kind = 'user'`,
    values: [operatorId, userId, asset],
  });
}
