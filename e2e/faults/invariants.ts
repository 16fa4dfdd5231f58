/** What must be true after every fault, asked of the database itself. */
import { expect } from 'vitest';
import type { Cluster } from './cluster.ts';
import type { Payer } from './payer.ts';

/** Money is conserved, credited once, and nothing that was acknowledged is lost. `payers` have paid all their deposits. */
export async function expectInvariants(cluster: Cluster, payers: readonly Payer[]): Promise<void> {
  expect(
    await cluster.query('select asset, sum(amount)::text from posting group by asset having sum(amount) <> 0'),
    'the sum of all postings of an asset',
  ).toEqual([]);
  expect(
    await cluster.query(
      `select deposit_id from journal where kind = 'deposit_credit' group by deposit_id having count(*) > 1`,
    ),
    'deposits that were credited more than once',
  ).toEqual([]);
  expect(
    await cluster.query('select deposit_id from sandbox_payment group by deposit_id having count(*) > 1'),
    'deposits with more than one payment at the provider',
  ).toEqual([]);
  expect(
    await cluster.query(
      `select account.id from account join posting on posting.account_id = account.id
        where account.balance is not null group by account.id having account.balance <> sum(posting.amount)`,
    ),
    'balances that differ from their postings',
  ).toEqual([]);

  for (const { userId, deposits } of payers) {
    const rows = await cluster.query<{ id: string; state: string }>(
      'select id, state from deposit where user_id = $1',
      [userId],
    );
    expect(rows.map(({ id }) => id).sort(), `deposits of ${userId}`).toEqual([...deposits].sort());
    expect(rows.filter(({ state }) => state !== 'credited')).toEqual([]);
    const [account] = await cluster.query<{ balance: string }>(
      `select balance::text from account where owner = $1 and asset = 'USD' and kind = 'user'`,
      [userId],
    );
    expect(account?.balance ?? '0', `balance of ${userId}`).toBe(String(2500 * deposits.length));
  }

  const log = cluster.log.join('');
  expect(
    cluster.tokens.filter((token) => log.includes(token)),
    'tokens in the logs',
  ).toEqual([]);
}
