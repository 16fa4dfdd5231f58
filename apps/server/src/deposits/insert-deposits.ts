/** The statement that inserts new deposits of one operator, each with its idempotency key. */

import { type DepositState, depositRank } from '@opencashier/core/deposit/deposit-lifecycle';
import { DEFAULT_LIFETIME_S } from '@opencashier/core/time/countdown';
import type { Batch } from '../database/batches.ts';
import type { Queryable } from '../database/database.ts';
import { firstOfEach } from '../database/first-of-each.ts';
import { BUSY_S } from '../payment-ports/provider-failure.ts';
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
    | 'currency'
    | 'amount'
    | 'country'
    | 'request'
    | 'bonus'
    | 'isOpenAmount'
    | 'openLeast'
    | 'openMaximum'
    | 'box'
  > {
  /** The version of the operator's catalogue settings by which the request was checked. */
  readonly catalogueVersion: number;
  /** True: another user's deposit has the id, so this deposit gets a new one. */
  readonly isIdTaken: boolean;
}

/** What the database adds to a new row. */
type MadeRow = Pick<DepositRow, 'id' | 'userId' | 'publicId' | 'createdAt' | 'expiresAt'>;

const keyOf = ({ userId, publicId }: Pick<DepositRow, 'userId' | 'publicId'>): string => `${publicId} ${userId}`;

/**
 * Inserts keys and rows in one statement; a trigger writes the history. Answers undefined for a deposit whose key exists, and for one
 * whose catalogue changed since the checks. Two of one key compete as in two statements: the first gets the row.
 * @param wanted deposits of one operator
 * @param mostWaitMs how long the statement waits for a key that another transaction holds; absent: as other statements do
 */
export async function insertDeposits(
  queryable: Queryable,
  wanted: Batch<NewDepositRow>,
  mostWaitMs?: number,
): Promise<(DepositRow | undefined)[]> {
  const asked = firstOfEach(wanted, keyOf);
  const column = <Name extends keyof NewDepositRow>(name: Name) => asked.map((deposit) => deposit[name]);
  const rows = await queryable.query<MadeRow>({
    name: 'deposit-insert',
    // All batches insert in the order of the keys, so that two batches never wait for each other.
    text: `with asked as (
        select * from unnest($2::text[], $3::uuid[], $4::bytea[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[],
          $10::jsonb[], $11::jsonb[], $12::boolean[], $13::bigint[], $14::bigint[], $15::jsonb[], $16::int[], $17::boolean[])
        as asked(user_id, client_key, fingerprint, payment_method, provider, currency, amount, country,
          request, bonus, open_amount, open_least, open_most, box, catalogue_version, is_id_taken)
      ), taken as (
        insert into deposit_key (operator_id, user_id, client_key, deposit_id)
        select $1, user_id, client_key, case when is_id_taken then gen_random_uuid() else client_key end from asked
        where catalogue_version = coalesce((select version from catalogue_settings where operator_id = $1), 0)
          and (select set_config('lock_timeout', coalesce($23, current_setting('lock_timeout')), true) is not null)
        order by asked.client_key, user_id
        on conflict do nothing returning user_id, client_key, deposit_id
      )
      insert into deposit (id, operator_id, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
        country, state, rank, request, lifetime_s, expires_at, busy_until, check_at, bonus, open_amount,
        open_least, open_most, box)
      select deposit_id, $1, user_id, client_key, fingerprint, payment_method, provider, currency, amount,
        country, $21, $22, request, $18::int, now() + make_interval(secs => $18::int),
        now() + make_interval(secs => $19), now() + make_interval(secs => $20), bonus, open_amount,
        open_least, open_most, box
      from taken join asked using (user_id, client_key) order by client_key, user_id
      returning id, user_id as "userId", client_key as "publicId", created_at as "createdAt", expires_at as "expiresAt"`,
    values: [
      wanted[0].operatorId,
      column('userId'),
      column('publicId'),
      column('fingerprint'),
      column('paymentMethod'),
      column('provider'),
      column('currency'),
      column('amount'),
      column('country'),
      asked.map(({ request }) => JSON.stringify(request)),
      asked.map(({ bonus }) => bonus && JSON.stringify(bonus)),
      column('isOpenAmount'),
      column('openLeast'),
      column('openMaximum'),
      asked.map(({ box }) => box && JSON.stringify(box)),
      column('catalogueVersion'),
      column('isIdTaken'),
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
    ageS: 0,
    received: null,
    paid: null,
    credited: null,
    paidDebt: null,
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
    // Both are the time at which the transaction began.
    serverTime: made.createdAt,
  };
}
