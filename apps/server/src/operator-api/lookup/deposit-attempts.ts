/** The accounts that a deposit was sent to, and why, as staff see them in its detail (SRV-3, SRV-4). It only reads. */
import type { DepositAttempt, TransactionDetail } from '@opencashier/contract/operator';
import type { Queryable } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { readDecision } from '../../routing/decision-store.ts';
import { accountName, type ConnectionName, decisionView } from '../../routing/routing-views.ts';

export type RoutedAttempts = Pick<TransactionDetail, 'routing' | 'attempts'>;

interface AttemptRow {
  readonly attemptId: string;
  readonly depositId: string;
  readonly provider: string;
  readonly connectionId: string | null;
  readonly reference: string | null;
  readonly began: Date;
  readonly ended: Date | null;
  readonly outcome: 'failed' | 'declined' | 'not_sent' | null;
  readonly code: string | null;
  readonly moneyDepositId: string | null;
}

/**
 * The attempts of a deposit and the decision of its route. A deposit that was sent to one account is its own attempt. A deposit that
 * holds the late money of a failed attempt has this attempt, which another deposit made.
 * @throws DomainError not-found
 */
export async function routedAttempts(
  queryable: Queryable,
  operatorId: string,
  depositId: string,
): Promise<RoutedAttempts> {
  const [rows, decision] = await Promise.all([
    attemptsOf(queryable, operatorId, depositId),
    readDecision(queryable, operatorId, depositId),
  ]);
  const connections = await connectionNames(queryable, operatorId);
  return {
    attempts: rows.map((row) => attemptView(row, connections)),
    ...(decision !== undefined && { routing: decisionView(depositId, decision, connections) }),
  };
}

async function attemptsOf(queryable: Queryable, operatorId: string, depositId: string): Promise<AttemptRow[]> {
  const stored = await queryable.query<AttemptRow>({
    name: 'transaction-attempts',
    // The reference is in one deposit: the one that holds the late money, or the one that has the account now.
    text: `with tried as (
        select * from deposit_attempt where operator_id = $1 and deposit_id = $2
        union all select other.* from deposit here join deposit_attempt other
          on other.operator_id = here.operator_id and other.id = here.attempt_id and other.deposit_id <> here.id
        where here.operator_id = $1 and here.id = $2
      )
      select tried.id as "attemptId", tried.deposit_id as "depositId", tried.provider, tried.connection_id as "connectionId",
        has.provider_ref as reference, began_at as began, ended_at as ended, outcome, code, money_deposit_id as "moneyDepositId"
      from tried left join deposit has on has.operator_id = tried.operator_id
        and has.id = coalesce(tried.money_deposit_id, tried.deposit_id)
        and (tried.money_deposit_id is not null or has.attempt_id = tried.id)
      order by n`,
    values: [operatorId, depositId],
  });
  if (stored.length > 0) return stored;
  const [only] = await queryable.query<AttemptRow>({
    name: 'transaction-only-attempt',
    text: `select id as "attemptId", id as "depositId", provider, connection_id as "connectionId", provider_ref as reference,
        created_at as began, null as ended, null as outcome, null as code, null as "moneyDepositId"
      from deposit where operator_id = $1 and id = $2`,
    values: [operatorId, depositId],
  });
  if (only === undefined) throw new DomainError('not-found', 'Transaction not found.');
  return [only];
}

function connectionNames(queryable: Queryable, operatorId: string): Promise<ConnectionName[]> {
  return queryable.query({
    name: 'connection-names',
    text: 'select id, name from provider_connection where operator_id = $1',
    values: [operatorId],
  });
}

function attemptView(row: AttemptRow, connections: readonly ConnectionName[]): DepositAttempt {
  const { connectionId, reference, began, ended, outcome, code, moneyDepositId, ...ids } = row;
  const name = connections.find(({ id }) => id === connectionId)?.name;
  return {
    ...ids,
    ...(name !== undefined && { connection: name }),
    ...(connectionId !== null && { connectionId }),
    ...(reference !== null && { reference }),
    began: began.toISOString(),
    ...(ended !== null && { ended: ended.toISOString() }),
    ...(outcome !== null && { outcome: outcome === 'not_sent' ? 'not-sent' : outcome }),
    ...(code !== null && { code }),
    ...(moneyDepositId !== null && { moneyDepositId }),
  };
}

/** The decision, and the begin and the certain end of each attempt, for the timeline. */
export function attemptMoments({ routing, attempts }: RoutedAttempts): TransactionDetail['timeline'] {
  return [
    ...(routing === undefined ? [] : [{ at: routing.at, kind: 'route' as const, text: decisionText(routing) }]),
    ...attempts.flatMap((attempt) => {
      const { began, ended, outcome, code, attemptId, reference, moneyDepositId } = attempt;
      const at = `${accountName(attempt)} as ${attemptId}`;
      const named = reference === undefined ? '' : `, reference ${reference}`;
      const moments: TransactionDetail['timeline'] = [{ at: began, kind: 'attempt', text: `begun at ${at}${named}` }];
      if (ended === undefined) return moments;
      const money = moneyDepositId === undefined ? '' : `; its late money is in deposit ${moneyDepositId}`;
      const why = code === undefined ? '' : ` (${code})`;
      return [...moments, { at: ended, kind: 'attempt' as const, text: `${outcome}${why} at ${at}${money}` }];
    }),
  ];
}

function decisionText({ method, strategy, version, shadow, order, rejected, isReplayedAlike }: Decision): string {
  const chosen = order.map((one) => `${accountName(one)}: ${one.because}`).join(', ');
  const others = rejected.map((one) => `${accountName(one)}: ${one.because}`).join(', ');
  return [
    `${method} by ${strategy}, version ${version}${shadow ? ', in shadow mode' : ''}: ${chosen}`,
    ...(others === '' ? [] : [`rejected ${others}`]),
    ...(isReplayedAlike ? [] : ['a replay decides otherwise']),
  ].join('; ');
}

type Decision = NonNullable<RoutedAttempts['routing']>;
