/**
 * A deposit goes on to the next account of its route (SRV-4). One committed transaction ends the attempt before and begins the next,
 * before the next provider is asked. The database refuses it unless the attempt before has certainly taken nothing.
 */
import { randomUUID } from 'node:crypto';
import type { Transaction } from '../database/database.ts';
import { wordFiles } from '../languages/word-files.ts';
import { createWords } from '../languages/words.ts';
import { type ChosenAccount, isConnectionInForce } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { BUSY_S } from '../payment-ports/provider-failure.ts';
import { type DepositRow, depositColumns, idAtProvider, readDeposit, transactionView } from './deposit-row.ts';
import { lockDeposit } from './deposit-store.ts';

/** How an attempt ended of which it is certain that no money moved. */
export interface EndedAttempt {
  /** `not_sent`: the account could not be asked. */
  readonly outcome: 'failed' | 'declined' | 'not_sent';
  /** For staff. */
  readonly code: string;
}

/** The account that is asked next, and what its provider gets in place of the method's options. */
export interface NextAccount {
  readonly account: ChosenAccount;
  readonly options: Readonly<Record<string, string>>;
}

/**
 * - `begun`: the deposit now has the next account, and nobody else calls its provider.
 * - `not-in-force`: the account was changed or disabled meanwhile. The deposit has its old one.
 * - `moved`: a report, a cancel or another node has the deposit. It keeps its old account.
 */
export type NextAttempt =
  | { readonly kind: 'begun'; readonly row: DepositRow }
  | { readonly kind: 'not-in-force' }
  | { readonly kind: 'moved' };

const CALM = 'Trying another way. Nothing was charged.';
const words = createWords(wordFiles);

/** Begins the next attempt of a deposit, and tells the payer. */
export async function beginNextAttempt(
  core: PaymentsCore,
  asked: DepositRow,
  ended: EndedAttempt,
  next: NextAccount,
): Promise<NextAttempt> {
  const result = await core.database.transaction(async (transaction): Promise<NextAttempt> => {
    const row = await lockDeposit(transaction, asked);
    if (row === undefined) throw new Error(`Deposit ${asked.id} no longer exists`);
    const isStill = row.state === 'created' && row.providerRef === null && idAtProvider(row) === idAtProvider(asked);
    if (!isStill) return { kind: 'moved' };
    if (!(await isOfFirstCall(transaction, row))) return { kind: 'moved' };
    if (!(await isInForce(transaction, row, next.account))) return { kind: 'not-in-force' };
    const attemptId = randomUUID();
    await storeAttempts(transaction, row, ended, { attemptId, ...next.account });
    const after = await changeAccount(transaction, row, attemptId, next);
    await tellPayer(transaction, after);
    core.failpoint?.('attempt-uncommitted');
    return { kind: 'begun', row: after };
  });
  if (result.kind !== 'begun') return result;
  core.failpoint?.('attempt-begun');
  core.onChange();
  return result;
}

/** Whether the account is as it was when it was chosen. */
async function isInForce(
  transaction: Transaction,
  { operatorId }: DepositRow,
  { provider, connection }: ChosenAccount,
): Promise<boolean> {
  const [found] = await transaction.query<{ isInForce: boolean }>({
    name: 'attempt-in-force',
    text: `select ${isConnectionInForce('$1', '$2', '$3::uuid', '$4::int')} as "isInForce"`,
    values: [operatorId, provider, connection?.id ?? null, connection?.version ?? null],
  });
  return found?.isInForce === true;
}

/**
 * Whether the first call about the present attempt still has the deposit. After {@link BUSY_S} a repeat takes the deposit over and may be
 * asking the provider right now: then the failure of this call proves nothing about the repeat's.
 */
