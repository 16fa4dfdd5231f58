/** Steps of transfers as rows of the database, and the name of a refusal. */
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
