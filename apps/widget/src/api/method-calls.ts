/** The calls of the list of methods and of an amount. They are in the client's chunk, because only an answer needs their schemas. */
import {
  depositLimits,
  type MethodList,
  methodsPaymentV5,
  methodsWithdrawal,
  type RequestOf,
  type ResponseOf,
  sessionStart,
} from '@opencashier/contract/api';
import type { ApiClient } from './client.ts';

export function askForDepositMethods(
  api: ApiClient,
  request: RequestOf<typeof methodsPaymentV5>,
  signal: AbortSignal,
): Promise<MethodList> {
  return api.call(methodsPaymentV5, request, { signal });
}

export function askForWithdrawalMethods(
  api: ApiClient,
  request: RequestOf<typeof methodsWithdrawal>,
  signal: AbortSignal,
): Promise<MethodList> {
  return api.call(methodsWithdrawal, request, { signal });
}

export function askForLimits(
  api: ApiClient,
  request: RequestOf<typeof depositLimits>,
  signal: AbortSignal,
): Promise<ResponseOf<typeof depositLimits>> {
  return api.call(depositLimits, request, { signal });
}

export function openPaymentSession(
  api: ApiClient,
  request: RequestOf<typeof sessionStart>,
  signal: AbortSignal,
): Promise<ResponseOf<typeof sessionStart>> {
  return api.call(sessionStart, request, { signal });
}
