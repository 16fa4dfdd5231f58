/** The health of operators' accounts in the database, by which nodes tell each other which accounts fail. */
import type { AccountHealth } from '@opencashier/core/routing/account-health';
import type { CandidateKey } from '@opencashier/core/routing/route';
import type { Queryable } from '../database/database.ts';

export interface StoredHealth {
  readonly operatorId: string;
  readonly account: CandidateKey;
  readonly health: AccountHealth;
}

interface HealthRow {
  readonly operatorId: string;
  readonly account: string;
  readonly outcomes: string;
  readonly demotedUntil: Date | null;
  readonly demotions: number;
  readonly probesAccepted: number;
  readonly changedAt: Date;
}

const select = `select operator_id as "operatorId", account, outcomes, demoted_until as "demotedUntil", demotions,
  probes_accepted as "probesAccepted", changed_at as "changedAt" from routing_health`;

/** The healths that were written in the last minute, or all. */
export async function readHealths(queryable: Queryable, which: 'all' | 'new'): Promise<StoredHealth[]> {
  const rows = await queryable.query<HealthRow>(
    which === 'all'
      ? { text: select }
      : { name: 'routing-health-new', text: `${select} where updated_at > now() - interval '1 minute'` },
  );
  return rows.map(storedHealth);
}

/** The healths of an operator's accounts. */
export async function readHealthsOf(queryable: Queryable, operatorId: string): Promise<StoredHealth[]> {
  const rows = await queryable.query<HealthRow>({ text: `${select} where operator_id = $1`, values: [operatorId] });
  return rows.map(storedHealth);
}

function storedHealth({ operatorId, account, demotedUntil, changedAt, ...rest }: HealthRow): StoredHealth {
  const health = {
    ...rest,
    demotedUntil: demotedUntil?.getTime() ?? null,
    changedAt: changedAt.getTime(),
    unanswered: 0,
    beganAt: 0,
  };
  return { operatorId, account, health };
}

/** Writes healths. A later change of the phase by another node stays. */
export async function saveHealths(queryable: Queryable, healths: readonly StoredHealth[]): Promise<void> {
  if (healths.length === 0) return;
  await queryable.query({
    name: 'routing-health-save',
    text: `insert into routing_health
        (operator_id, account, outcomes, demoted_until, demotions, probes_accepted, changed_at)
      select operator_id, account, outcomes, to_timestamp(demoted_until / 1000.0), demotions, probes_accepted,
        to_timestamp(changed_at / 1000.0)
      from json_to_recordset($1::json) as given(operator_id text, account text, outcomes text, demoted_until int8, demotions int,
        probes_accepted int, changed_at int8)
      order by operator_id, account
      on conflict (operator_id, account) do update set outcomes = excluded.outcomes, demoted_until = excluded.demoted_until,
        demotions = excluded.demotions, probes_accepted = excluded.probes_accepted, changed_at = excluded.changed_at, updated_at = now()
      where routing_health.changed_at <= excluded.changed_at`,
    values: [
      JSON.stringify(
        healths.map(({ operatorId, account, health }) => ({
          operator_id: operatorId,
          account,
          outcomes: health.outcomes,
          demoted_until: health.demotedUntil,
          demotions: health.demotions,
          probes_accepted: health.probesAccepted,
          changed_at: health.changedAt,
        })),
      ),
    ],
  });
}
