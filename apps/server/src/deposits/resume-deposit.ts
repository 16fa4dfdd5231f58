/**
 * Peer-to-peer: the payee waits for one transfer of this user. So a second deposit of the method resumes the open one
 * (DEP-11). The new key is tied to the open deposit for ever. A retry, a status or a cancel of the key means that
 * deposit.
 */
import type { DepositResponse } from '@opencashier/contract/api';
import type { Transaction } from '../database/database.ts';
import type { DepositRow } from './deposit-row.ts';
import { type DepositKey, findByKey } from './deposit-store.ts';
import { emptyResponse } from './submit-deposit.ts';

/**
 * Ties a new key to the user's open deposit of the method.
 * @returns `tied`: the key was used before, or is tied now. `busy`: a deposit of the method is being created under
 * another key. `free`: there is no open deposit.
 */
export async function tieToOpenDeposit(
  transaction: Transaction,
  key: DepositKey,
  method: string,
): Promise<'tied' | 'busy' | 'free'> {
  // Without this lock two tabs with two keys could both find no open deposit.
  await transaction.query({
    name: 'deposit-p2p-lock',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [JSON.stringify([key.operatorId, key.userId, method])],
  });
  if ((await findByKey(transaction, key)) !== undefined) return 'tied';
  // This query must come first. In the other order, neither query would see a creation that ends between them. No
  // creation can begin meanwhile, because it needs the lock.
  const busy = await transaction.query({
    name: 'deposit-p2p-busy',
    text: `select 1 from deposit where operator_id = $1 and user_id = $2 and payment_method = $3 and state = 'created'
      and busy_until > now() and (request ->> 'isP2p')::boolean limit 1`,
    values: [key.operatorId, key.userId, method],
  });
  if (busy.length > 0) return 'busy';
  const tied = await transaction.query({
    name: 'deposit-tie',
    // Only a deposit with a payee and a time limit is resumed. Another answer would show the user nothing to pay.
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

/** The answer of the open deposit, marked as resumed (`exists`). */
export function resumedResponse(row: DepositRow): DepositResponse {
  const { apiResponse, ...rest } = row.response ?? emptyResponse(row);
  const data = { ...apiResponse.data, exists: true, serverTime: row.serverTime.toISOString() };
  return { ...rest, apiResponse: { ...apiResponse, data } };
}
