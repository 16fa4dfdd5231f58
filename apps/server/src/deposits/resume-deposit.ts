/**
 * Peer-to-peer: somebody waits for one transfer of this person, so that a second deposit of the method goes on with the open
 * one (DEP-11). The new key is tied to it for ever: a repeat, a status or a cancel under that key means the open deposit.
 */
import type { DepositResponse } from '@opencashier/contract/api';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from './deposit-row.ts';
import { type DepositKey, findByKey } from './deposit-store.ts';
import { emptyResponse } from './submit-deposit.ts';

/**
 * @returns `tied`: the key stands for something already, or does so now; `busy`: a deposit of the method is being created at
 *   this moment under another key, so that nobody can say yet; `free`
 */
export async function tieToOpenDeposit(
  transaction: Transaction,
  key: DepositKey,
  method: string,
): Promise<'tied' | 'busy' | 'free'> {
  // Two tabs that ask at once under two keys must not both find nothing.
  await transaction.query({
    name: 'deposit-p2p-lock',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [JSON.stringify([key.operatorId, key.userId, method])],
  });
  if ((await findByKey(transaction, key)) !== undefined) return 'tied';
  // Asked first: a creation that ends between the two statements would be seen by neither in the other order. None can begin
  // meanwhile, since it needs the lock.
  const busy = await transaction.query({
    name: 'deposit-p2p-busy',
    text: `select 1 from deposit where operator_id = $1 and user_id = $2 and payment_method = $3 and state = 'created'
      and busy_until > now() and (request ->> 'isP2p')::boolean limit 1`,
    values: [key.operatorId, key.userId, method],
  });
  if (busy.length > 0) return 'busy';
  const tied = await transaction.query({
    name: 'deposit-tie',
    // Only what can be shown is gone on with: an answer that names nobody to pay would hold the person for nothing.
    text: `insert into deposit_key (operator_id, user_id, client_key, deposit_id)
      select operator_id, user_id, $3, id from deposit
      where operator_id = $1 and user_id = $2 and payment_method = $4 and state = 'awaiting_payment' and review is null
        and expires_at > now() and (request ->> 'isP2p')::boolean
        and jsonb_typeof(response #> '{apiResponse,data,card}') = 'object'
        and response #> '{apiResponse,data,timeout_minutes}' is not null
      order by created_at desc limit 1
      on conflict do nothing returning deposit_id`,
    values: [key.operatorId, key.userId, key.publicId, method],
  });
  return tied.length > 0 ? 'tied' : 'free';
}

/** The answer of the open deposit, marked as one that was there before. */
export function resumedResponse(row: DepositRow): DepositResponse {
  const { apiResponse, ...rest } = row.response ?? emptyResponse(row);
  const data = { ...apiResponse.data, exists: true, serverTime: row.serverTime.toISOString() };
  return { ...rest, apiResponse: { ...apiResponse, data } };
}
