/** Everything that reports leave in the database for some users, without times and random ids, so that two runs can be compared. */
import type { Database } from '../../database/database.ts';

/** Each kind of row, with `$1`: the ids of the users. */
const QUERIES: Readonly<Record<string, string>> = {
  deposit: `select to_jsonb(deposit) - '{fingerprint,created_at,updated_at,expires_at,check_at,review_since}'::text[]
      || jsonb_build_object('isChecked', check_at is not null, 'isReviewed', review_since is not null) as row
    from deposit where user_id = any($1)`,
  history: `select jsonb_build_array(deposit_id, n, from_state, to_state, deposit_history.cause) as row
    from deposit_history join deposit on deposit.id = deposit_id where user_id = any($1)`,
  payment: `select to_jsonb(payment) - '{id,created_at,updated_at,credited_at,review_since}'::text[]
      || jsonb_build_object('isCredited', credited_at is not null) as row
    from payment join deposit on deposit.id = deposit_id where user_id = any($1)`,
  dispute: `select to_jsonb(dispute) - '{id,payment_id,created_at,updated_at}'::text[] as row
    from dispute join deposit on deposit.id = deposit_id where user_id = any($1)`,
  journal: `select jsonb_build_array(journal.operator_id, journal.kind, deposit_id, ext_source, ext_ref, note,
      (select payment.provider_ref from payment where payment.id = journal.payment_id), dispute_id is not null,
      (select jsonb_agg(jsonb_build_array(owner, account.asset, account.kind, posting.amount) order by account.kind, account.asset)
        from posting join account on account.id = account_id where journal_id = journal.id)) as row
    from journal join deposit on deposit.id = deposit_id where user_id = any($1)`,
  account: `select jsonb_build_array(operator_id, owner, asset, kind, balance, frozen_at is not null) as row
    from account where owner = any($1)`,
  event: `select to_jsonb(deposit_event) - '{body_id,body_hash,received_at,next_at}'::text[]
      || jsonb_build_object('isDue', next_at is not null, 'body', told.body) as row
    from deposit_event left join event_body on event_body.id = body_id left join deposit on deposit.id = deposit_id
      cross join lateral (select coalesce(deposit_event.body, event_body.body) as body) told
    where user_id = any($1) or exists (select 1 from deposit other where other.user_id = any($1) and
      (other.id::text = told.body ->> 'depositId' or other.provider_ref = told.body ->> 'providerRef'))`,
  webhook: `select to_jsonb(webhook_delivery) - '{id,created_at,next_at}'::text[] as row
    from webhook_delivery join deposit on deposit.id = deposit_id where user_id = any($1)`,
  push: `select jsonb_build_array(topic, operator_id, user_id, name, body - 'serverTime' - 'created', attempts) as row
    from outbox where user_id = any($1)`,
};

/**
 * @param names what differs between two runs, each with a name of its own: ids of users, deposits and operators
 * @returns a line for each row, sorted
 */
export async function rowsOfUsers(
  database: Database,
  users: readonly string[],
  names: readonly (readonly [string, string])[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const [kind, text] of Object.entries(QUERIES)) {
    const rows = await database.query<{ row: unknown }>({ text, values: [users] });
    lines.push(...rows.map(({ row }) => `${kind} ${JSON.stringify(row)}`));
  }
  const renamed = lines.map((line) => names.reduce((text, [id, name]) => text.replaceAll(id, `<${name}>`), line));
  return renamed.map((line) => line.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, '<time>')).sort();
}
