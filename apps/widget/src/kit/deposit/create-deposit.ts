import {
  type DepositResponse,
  depositCreate,
  depositCreateSweepstake,
  type RequestOf,
} from '@opencashier/contract/api';
import type { ApiClient, CallOptions } from '../../api/client.ts';

/** A create call. With a box it buys the box (SWP-1); without one it tops up the balance. */
export interface CreateBody extends RequestOf<typeof depositCreate> {
  readonly boxId?: string;
  /** The price that the screen showed; a repeat needs none. */
  readonly boxPrice?: string;
}

/** Creates a deposit. Under a known key it gets the first answer again (SRV-6). */
export function createDeposit(
  api: ApiClient,
  { boxId, boxPrice, ...body }: CreateBody,
  options?: CallOptions,
): Promise<DepositResponse> {
  return boxId === undefined
    ? api.call(depositCreate, body, options)
    : api.call(depositCreateSweepstake, { ...body, boxId, ...(boxPrice && { boxPrice }) }, options);
}