export async function isOfFirstCall(
  transaction: Transaction,
  { operatorId, id, attemptId }: Pick<DepositRow, 'operatorId' | 'id' | 'attemptId'>,
): Promise<boolean> {
  const [found] = await transaction.query<{ isOurs: boolean }>({
    name: 'attempt-of-first-call',
    text: `select coalesce(busy_until = began + make_interval(secs => $4), false) as "isOurs"
      from (select busy_until, case when attempt_id is null then created_at
          else (select began_at from deposit_attempt where operator_id = $1 and deposit_attempt.id = $3) end as began
        from deposit where operator_id = $1 and id = $2) as deposit`,
    values: [operatorId, id, attemptId, BUSY_S],
  });
  if (found === undefined) throw new Error(`Deposit ${id} no longer exists`);
  return found.isOurs;
}

/** Ends the attempt of the row, and stores the next. The first attempt is the deposit itself, so it gets its row only here. */
async function storeAttempts(
  transaction: Transaction,
  row: DepositRow,
  { outcome, code }: EndedAttempt,
  next: Pick<ChosenAccount, 'provider' | 'connection'> & { readonly attemptId: string },
): Promise<void> {
  const { operatorId, id } = row;
  const first = [operatorId, id, row.provider, row.connectionId, row.createdAt, outcome, code];
  await transaction.query(
    row.attemptId === null
      ? {
          name: 'attempt-end-first',
          text: `insert into deposit_attempt (operator_id, deposit_id, n, id, provider, connection_id, began_at, outcome, code, ended_at)
            values ($1, $2, 1, $2, $3, $4, $5, $6, $7, now())`,
          values: first,
        }
      : {
          name: 'attempt-end',
          text: 'update deposit_attempt set outcome = $3, code = $4, ended_at = now() where operator_id = $1 and id = $2',
          values: [operatorId, row.attemptId, outcome, code],
        },
  );
  await transaction.query({
    name: 'attempt-begin',
    text: `insert into deposit_attempt (operator_id, deposit_id, n, id, provider, connection_id)
      select $1, $2, max(n) + 1, $3, $4, $5 from deposit_attempt where operator_id = $1 and deposit_id = $2`,
    values: [operatorId, id, next.attemptId, next.provider, next.connection?.id ?? null],
  });
}

async function changeAccount(
  transaction: Transaction,
  { operatorId, id }: DepositRow,
  attemptId: string,
  { account, options }: NextAccount,
): Promise<DepositRow> {
  const [changed] = await transaction.query<DepositRow>({
    name: 'deposit-next-attempt',
    text: `update deposit set provider = $3, connection_id = $4, attempt_id = $5, busy_until = now() + make_interval(secs => $6),
        check_at = now() + make_interval(secs => $6 + 1), request = jsonb_set(request, '{providerOptions}', $7::jsonb)
      where operator_id = $1 and id = $2 returning ${depositColumns}`,
    values: [
      operatorId,
      id,
      account.provider,
      account.connection?.id ?? null,
      attemptId,
      BUSY_S,
      JSON.stringify(options),
    ],
  });
  if (changed === undefined) throw new Error(`Deposit ${id} no longer exists`);
  return readDeposit(changed);
}

/** Pushes one calm sentence to the payer's widgets, which show it while the deposit is being created. */
async function tellPayer(transaction: Transaction, row: DepositRow): Promise<void> {
  const notice = words(CALM, row.request.language) ?? CALM;
  await transaction.query({
    name: 'outbox-push',
    text: `insert into outbox (topic, operator_id, user_id, name, body) values ('push', $1, $2, 'deposit.status', $3)`,
    values: [row.operatorId, row.userId, JSON.stringify({ ...transactionView(row), notice })],
  });
}

/** Stores the request of a further attempt before the call. Answers the one that was stored first. */
export async function keepAttemptRequest(core: PaymentsCore, row: DepositRow, request: string): Promise<string> {
  const [kept] = await core.database.query<{ request: string }>({
    name: 'attempt-request',
    text: `update deposit_attempt set request = coalesce(request, $3) where operator_id = $1 and id = $2 returning request`,
    values: [row.operatorId, row.attemptId, request],
  });
  if (kept === undefined) throw new Error(`The request of attempt ${row.attemptId} was not stored`);
  return kept.request;
}
