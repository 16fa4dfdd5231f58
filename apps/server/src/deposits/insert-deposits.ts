/** The statement that inserts new deposits of one operator, each with its idempotency key. */

import { type DepositState, depositRank } from '@opencashier/core/deposit/deposit-lifecycle';
import type { RoutingDecision } from '@opencashier/core/routing/route';
import { DEFAULT_LIFETIME_S } from '@opencashier/core/time/countdown';
import type { Batch } from '../database/batches.ts';
import type { Queryable } from '../database/database.ts';
import { firstOfEach } from '../database/first-of-each.ts';
import { isConnectionInForce } from '../payment-ports/connected-providers.ts';
import { BUSY_S } from '../payment-ports/provider-failure.ts';
import { insertDecisions, storedDecision } from '../routing/decision-store.ts';
import type { DepositRow } from './deposit-row.ts';

/** The state of a deposit that its provider has not answered yet. */
const STATE = 'created' satisfies DepositState;

/** What a create call stores of a deposit. */
export interface NewDepositRow
  extends Pick<
    DepositRow,
    | 'operatorId'
    | 'userId'
    | 'publicId'
    | 'fingerprint'
    | 'paymentMethod'
    | 'provider'
    | 'connectionId'
    | 'currency'
    | 'amount'
    | 'country'
    | 'request'
    | 'bonus'
    | 'isOpenAmount'
    | 'openLeast'
    | 'openMaximum'
    | 'box'
    | 'fee'
  > {
  /** The version of the connection by which the request was checked. Null: it has no connection. */
  readonly connectionVersion: number | null;
  /** The version of the operator's catalogue settings by which the request was checked. */
  readonly catalogueVersion: number;
  /** The version of the user's own limits and blocks by which the request was checked. 0: none. */
  readonly userVersion: number;
  /** The decision of the method's route, which is stored with the deposit. Null: there is no route. */
  readonly decision: RoutingDecision | null;
  /** True: another user's deposit has the id, so this deposit gets a new one. */
  readonly isIdTaken: boolean;
}

/** What the database adds to a new row. */
type MadeRow = Pick<DepositRow, 'id' | 'userId' | 'publicId' | 'createdAt' | 'expiresAt'>;

const keyOf = ({ userId, publicId }: Pick<DepositRow, 'userId' | 'publicId'>): string => `${publicId} ${userId}`;

/**
 * Inserts keys and rows in one statement; a trigger writes the history. Answers undefined for a deposit whose key exists, and for one
 * whose catalogue, connection or user's rules changed since the checks, or whose operator accepts no deposits. Two of one key compete as in two statements: the first gets the row.
 * @param wanted deposits of one operator
 * @param mostWaitMs how long the statement waits for a key that another transaction holds; absent: as other statements do
 */
