/** The catalogue of the chosen region: asked once, shared by the list, the guard and every flow (LIST-1, LIST-3). */
import {
  type MethodList,
  methodsPaymentV5,
  methodsWithdrawal,
  type PaymentGroup,
  type PaymentMethod,
} from '@opencashier/contract/api';
import { useQuery } from '@tanstack/react-query';
import type { ApiClient } from '../api/client.ts';
import { depositListRequest } from '../api/deposit-list-request.ts';
import { methodsQueryKey } from '../api/query-keys.ts';
import { requestGroup } from '../api/request-group.ts';
import type { Direction } from './product.ts';
import { type Session, useServices, useSession } from './services.tsx';

function fetchMethodList(api: ApiClient, direction: Direction, session: Session, signal: AbortSignal) {
  const { country, currency } = session;
  return direction === 'deposit'
    ? api.call(methodsPaymentV5, depositListRequest(session), { signal })
    : api.call(methodsWithdrawal, { country, currency }, { signal });
}

export type MethodListState =
  | { readonly at: 'loading' }
  | { readonly at: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly at: 'ready'; readonly list: MethodList };

export function useMethodList(direction: Direction): MethodListState {
  const { api, clock } = useServices();
  const session = useSession();
  const query = useQuery({
    queryKey: methodsQueryKey(direction, session),
    queryFn: ({ signal }) => requestGroup(clock, (group) => fetchMethodList(api, direction, session, group), signal),
  });
  if (query.data) return { at: 'ready', list: query.data };
  if (query.isError) return { at: 'failed', error: query.error, retry: () => void query.refetch() };
  return { at: 'loading' };
}

export function findMethod(list: MethodList, name: string | undefined): PaymentMethod | undefined {
  return list.methods.find((method) => method.name === name);
}

export function findGroup(list: MethodList, name: string | undefined): PaymentGroup | undefined {
  return list.groups.find((group) => group.name === name);
}
