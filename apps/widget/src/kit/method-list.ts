/** The catalogue of the chosen region: asked once, shared by the list, the guard and every flow (LIST-1, LIST-3). */
import {
  type MethodList,
  methodsPaymentV5,
  methodsWithdrawal,
  type PaymentGroup,
  type PaymentMethod,
  type RequestOf,
} from '@opencashier/contract/api';
import { useQuery } from '@tanstack/react-query';
import type { ApiClient } from '../api/client.ts';
import { methodsQueryKey } from '../api/query-keys.ts';
import type { Direction } from './product.ts';
import { type Session, useServices, useSession } from './services.tsx';

/** The experiment whose group the deposit catalogue is asked with (§9), and its group where the host names none. */
const CATALOGUE_EXPERIMENT = 'analytics-21868';
const DEFAULT_EXPERIMENT_GROUP = 'group_a';

/** Body of the catalogue call. Boot has asked the first one already, under the same key. */
export function depositListRequest(
  session: Pick<Session, 'country' | 'currency' | 'payload'>,
): RequestOf<typeof methodsPaymentV5> {
  const experiment = session.payload.experiments.find(({ key }) => key === CATALOGUE_EXPERIMENT);
  return {
    country: session.country,
    currency: session.currency,
    abTestGroup: experiment?.group ?? DEFAULT_EXPERIMENT_GROUP,
  };
}

/** Key under which the catalogue is kept, so that it can also be put there by hand. */
export function methodListKey(direction: Direction, { country, currency }: Pick<Session, 'country' | 'currency'>) {
  return direction === 'deposit'
    ? methodsQueryKey(country, currency)
    : ([methodsWithdrawal.name, country, currency] as const);
}

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
  const { api } = useServices();
  const session = useSession();
  const query = useQuery({
    queryKey: methodListKey(direction, session),
    queryFn: ({ signal }) => fetchMethodList(api, direction, session, signal),
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
