import {
  type DepositResponse,
  depositCreate,
  depositCreateSweepstake,
  type RequestOf,
} from '@opencashier/contract/api';
import type { ApiClient, CallOptions } from '../../api/client.ts';

/** A create call; with a box it buys that box (SWP-1), without one it tops up the balance. */
export interface CreateBody extends RequestOf<typeof depositCreate> {
  readonly boxId?: string;
  /** The price that was on screen; a repeat needs none. */
  readonly boxPrice?: string;
}

/** Creates a deposit, or asks again for the answer of one under the same key (SRV-6). */
export function createDeposit(
  api: ApiClient,
  { boxId, boxPrice, ...body }: CreateBody,
  options?: CallOptions,
): Promise<DepositResponse> {
  return boxId === undefined
    ? api.call(depositCreate, body, options)
    : api.call(depositCreateSweepstake, { ...body, boxId, ...(boxPrice && { boxPrice }) }, options);
}
