/** Computes the totals of a day from the ledger and from what settlements left (SRV-2). */
import type { DayTotals } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import { type AccountMovement, amountsOf, closeAccounts, fundsOf } from '@opencashier/core/reconciliation/close-day';
import { dayAfter } from '@opencashier/core/reconciliation/line';
import type { Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';

export interface DayAsked {
  readonly operatorId: string;
  readonly partnerKey: string;
  readonly day: string;
  /** The text of a time, in microseconds. */
  readonly asOf: string;
  /** The last closed day. Absent: none was closed. */
  readonly before?: { readonly totals: DayTotals; readonly hash: string; readonly asOf: string } | undefined;
}

/** The first moment of a day in UTC. */
const begins = (parameter: string): string => `(${parameter}::date)::timestamp at time zone 'UTC'`;

/** @throws DomainError state-conflict when the postings of the day have left the database */
export async function totalsOf(transaction: Transaction, asked: DayAsked): Promise<DayTotals> {
  const { operatorId, partnerKey, day, asOf, before } = asked;
  // The first close adds up all postings of the operator's own accounts. Another statement reads the postings of the day twice.
  await transaction.query({ text: `set local statement_timeout = '240s'` });
  // Before the question whether the month has left. Else it could leave afterwards, and its days would be empty.
  // Both in the order in which an archive locks them.
  await transaction.query({ text: 'lock table journal, posting in access share mode' });
  const earlier = before?.totals.day ?? day;
  const [month] = await transaction.query({
    text: `select 1 from archived_month where operator_id = $1 and until > ${begins('$2')} limit 1`,
    values: [operatorId, earlier],
  });
  if (month !== undefined) {
    throw new DomainError('state-conflict', `The postings of ${earlier} have left the database. Close a later day.`);
  }
  const { moved, movements } = await bookedOn(transaction, operatorId, day);
  const accounts = closeAccounts({
    moved,
    ...(before === undefined
      ? { opening: await balancesBefore(transaction, operatorId, day), before: [], countedBefore: [] }
      : {
          opening: amountsOf(before.totals.accounts, 'closing'),
          countedBefore: amountsOf(before.totals.accounts, 'moved'),
          before: await movedOn(transaction, operatorId, before.totals.day),
        }),
  });
  return {
    format: 'opencashier-day-close/1',
    operator: partnerKey,
    day,
    asOf: new Date(asOf).toISOString(),
    ...(before !== undefined && { previous: before.hash }),
    accounts,
    movements,
    files: await comparedFiles(transaction, asked),
    lateLines: await lateLines(transaction, asked),
    open: await openMismatches(transaction, operatorId, asOf),
    funds: fundsOf(accounts),
  };
}

/** Accounts of users count together; others by their owner, which is a provider or empty. */
const OF_ACCOUNT = `account.kind as account, case when account.balance is null then account.owner else '' end as owner,
  account.asset as currency`;

/** A query of what the ledger booked on a day, by kind of account. Parameters: the operator and the day. */
const MOVED = `select ${OF_ACCOUNT}, sum(booked.amount)::bigint as amount
  from (select account_id, sum(amount) as amount from posting where operator_id = $1
      and journal_id >= time_id_at(${begins('$2')}) and journal_id < time_id_at(${begins('$2')} + interval '1 day')
    group by account_id) booked
  join account on account.operator_id = $1 and account.id = booked.account_id
  group by 1, 2, 3`;

/** What the ledger booked on a day, by kind of account. */
export function movedOn(transaction: Transaction, operatorId: string, day: string): Promise<AccountMovement[]> {
  return transaction.query<AccountMovement>({ text: MOVED, values: [operatorId, day] });
}

/** All balances at the beginning of a day. Those of users are taken back by the postings since then. */
export function balancesBefore(transaction: Transaction, operatorId: string, day: string): Promise<AccountMovement[]> {
  return transaction.query<AccountMovement>({
    text: `with later as (select account_id, sum(amount) as amount from posting
        where operator_id = $1 and journal_id >= time_id_at(${begins('$2')}) group by account_id)
      select ${OF_ACCOUNT}, sum(coalesce(account.balance, booked.sum) - coalesce(later.amount, 0))::bigint as amount
      from account left join later on later.account_id = account.id
      cross join lateral (select case when account.balance is null then
          (select coalesce(sum(amount), 0) from posting where posting.operator_id = $1 and posting.account_id = account.id)
          + (select coalesce(sum(sum), 0) from archived_balance
            where archived_balance.operator_id = $1 and archived_balance.account_id = account.id) end as sum) booked
      where account.operator_id = $1
      group by 1, 2, 3`,
    values: [operatorId, day],
  });
}

/** A query of what a day changed the accounts of providers by, for each connection and kind of journal. Parameters as of `MOVED`. */
const PROVIDER_MOVEMENTS = `select account.owner, coalesce(deposit.connection_id, withdrawal.connection_id) as connection,
    posting.asset as currency, journal.kind, count(*)::int as count, sum(posting.amount)::bigint as amount
  from posting
  join account on account.operator_id = $1 and account.id = posting.account_id and account.kind = 'provider_clearing'
  join journal on journal.operator_id = $1 and journal.id = posting.journal_id
  left join deposit on deposit.operator_id = $1 and deposit.id = journal.deposit_id
  left join withdrawal on withdrawal.operator_id = $1 and withdrawal.id = journal.withdrawal_id
  where posting.operator_id = $1 and posting.journal_id >= time_id_at(${begins('$2')})
    and posting.journal_id < time_id_at(${begins('$2')} + interval '1 day')
    and journal.id >= time_id_at(${begins('$2')}) and journal.id < time_id_at(${begins('$2')} + interval '1 day')
  group by 1, 2, 3, 4`;

type BookedRow = AccountMovement &
  (
    | { readonly part: 'account' }
    | { readonly part: 'movement'; readonly connection: string | null; readonly kind: string; readonly count: number }
  );

/**
 * What the ledger booked on a day. One statement has one snapshot, so a booking that commits meanwhile is in both parts or in none. The
 * transaction cannot have one: its first statement waits for the lock of the books, and would not see the file that held it.
 */
async function bookedOn(
  transaction: Transaction,
  operatorId: string,
  day: string,
): Promise<{ readonly moved: readonly AccountMovement[]; readonly movements: DayTotals['movements'] }> {
  const rows = await transaction.query<BookedRow>({
    text: `select 'account' as part, account, owner, null::uuid as connection, currency, null as kind, null::int as count, amount
        from (${MOVED}) moved
      union all select 'movement', null, owner, connection, currency, kind, count, amount from (${PROVIDER_MOVEMENTS}) movement
      order by 1, 3, 4 nulls first, 5, 6`,
    values: [operatorId, day],
  });
  const moved: AccountMovement[] = [];
  const movements: DayTotals['movements'] = [];
  for (const row of rows) {
    if (row.part === 'account') {
      moved.push(row);
      continue;
    }
    const { owner: provider, connection, currency, kind, count, amount } = row;
    const at = connection === null ? {} : { connection };
    movements.push({ provider, currency, kind, count, ...at, amount: written(amount, currency) });
  }
  return { moved, movements };
}

/** True for a file that was compared since the close before. The first close counts the files since the beginning of its day. */
const SINCE_CLOSE = `file.operator_id = $1 and file.state = 'done' and file.done_at <= $2::timestamptz
  and file.done_at > coalesce($3::timestamptz, ${begins('$4')})`;

function sinceClose({ operatorId, asOf, before, day }: DayAsked): unknown[] {
  return [operatorId, asOf, before?.asOf ?? null, day];
}

function comparedFiles(transaction: Transaction, asked: DayAsked): Promise<DayTotals['files']> {
  return transaction.query({
    text: `select provider, source, count(*)::int as files,
        encode(sha256(string_agg(hash, ''::bytea order by hash)), 'hex') as digest,
        sum(lines)::int as lines, sum(matched)::int as matched
      from settlement_file file where ${SINCE_CLOSE} group by provider, source order by provider, source`,
    values: sinceClose(asked),
  });
}

/** No line of these files has left the database: a file waits there for the signed close that counts its lines (`whyLinesStay`). */
async function lateLines(transaction: Transaction, asked: DayAsked): Promise<DayTotals['lateLines']> {
  if (asked.before === undefined) return [];
  const rows = await transaction.query<{ provider: string; currency: string; lines: number; amount: bigint }>({
    text: `select file.provider, line.currency, count(*)::int as lines, sum(line.amount)::bigint as amount
      from settlement_file file join settlement_line line on line.operator_id = $1 and line.file_id = file.id
      where ${SINCE_CLOSE} and file.first_day <= $5::date and line.day <= $5::date group by 1, 2 order by 1, 2`,
    values: [...sinceClose(asked), dayAfter(asked.day, -1)],
  });
  return rows.map((row) => ({ ...row, amount: written(row.amount, row.currency) }));
}

async function openMismatches(transaction: Transaction, operatorId: string, asOf: string): Promise<DayTotals['open']> {
  const rows = await transaction.query<
    Omit<DayTotals['open'][number], 'expected' | 'found'> & { readonly expected: bigint; readonly found: bigint }
  >({
    text: `select provider, class, case when days < 2 then '0-1' when days < 8 then '2-7' when days < 31 then '8-30' else '31+' end as age,
        currency, count(*)::int as count, sum(expected)::bigint as expected, sum(found)::bigint as found
      from (select mismatch.*, extract(day from $2::timestamptz - time_of_id(mismatch.id)) as days
        from settlement_mismatch mismatch
        join settlement_file file on file.operator_id = $1 and file.id = mismatch.file_id and file.state = 'done'
        where mismatch.operator_id = $1 and mismatch.state in ('open', 'proposed')) waiting
      group by 1, 2, 3, 4 order by 1, 2, min(days), 4`,
    values: [operatorId, asOf],
  });
  return rows.map((row) => ({
    ...row,
    expected: written(row.expected, row.currency),
    found: written(row.found, row.currency),
  }));
}

function written(minor: bigint, currency: string): string {
  return toDecimalString(minor, decimalsOf(currency));
}
