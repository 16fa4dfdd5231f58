/**
 * The double-entry ledger (SRV-2). Only this code writes journals. The database enforces the important rules, too.
 * Settlement of a deposit is the commit of its `deposit_credit` journal. A chargeback is a `deposit_reversal` journal.
 */
import type { Queryable, Transaction } from '../database/database.ts';
import { constraintOf } from '../database/pool-database.ts';

/** Accounts of a user store their balance. The balance of a system account is summed on request. */
export type AccountKind =
  | 'user'
  | 'user_additional'
  /** Money held for a withdrawal or a refund. */
  | 'user_hold'
  /** Money of a user on its way to the operator's own wallet. */
  | 'wallet_transit'
  /** The user's debt after a chargeback of money that was already spent. Never positive. */
  | 'reversal_debt'
  /** What a provider owes to the cashier, as a negative balance. */
  | 'provider_clearing'
  /** What providers have paid to the operator's bank, as a negative balance. */
  | 'settlement_account'
  /** What providers keep of payments. */
  | 'provider_fee'
  /** Differences from settlement files that the operator bears or keeps. */
  | 'write_off'
  | 'operator_clearing'
  /** Payments that staff must decide about. */
  | 'suspense'
  | 'bonus'
  | 'bonus_expense'
  | 'deposit_fee'
  | 'withdrawal_fee'
  /** What networks took for payouts of coins. */
  | 'network_fee'
  /** Between the debited currency and the payout currency of a conversion. */
  | 'conversion'
  | 'coin_issue'
  | 'coin_play'
  | 'coin_sales'
  | 'coin_redemption';

/** The name of an account. An operator has one account per owner, asset and kind. */
export interface AccountName {
  /** A user, a provider, or '' for the operator's own account. */
  readonly owner: string;
  /** The currency code. */
  readonly asset: string;
  readonly kind: AccountKind;
}

/** One line of a journal: an account and a signed amount. */
export interface PostingLine extends AccountName {
  /** Minor units. A positive amount raises what the cashier owes to the owner. */
  readonly amount: bigint;
}

/** A journal to post. Its lines sum to zero per asset. */
export interface JournalEntry {
  readonly operatorId: string;
  readonly kind: string;
  readonly depositId?: string;
  readonly withdrawalId?: string;
  /** The payment that the journal books. */
  readonly paymentId?: string;
  readonly refundId?: string;
  readonly disputeId?: string;
  /** Which payout of its withdrawal the journal books. */
  readonly payoutId?: string;
  /** The booked fact: `source` names the system that knows it, and `ref` is its id there. A fact is booked once per kind. */
  readonly source: string;
  readonly ref: string;
  readonly note?: string;
  readonly lines: readonly PostingLine[];
}

/** A debit that the account balance does not cover. */
export class InsufficientFundsError extends Error {
  override readonly name = 'InsufficientFundsError';
}

/** A frozen account: no money may leave until staff decide. */
export class FrozenAccountError extends Error {
  override readonly name = 'FrozenAccountError';
}

/** Finds the account of a line of operator $1 by the index, also when the statement was planned while the table was small. */
const accountOfLine = `select id, asset from account where account.operator_id = $1 and account.owner = line.owner
  and account.asset = line.asset and account.kind = line.kind offset 0`;

/**
 * Books a fact and updates the balances of users. A fact that is reported twice, such as by a duplicate webhook, is
 * booked once.
 * @returns `duplicate` when the fact was already booked under this kind; nothing changes then
 * @throws InsufficientFundsError; at commit, a database error when the lines do not sum to zero per asset
 */
