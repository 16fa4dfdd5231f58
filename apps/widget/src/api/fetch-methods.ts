/** The first requests of a screen, as one group with one limit (NET-6). */
import { type MethodList, methodsPaymentV5, methodsWithdrawal } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import type { ApiClient } from './client.ts';
import { depositListRequest } from './deposit-list-request.ts';
import { requestGroup } from './request-group.ts';

/**
 * The methods of a region.
 *
 * @throws ClientError; RequestTimeout after thirty seconds
 */
export function fetchMethods(
  api: ApiClient,
  clock: Clock,
  direction: 'deposit' | 'withdrawal',
  session: Parameters<typeof depositListRequest>[0],
  signal: AbortSignal,
): Promise<MethodList> {
  const { country, currency } = session;
  return requestGroup(
    clock,
    (group) =>
      direction === 'deposit'
        ? api.call(methodsPaymentV5, depositListRequest(session), { signal: group })
        : api.call(methodsWithdrawal, { country, currency }, { signal: group }),
    signal,
  );
}
