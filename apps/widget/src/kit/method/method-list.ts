/** The catalogue of the chosen region (LIST-1, LIST-3). It is loaded once; the list, the guard and every flow share it. */
import type { MethodList, PaymentGroup, PaymentMethod } from '@opencashier/contract/api';
import { useQuery } from '@tanstack/react-query';
import { drawnAt, fetchMethods, methodsQueryKey } from '../../api/fetch-methods.ts';
import type { Direction } from '../session/product.ts';
import { useServices, useSession } from '../session/services.tsx';

export type MethodListState =
  | { readonly at: 'loading' }
  | { readonly at: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly at: 'ready'; readonly list: MethodList };

export function useMethodList(direction: Direction): MethodListState {
  const { api, clock } = useServices();
  const session = useSession();
  const query = useQuery({
    queryKey: methodsQueryKey(direction, session),
    queryFn: ({ signal }) => fetchMethods(api, clock, direction, session, signal),
  });
  // The list in the page is of no user. When the user's own list fails, that list must not stay (LIST-1).
  const isOfNobody = query.dataUpdatedAt === drawnAt;
  if (query.data && !(query.isError && isOfNobody)) return { at: 'ready', list: query.data };
  if (query.isError) return { at: 'failed', error: query.error, retry: () => void query.refetch() };
  return { at: 'loading' };
}

export function findMethod(list: MethodList, name: string | undefined): PaymentMethod | undefined {
  return list.methods.find((method) => method.name === name);
}

export function findGroup(list: MethodList, name: string | undefined): PaymentGroup | undefined {
  return list.groups.find((group) => group.name === name);
}