export async function postJournal(transaction: Transaction, entry: JournalEntry): Promise<'posted' | 'duplicate'> {
  await ensureAccounts(transaction, entry.operatorId, entry.lines);
  try {
    const rows = await transaction.query({
      name: 'ledger-post',
      text: `with fact as (
          insert into journal_key (operator_id, source, ref, kind, journal_id) values ($1, $5, $6, $2, time_id())
          on conflict do nothing
          returning journal_id
        ), entry as (
          insert into journal (id, operator_id, kind, deposit_id, withdrawal_id, ext_source, ext_ref, note, payment_id, refund_id,
            dispute_id, payout_id)
          select journal_id, $1, $2, $3, $4, $5, $6, $7, $12, $13, $14, $15 from fact
          returning id
        )
        insert into posting (operator_id, journal_id, account_id, asset, amount)
        select $1, entry.id, account.id, account.asset, line.amount
        from entry, unnest($8::text[], $9::text[], $10::text[], $11::bigint[]) as line(owner, asset, kind, amount)
        cross join lateral (${accountOfLine}) account
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

/** A journal of {@link postCredits}: the credit of a deposit's payment. */
export interface CreditEntry {
  readonly depositId: string;
  readonly paymentId: string;
  /** The provider's reference of the money. */
  readonly ref: string;
  readonly lines: readonly PostingLine[];
}

/**
 * Books the credits of many deposits of one operator, as {@link postJournal} books one. One statement writes all postings, so the
 * accounts of all journals are locked in one order.
 * @param source the provider that reported the payments
 * @throws a database error when one of the facts was booked before; nothing changes then
 */
export async function postCredits(
  transaction: Transaction,
  operatorId: string,
  source: string,
  entries: readonly CreditEntry[],
): Promise<void> {
  const lines = entries.flatMap((entry, n) => entry.lines.map((line) => ({ ...line, n: n + 1 })));
  await ensureAccounts(transaction, operatorId, distinctNames(lines));
  const posted = await transaction.query({
    name: 'ledger-post-credits',
    text: `with fact as (
        select n, time_id() as id, deposit_id, payment_id, ref
        from unnest($3::uuid[], $4::uuid[], $5::text[]) with ordinality as fact(deposit_id, payment_id, ref, n)
      ), entry as (
        insert into journal (id, operator_id, kind, deposit_id, payment_id, ext_source, ext_ref)
        select id, $1, 'deposit_credit', deposit_id, payment_id, $2, ref from fact
      )
      insert into posting (operator_id, journal_id, account_id, asset, amount)
      select $1, fact.id, account.id, account.asset, line.amount
      from unnest($6::int[], $7::text[], $8::text[], $9::text[], $10::bigint[]) as line(n, owner, asset, kind, amount)
      join fact on fact.n = line.n cross join lateral (${accountOfLine}) account
      order by account.id
      returning 1`,
    values: [
      operatorId,
      source,
      entries.map(({ depositId }) => depositId),
      entries.map(({ paymentId }) => paymentId),
      entries.map(({ ref }) => ref),
      lines.map(({ n }) => n),
      ...columnsOf(lines),
      lines.map(({ amount }) => amount),
    ],
  });
  if (posted.length !== lines.length) throw new Error('Not every line of the credits was posted');
}

function distinctNames(names: readonly AccountName[]): AccountName[] {
  return [...new Map(names.map((name) => [JSON.stringify([name.owner, name.asset, name.kind]), name])).values()];
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
        case when name.kind in ('user', 'user_additional', 'user_hold', 'wallet_transit', 'reversal_debt', 'bonus') then 0 end
      from unnest($2::text[], $3::text[], $4::text[]) as name(owner, asset, kind)
      -- A scalar subquery is planned with the index, also while the table is small. An anti-join would keep reading all accounts.
      where (select id from account where operator_id = $1 and owner = name.owner and asset = name.asset
        and kind = name.kind) is null
      order by 2, 3, 4
      on conflict on constraint account_once do nothing`,
    values: [operatorId, ...columnsOf(names)],
  });
}

/** The balance of an account in minor units; 0 for an account that does not exist. */
export async function accountBalance(queryable: Queryable, operatorId: string, name: AccountName): Promise<bigint> {
  const [row] = await queryable.query<{ balance: bigint | null }>({
    name: 'ledger-balance',
    text: `select coalesce(account.balance, (select (coalesce(sum(amount), 0) + coalesce((select sum(sum) from archived_balance
          where archived_balance.operator_id = $1 and archived_balance.account_id = account.id), 0))::bigint from posting
        where posting.operator_id = $1 and posting.account_id = account.id)) as balance
      from account where operator_id = $1 and owner = $2 and asset = $3 and kind = $4`,
    values: [operatorId, name.owner, name.asset, name.kind],
  });
  return row?.balance ?? 0n;
}

/** The user's available balance in minor units. */
export function userBalance(queryable: Queryable, operatorId: string, userId: string, asset: string): Promise<bigint> {
  return accountBalance(queryable, operatorId, { owner: userId, asset, kind: 'user' });
}

/** The user's available balances in minor units, by currency, including empty accounts. */
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

/** An account under a row lock. The balance is in minor units. */
export interface LockedAccount {
  /** Undefined when the account does not exist. Nothing was locked then. */
  readonly accountId: bigint | undefined;
  readonly balance: bigint;
  readonly isFrozen: boolean;
}

/** Locks a user's account until the end of the transaction and returns its balance. A missing account has balance 0. */
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

/** Freezes a user's account: no money may leave until staff decide. */
export async function freezeUser(
  transaction: Transaction,
  operatorId: string,
  userId: string,
  asset: string,
): Promise<void> {
  await transaction.query({
    // Creates the main account if the user has only another account, because this freeze covers that account, too.
    // The freeze time is the clock's and not the start of the transaction. Money that left before the lock must be
    // older than the freeze, because the audit compares the times.
    text: `insert into account (operator_id, owner, asset, kind, balance, frozen_at) values ($1, $2, $3, 'user', 0, clock_timestamp())
      on conflict on constraint account_once do update set frozen_at = coalesce(account.frozen_at, clock_timestamp())`,
    values: [operatorId, userId, asset],
  });
}

/** Ends the freeze of a user's account. The database requires the deciding staff by then (`account_release`). */
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
