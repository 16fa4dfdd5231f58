/** The list of credited money that providers took back, in full or in part, by a dispute or their own refund (SRV-1, SRV-2). */
import type { PageQuery, ReversalPage } from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import type { Queryable } from '../../database/database.ts';
import { idIn, newestIds, timesOf } from '../../requests/months-back.ts';
import { momentAndId, pagedList } from '../../requests/page-cursor.ts';

const reversalList = pagedList('reversals', momentAndId);

interface ReversalRow {
  readonly id: string;
  readonly depositId: string;
  readonly userId: string;
  readonly provider: string;
  readonly reference: string;
  readonly isPartial: boolean;
  readonly currency: string;
  readonly amount: bigint;
  readonly owed: bigint;
  readonly at: Date;
  readonly atText: string;
}

/** The planner expects lines in each month, and would read all accounts of the operator for so many. `offset 0` lets it only search. */
const ofPosting = `select * from account where operator_id = $1 and id = posting.account_id offset 0`;

/** `offset 0`: the lines come first. From the provider's account a plan would read all its postings. */
const linesOfJournal = `select account_id, asset, amount from known_posting
  where operator_id = $1 and journal_id = journal.id and ${idIn('journal_id', '$3', '$4')} offset 0`;

/** The ids of a page come first: joined before that, every chargeback of the operator would be read. */
const idsOfMonths = `select id from known_journal
  where operator_id = $1 and kind = 'deposit_reversal' and ${idIn('id', '$5', '$6')}
    and ($2::timestamptz is null or ((at, id) < ($2::timestamptz, $3::uuid) and id < time_id_at($2::timestamptz + interval '1 ms')))
  order by at desc, id desc limit $4`;

const reversalsWith = `select journal.id, journal.deposit_id as "depositId", deposit.user_id as "userId", deposit.provider,
    journal.ext_ref as reference, starts_with(journal.ext_ref, deposit.provider_ref || ':part:') as "isPartial",
    moved.asset as currency, moved.amount, coalesce(debt.amount, 0) as owed, journal.at, journal.at::text as "atText"
  from (
    select id, deposit_id, ext_ref, at from known_journal
    where operator_id = $1 and id = any($2::uuid[]) and ${idIn('id', '$3', '$4')} offset 0) journal
  join deposit on deposit.operator_id = $1 and deposit.id = journal.deposit_id
  cross join lateral (select posting.asset, posting.amount from (${linesOfJournal}) posting
    cross join lateral (${ofPosting}) account
    where account.kind = 'provider_clearing') moved
  left join lateral (select -posting.amount as amount from (${linesOfJournal}) posting
    cross join lateral (${ofPosting}) account
    where account.kind = 'reversal_debt' and posting.asset = moved.asset) debt on true
  order by journal.at desc, journal.id desc`;

/** Newest first. @param cursor from the page before; `undefined`: the first page */
export async function reversalPage(
  database: Queryable,
  operatorId: string,
  { limit, cursor }: PageQuery,
): Promise<ReversalPage> {
  const after = reversalList.placeOf(cursor);
  // Without names, so that both are planned for this cursor and these times: see transaction-page.
  const ids = await newestIds(database, operatorId, {
    after: after?.id,
    limit: limit + 1,
    statement: (since, until, most) => ({
      text: idsOfMonths,
      values: [operatorId, after?.at ?? null, after?.id ?? null, most, since, until],
    }),
  });
  if (ids.length === 0) return { reversals: [] };
  const rows = await database.query<ReversalRow>({
    text: reversalsWith,
    values: [operatorId, ids.map(({ id }) => id), ...timesOf(ids)],
  });
  const { page, next } = reversalList.pageOf(rows, limit, ({ atText, id }) => ({ at: atText, id }));
  return {
    reversals: page.map(({ id, atText: _atText, at, amount, owed, isPartial, currency, ...named }) => ({
      reversalId: id,
      ...named,
      isPartial,
      amount: toDecimalString(amount, decimalsOf(currency)),
      currency,
      owed: toDecimalString(owed, decimalsOf(currency)),
      at: at.toISOString(),
    })),
    ...next,
  };
}
