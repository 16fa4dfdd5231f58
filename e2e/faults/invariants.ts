/** Rules that must hold after every fault, checked in the database itself. */
import { expect } from 'vitest';
import type { Cluster } from './cluster.ts';
import { type Payer, typedCard } from './payer.ts';

/** Each query finds rows that must not exist. */
const forbidden: Readonly<Record<string, string>> = {
  'the sum of all postings of an asset':
    'select asset, sum(amount)::text from posting group by asset having sum(amount) <> 0',
  'journals that do not sum to zero': `select journal_id, asset from posting group by 1, 2 having sum(amount) <> 0`,
  'balances that differ from their postings': `select account.id from account join posting on posting.account_id = account.id
    where account.balance is not null group by account.operator_id, account.id having account.balance <> sum(posting.amount)`,
  'negative balances of users': `select id from account where kind like 'user%' and balance < 0`,
  'deposits that were credited more than once': `select deposit_id from journal where kind = 'deposit_credit'
    group by deposit_id having count(*) > 1`,
  'deposits whose state and books differ': `select deposit.id, state from deposit
    left join journal on journal.deposit_id = deposit.id and journal.kind = 'deposit_credit'
    where (journal.id is not null) <> (state in ('credited', 'reversed') or (state = 'refunded' and credited is not null))`,
  'payments of the provider without a deposit': `select deposit_id from sandbox_payment
    where deposit_id not in (select id from deposit)`,
  'deposits with more than one payment at the provider': `select deposit_id from sandbox_payment
    group by deposit_id having count(*) > 1`,
  'withdrawals with more than one payout at the provider': `select withdrawal_id from sandbox_payout
    group by withdrawal_id having count(*) > 1`,
  'payouts of withdrawals that nobody confirmed': `select ref from sandbox_payout where withdrawal_id not in
    (select id from withdrawal where state not in ('held', 'awaiting_approval', 'cancelled', 'expired'))`,
  'holds that are not those of open withdrawals and refunds': `select coalesce(held.owner, open.user_id)
    from (select owner, sum(balance) as amount from account where kind = 'user_hold' group by owner) held
    full join (select user_id, sum(amount) as amount from (
        select user_id, amount from withdrawal where state in ('held', 'awaiting_approval', 'submitted_unknown', 'submitted')
        union all
        select user_id, refund.amount from refund join deposit on deposit.id = refund.deposit_id
          where refund.state in ('requested', 'accepted')) each group by user_id) open
      on open.user_id = held.owner
    where coalesce(held.amount, 0) <> coalesce(open.amount, 0)`,
};

/** Money is conserved and credited once, and no log holds a secret. */
export async function expectSoundBooks(cluster: Cluster): Promise<void> {
  for (const [what, sql] of Object.entries(forbidden)) expect(await cluster.query(sql), what).toEqual([]);
  const log = cluster.log.join('');
  expect(
    [...cluster.secrets, typedCard].filter((secret) => log.includes(secret)),
    'secrets in the logs',
  ).toEqual([]);
}

/** The ledger is sound, and no acknowledged deposit is lost. `payers` have paid all their deposits. */
export async function expectInvariants(cluster: Cluster, payers: readonly Payer[]): Promise<void> {
  await expectSoundBooks(cluster);
  for (const { userId, deposits } of payers) {
    const rows = await cluster.query<{ id: string; state: string }>(
      'select id, state from deposit where user_id = $1',
      [userId],
    );
    expect(rows.map(({ id }) => id).sort(), `deposits of ${userId}`).toEqual([...deposits].sort());
    expect(rows.filter(({ state }) => state !== 'credited')).toEqual([]);
    expect(await balanceOf(cluster, userId), `balance of ${userId}`).toBe(2500n * BigInt(deposits.length));
  }
}

/** The user's main balance, in cents. */
export async function balanceOf(cluster: Cluster, userId: string): Promise<bigint> {
  const [account] = await cluster.query<{ balance: string }>(
    `select balance::text from account where owner = $1 and asset = 'USD' and kind = 'user'`,
    [userId],
  );
  return BigInt(account?.balance ?? '0');
}

/** So many looks one after the other that find only work of the future, before that future comes. */
const looksBeforeTimePasses = 4;

/** What waits. `isDue`: a worker may take it now. */
const waiting = `select what, tries, due, due <= interval '0' as "isDue" from (
  select 'push' as what, attempts as tries, next_at - now() as due from outbox
    union all select 'webhook', attempts, next_at - now() from webhook_queue
    union all select 'callback', tries, next_at - now() from inbox_queue where status = 'new'
    union all select 'report', attempts, due_at - now() from sandbox_callback
      where finished_at is null and (attempts > 0 or due_at < now() + interval '5 seconds')
    union all select 'wallet', tries, due_at - now() from operator_wallet_queue
    union all select 'withdrawal', checks, check_at - now() from withdrawal
      where state in ('submitted', 'submitted_unknown')
    union all select 'refund', checks, check_at - now() from refund where state in ('requested', 'accepted')) each`;

/**
 * Resolves when no callback, push or webhook waits any more, except what the provider plans for later. Retries of the coming minutes
 * become due as soon as nothing else is left.
 */
export async function untilQuiet(cluster: Cluster): Promise<void> {
  let idleLooks = 0;
  await expect
    .poll(
      async () => {
        const left = await cluster.query<{ isDue: boolean }>(waiting);
        idleLooks = left.some(({ isDue }) => isDue) ? 0 : idleLooks + 1;
        if (left.length > 0 && idleLooks % looksBeforeTimePasses === 0 && idleLooks > 0) await cluster.passTime(60);
        return left;
      },
      { timeout: 200_000, interval: 50 },
    )
    .toEqual([]);
}
