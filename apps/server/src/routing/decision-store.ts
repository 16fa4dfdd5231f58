/** Decisions of routes in the database (SRV-4). A decision is stored with its deposit, without its route: that is in `routing_change`. */
import type { Route, RoutingDecision } from '@opencashier/core/routing/route';
import type { Queryable } from '../database/database.ts';
import { readRoutesOf } from './policy-store.ts';

/** A decision as the database has it. Plain JSON. */
export interface StoredDecision extends Omit<RoutingDecision, 'inputs'> {
  readonly inputs: Omit<RoutingDecision['inputs'], 'route'>;
}

/** What is stored of a decision. The route is found again by `policyVersion` and the method of the payment. */
export function storedDecision({ inputs: { route: _route, ...inputs }, ...decision }: RoutingDecision): StoredDecision {
  return { ...decision, inputs };
}

/**
 * A part of the statement that inserts deposits: it stores the decision of each one that `taken` says is new, in the same transaction. The
 * relations `asked` and `taken` are those of `insertDeposits`.
 * @param operator SQL text of the operator's id, never input
 */
export const insertDecisions = (operator: string): string => `, decided as (
        insert into routing_decision (operator_id, deposit_id, policy_version, shadow, decision)
        select ${operator}, deposit_id, (decision ->> 'policyVersion')::int, (decision ->> 'isShadow')::boolean, decision
        from taken join asked using (user_id, client_key) where decision is not null
      )`;

/** A stored decision with its route, as `replay` takes it. */
export interface KeptDecision {
  readonly decision: RoutingDecision;
  /** When the deposit was created. */
  readonly at: Date;
}

/**
 * The decision of a deposit.
 * @returns undefined: the deposit had no route, or its decision was forgotten
 */
export async function readDecision(
  queryable: Queryable,
  operatorId: string,
  depositId: string,
): Promise<KeptDecision | undefined> {
  // The bounds leave out the other months before they are opened. A deposit and its decision begin in one transaction.
  const [row] = await queryable.query<{ decision: StoredDecision; at: Date }>({
    text: `select decision, time_of_id(id) as at from routing_decision
      where operator_id = $1 and deposit_id = $2
        and id >= time_id_at((select created_at - interval '1 minute' from deposit where operator_id = $1 and id = $2))
        and id < time_id_at((select created_at + interval '1 minute' from deposit where operator_id = $1 and id = $2))`,
    values: [operatorId, depositId],
  });
  if (row === undefined) return undefined;
  const routes = await readRoutesOf(queryable, operatorId, row.decision.policyVersion);
  const route = routes?.find(({ method }) => method === row.decision.inputs.payment.method);
  if (route === undefined) throw new Error(`The route of the decision about deposit ${depositId} is missing`);
  return { decision: withRoute(row.decision, route), at: row.at };
}

function withRoute({ inputs, ...decision }: StoredDecision, route: Route): RoutingDecision {
  return { ...decision, inputs: { ...inputs, route } };
}
