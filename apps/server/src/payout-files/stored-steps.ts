/** Steps of transfers as rows of the database, which transfers have such rows, and the name of a refusal. */
import type { Queryable } from '../database/database.ts';
import { constraintOf, sqlStateOf } from '../database/pool-database.ts';
import type { TransferStep } from './judge-facts.ts';

/** A step with its place among the steps of its message. */
export interface PlacedStep extends TransferStep {
  readonly n: number;
}

/** A row of a step. */
export interface StoredStep {
  readonly n: number;
  readonly withdrawalId: string;
  readonly to: TransferStep['to'];
  readonly reason: string | null;
  readonly returned: bigint | null;
}

export const stepOf = ({ withdrawalId, to, reason, returned }: StoredStep): TransferStep => ({
  withdrawalId,
  to,
  reason: reason ?? undefined,
  returned: returned ?? undefined,
});

/** The steps as arrays: place, transfer, state, reason, and what came back. */
export function columnsOf(steps: readonly PlacedStep[]): readonly unknown[][] {
  return [
    steps.map(({ n }) => n),
    steps.map(({ withdrawalId }) => withdrawalId),
    steps.map(({ to }) => to),
    steps.map(({ reason }) => reason?.slice(0, 35) ?? null),
    steps.map(({ returned }) => returned ?? null),
  ];
}

/** The constraint or the code of an error. Its message may repeat data of a payee. */
export function nameOf(error: unknown): string {
  return (constraintOf(error) ?? sqlStateOf(error) ?? (error instanceof Error ? error.name : 'Error')).slice(0, 100);
}

/**
 * A condition of SQL: a step of a bank message waits for the transfer, or is set aside.
 * @param transfer the name of its table in the query
 */
export const hasStepWaiting = (transfer: string): string => `(
  exists (select 1 from bank_message_step step where step.operator_id = ${transfer}.operator_id and step.withdrawal_id = ${transfer}.withdrawal_id)
  or exists (select 1 from bank_step_set_aside aside where aside.operator_id = ${transfer}.operator_id
    and aside.withdrawal_id = ${transfer}.withdrawal_id and aside.ended_at is null))`;

/** Those of these transfers, which the transaction has locked, for which a step of a bank message waits or is set aside. */
export async function transfersWithSteps(
  queryable: Queryable,
  operatorId: string,
  withdrawalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queryable.query<{ id: string }>({
    name: 'payout-transfers-with-steps',
    text: `select withdrawal_id as id from bank_message_step where operator_id = $1 and withdrawal_id = any($2::uuid[])
      union select withdrawal_id from bank_step_set_aside where operator_id = $1 and withdrawal_id = any($2::uuid[]) and ended_at is null`,
    values: [operatorId, withdrawalIds],
  });
  return new Set(rows.map(({ id }) => id));
}