export async function insertDeposits(
  queryable: Queryable,
  wanted: Batch<NewDepositRow>,
  mostWaitMs?: number,
): Promise<(DepositRow | undefined)[]> {
  const asked = firstOfEach(wanted, keyOf);
  const isRouted = asked.some(({ decision }) => decision !== null);
  const rows = await queryable.query<MadeRow>({
    name: isRouted ? 'deposit-insert-routed' : 'deposit-insert',
    // JSON costs the server and the database less than an array for each column. All batches insert in the order of the keys, so
    // that two batches never wait for each other.
    text: `with asked as (
        select * from json_to_recordset($2::json)
        as asked(user_id text, client_key uuid, fingerprint bytea, payment_method text, provider text, currency text, amount bigint,
          country text, request jsonb, bonus jsonb, open_amount boolean, open_least bigint, open_most bigint, box jsonb, fee jsonb,
          catalogue_version int, user_version int, is_id_taken boolean, connection_id uuid, connection_version int, decision jsonb)
      ), taken as (
        insert into deposit_key (operator_id, user_id, client_key, deposit_id)
        select $1, user_id, client_key, case when is_id_taken then gen_random_uuid() else client_key end from asked
        where catalogue_version = coalesce((select version from catalogue_settings where operator_id = $1), 0)
          and (select deposits_open from operator where id = $1)
          and user_version = coalesce((select version from user_policy where operator_id = $1 and user_policy.user_id = asked.user_id), 0)
          and ${isConnectionInForce('$1', 'asked.provider', 'asked.connection_id', 'asked.connection_version')}
          and (select set_config('lock_timeout', coalesce($8, current_setting('lock_timeout')), true) is not null)
        order by asked.client_key, user_id
        on conflict do nothing returning user_id, client_key, deposit_id
      )${isRouted ? insertDecisions('$1') : ''}
      insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
        country, state, rank, request, lifetime_s, expires_at, busy_until, check_at, bonus, open_amount,
        open_least, open_most, box, fee, connection_id)
      select deposit_id, $1, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
        country, $6, $7, request, $3::int, now() + make_interval(secs => $3::int),
        now() + make_interval(secs => $4), now() + make_interval(secs => $5), bonus, open_amount,
        open_least, open_most, box, fee, connection_id
      from taken join asked using (user_id, client_key) order by client_key, user_id
      returning id, user_id as "userId", client_key as "publicId", created_at as "createdAt", expires_at as "expiresAt"`,
    values: [
      wanted[0].operatorId,
      JSON.stringify(asked.map(asJson)),
      DEFAULT_LIFETIME_S,
      BUSY_S,
      BUSY_S + 1,
      STATE,
      depositRank(STATE),
      mostWaitMs === undefined ? null : String(mostWaitMs),
    ],
  });
  const made = new Map(rows.map((row) => [keyOf(row), row]));
  const isAsked = new Set(asked);
  return wanted.map((deposit) => {
    const row = isAsked.has(deposit) ? made.get(keyOf(deposit)) : undefined;
    return row && newDeposit(deposit, row);
  });
}

/** The columns of a new row as JSON, which has no bigint. */
function asJson(deposit: NewDepositRow): object {
  return {
    user_id: deposit.userId,
    client_key: deposit.publicId,
    fingerprint: `\\x${deposit.fingerprint.toString('hex')}`,
    payment_method: deposit.paymentMethod,
    provider: deposit.provider,
    currency: deposit.currency,
    amount: String(deposit.amount),
    country: deposit.country,
    request: deposit.request,
    bonus: deposit.bonus,
    open_amount: deposit.isOpenAmount,
    open_least: deposit.openLeast?.toString(),
    open_most: deposit.openMaximum?.toString(),
    box: deposit.box,
    fee: deposit.fee,
    catalogue_version: deposit.catalogueVersion,
    user_version: deposit.userVersion,
    is_id_taken: deposit.isIdTaken,
    connection_id: deposit.connectionId,
    connection_version: deposit.connectionVersion,
    decision: deposit.decision && storedDecision(deposit.decision),
  };
}

/**
 * The row as the database has it. Reading forty columns back would cost more than it tells. Each field is named, because copies of
 * objects with so many fields are slow.
 */
function newDeposit(stored: NewDepositRow, made: MadeRow): DepositRow {
  return {
    id: made.id,
    operatorId: stored.operatorId,
    userId: stored.userId,
    publicId: stored.publicId,
    fingerprint: stored.fingerprint,
    paymentMethod: stored.paymentMethod,
    provider: stored.provider,
    connectionId: stored.connectionId,
    attemptId: null,
    providerRef: null,
    currency: stored.currency,
    amount: stored.amount,
    isOpenAmount: stored.isOpenAmount,
    openLeast: stored.openLeast,
    openMaximum: stored.openMaximum,
    furtherOf: null,
    country: stored.country,
    state: STATE,
    rank: depositRank(STATE),
    request: stored.request,
    response: null,
    failure: null,
    isBusy: true,
    createdAt: made.createdAt,
    lifetimeS: DEFAULT_LIFETIME_S,
    expiresAt: made.expiresAt,
    checks: 0,
    lastCallAt: new Date(made.createdAt.getTime() + BUSY_S * 1000),
    received: null,
    paid: null,
    credited: null,
    paidDebt: null,
    chargedFee: null,
    reason: null,
    review: null,
    reviews: 0,
    remoteStatus: null,
    txid: null,
    blockchain: null,
    cryptoCurrency: null,
    confirmations: null,
    requiredConfirmations: null,
    bonus: stored.bonus,
    box: stored.box,
    fee: stored.fee,
    // Both are the time at which the transaction began.
    serverTime: made.createdAt,
  };
}
