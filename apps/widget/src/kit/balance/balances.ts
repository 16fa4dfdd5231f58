/** The user's balance in every currency (CRY-3), kept fresh while a screen shows it. */
import { balancesGet, type ResponseOf } from '@opencashier/contract/api';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServices, useSession } from '../session/services.tsx';
import { onPageResumed } from '../status/page-resumed.ts';

/** How often the widget asks for balances and rates without a cause. */
const ASK_AGAIN_MS = 60_000;

export interface Balances extends ResponseOf<typeof balancesGet> {
  /** By this device's clock. The age of a rate is counted from here. */
  readonly receivedAt: number;
}

export interface BalancesState {
  /** The last known balances; they stay while the widget asks again. */
  readonly balances: Balances | undefined;
  /** The last attempt failed. */
  readonly isFailed: boolean;
  readonly askNow: () => void;
}

/** @param valueIn the fiat currency in which the value of coins is shown */
export function useBalances(valueIn: string): BalancesState {
  const { api, clock } = useServices();
  const { country } = useSession();
  const query = useQuery({
    queryKey: ['balances', country, valueIn],
    queryFn: async ({ signal }): Promise<Balances> => ({
      ...(await api.call(balancesGet, { country, currency: valueIn }, { signal })),
      receivedAt: clock.now(),
    }),
    // After a payment the user wants to see the new balance.
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
