/** The user's balance in every currency (CRY-3), kept fresh while a screen shows it. */
import { balancesGet, type ResponseOf } from '@opencashier/contract/api';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServices, useSession } from '../session/services.tsx';
import { onPageResumed } from '../status/page-resumed.ts';

/** How often balances and rates are asked for again by themselves. */
const ASK_AGAIN_MS = 60_000;

export interface Balances extends ResponseOf<typeof balancesGet> {
  /** By this device's clock, from which the age of a rate is counted on. */
  readonly receivedAt: number;
}

export interface BalancesState {
  /** What is known last; it stays while it is asked for again. */
  readonly balances: Balances | undefined;
  /** The last attempt failed. */
  readonly isFailed: boolean;
  readonly askNow: () => void;
}

/** @param valueIn the money of a state that coins are valued in */
export function useBalances(valueIn: string): BalancesState {
  const { api, clock } = useServices();
  const { country } = useSession();
  const query = useQuery({
    queryKey: ['balances', country, valueIn],
    queryFn: async ({ signal }): Promise<Balances> => ({
      ...(await api.call(balancesGet, { country, currency: valueIn }, { signal })),
      receivedAt: clock.now(),
    }),
    // Whoever comes back from a payment wants to see what it has done.
    staleTime: 0,
  });
  const { refetch } = query;
  useEffect(() => {
    const ask = () => void refetch();
    const stops = [
      clock.setRepeating(ask, ASK_AGAIN_MS),
      onPageResumed(ask),
      api.onPush('deposit.status', ask),
      api.onPush('withdrawal.status', ask),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [api, clock, refetch]);
  return { balances: query.data, isFailed: query.isError, askNow: () => void refetch() };
}
