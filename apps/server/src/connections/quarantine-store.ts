/** Which accounts of an operator are in quarantine, as the nodes have written it for staff (SRV-9). The rule is in provider-processes. */
import type { ConnectionView } from '@opencashier/contract/operator';
import type { Database, Queryable } from '../database/database.ts';

/** What staff see of a quarantine. */
export type QuarantineView = NonNullable<ConnectionView['quarantine']>;

/** The account of the installation, where an id of a connection would stand. */
export const INSTALLATION_ACCOUNT = 'installation';

export interface QuarantineRow extends Omit<QuarantineView, 'since' | 'until'> {
  readonly operatorId: string;
  /** The id of a connection, or {@link INSTALLATION_ACCOUNT}. */
  readonly account: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
}

/** Replaces what a node has in quarantine at a provider. Rows of nodes that ended a day ago leave, too. */
export async function saveQuarantines(
  database: Pick<Database, 'query'>,
  {
    node,
    provider,
    rows,
  }: { readonly node: string; readonly provider: string; readonly rows: readonly QuarantineRow[] },
): Promise<void> {
  const instants = rows.map(({ since, until, ...row }) => ({
    ...row,
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
  }));
  await database.query({
    text: `with given as (
        select * from jsonb_to_recordset($3) as one("operatorId" text, account text, state text, crashes int, since timestamptz, until timestamptz)
      ), gone as (
        delete from provider_quarantine old where old.provider = $2
          and (old.node = $1 or old.until < now() - interval '1 day')
          and not exists (select 1 from given
            where old.node = $1 and given."operatorId" = old.operator_id and given.account = old.account)
      )
      insert into provider_quarantine (operator_id, provider, account, node, state, crashes, since, until)
      select "operatorId", $2, account, $1, state, crashes, since, until from given order by "operatorId", account
      on conflict (operator_id, provider, account, node) do update
        set state = excluded.state, crashes = excluded.crashes, since = excluded.since, until = excluded.until`,
    values: [node, provider, JSON.stringify(instants)],
  });
}

/** What is in quarantine now, the worst state of all nodes. */
export async function readQuarantines(
  queryable: Queryable,
  operatorId: string,
): Promise<(provider: string, account: string) => QuarantineView | undefined> {
  const rows = await queryable.query<{
    provider: string;
    account: string;
    state: QuarantineView['state'];
    crashes: number;
    since: Date;
    until: Date;
  }>({
    text: `select provider, account, max(crashes) as crashes, min(since) as since, max(until) as until,
        case when bool_or(state = 'off') then 'off' when bool_or(state = 'proven') then 'proven' else 'suspected' end as state
      from provider_quarantine where operator_id = $1 and until > now() group by provider, account`,
    values: [operatorId],
  });
  return (provider, account) => {
    const row = rows.find((one) => one.provider === provider && one.account === account);
    if (row === undefined) return undefined;
    const { state, crashes, since, until } = row;
    return { state, crashes, since: since.toISOString(), until: until.toISOString() };
  };
}
