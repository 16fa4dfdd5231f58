/** The last problem with the answers of an operator's own bonus engine, for the operator to read (SRV-1). */
import type { BonusEngineView } from '@opencashier/contract/operator';
import type { Queryable } from '../database/database.ts';
import { readBonusesNow } from './bonus-store.ts';
import type { BonusIssue } from './check-bonuses.ts';

export interface EngineProblem {
  readonly why: string;
  readonly questionId: string;
  readonly userId: string;
  /** The wrong fields of the answer. */
  readonly fields: readonly BonusIssue[];
}

/** Replaces a problem that is older than this. So an engine that fails for everybody costs no more than a row a minute. Seconds. */
const REPLACED_AFTER_S = 50;

export async function saveEngineProblem(
  queryable: Queryable,
  operatorId: string,
  { why, questionId, userId, fields }: EngineProblem,
): Promise<void> {
  await queryable.query({
    name: 'bonus-engine-problem',
    text: `insert into bonus_engine_problem as known (operator_id, why, question_id, user_id, fields) values ($1, $2, $3, $4, $5)
      on conflict (operator_id) do update set at = now(), why = excluded.why, question_id = excluded.question_id,
        user_id = excluded.user_id, fields = excluded.fields
      where known.at < now() - make_interval(secs => $6)`,
    values: [operatorId, why, questionId, userId, JSON.stringify(fields), REPLACED_AFTER_S],
  });
}

/** Where the operator's bonuses come from, and the last problem with its engine. */
export async function engineViewOf(queryable: Queryable, operatorId: string): Promise<BonusEngineView> {
  const { engine } = await readBonusesNow(queryable, operatorId);
  const [problem] = await queryable.query<EngineProblem & { readonly at: Date; readonly fields: BonusIssue[] }>({
    text: `select at, why, question_id as "questionId", user_id as "userId", fields from bonus_engine_problem
      where operator_id = $1`,
    values: [operatorId],
  });
  if (problem === undefined) return { source: engine === undefined ? 'list' : 'engine' };
  const { at, fields, ...more } = problem;
  return {
    source: engine === undefined ? 'list' : 'engine',
    problem: { ...more, at: at.toISOString(), ...(fields.length > 0 && { fields }) },
  };
}
