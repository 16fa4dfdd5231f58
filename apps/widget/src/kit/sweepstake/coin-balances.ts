/** The user's coins, and how many can be redeemed (SWP-2, SWP-3). */
import { sweepstakeBalanceGet, sweepstakeRecoupSum } from '@opencashier/contract/api';
import { SWEEPSTAKE_AFTER_FAILURE } from '@opencashier/core/sweepstake/coin-box';
import { type Coin, coinOf, GOLD_COIN, SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { failureCode } from '../session/failure-code.ts';
import { useServices } from '../session/services.tsx';

/** Canonical decimal strings of sweep coins. */
export interface Redeemable {
  readonly balance: string;
  /** Coins that must still be played. */
  readonly unplayed: string;
  /** Coins that can be redeemed now. */
  readonly redeemable: string;
}

const nothing: Redeemable = {
  balance: SWEEPSTAKE_AFTER_FAILURE.balances.SC,
  unplayed: '0',
  redeemable: '0',
};

/** The key starts like the catalogue's, so invalidating the catalogue also invalidates this. */
const key = ['methods', 'coin-balances'];

/** The balance of a coin, as a canonical decimal string. */
export interface CoinBalance {
  /** As the server names it: sweep coins have two namings (AMT-9). */
  readonly currency: string;
  readonly balance: string;
}

const noCoins: Readonly<Record<Coin, CoinBalance>> = {
  GC: { currency: GOLD_COIN, balance: SWEEPSTAKE_AFTER_FAILURE.balances.GC },
  SC: { currency: SWEEP_COIN, balance: SWEEPSTAKE_AFTER_FAILURE.balances.SC },
};

/**
 * The user's balances of both coins (SWP-2). Undefined until the server answers. Zeros after a failure, which is only logged
 * (SWP-3).
 */
export function useCoinBalances(): Readonly<Record<Coin, CoinBalance>> | undefined {
  const { api, metric } = useServices();
  const { data, error } = useQuery({
    queryKey: ['methods', 'coins'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const balances = await api.call(sweepstakeBalanceGet, {}, { signal });
      const of = (coin: Coin) => balances.find(({ currency }) => coinOf(currency) === coin) ?? noCoins[coin];
      return { GC: of('GC'), SC: of('SC') };
    },
  });
  useEffect(() => {
    if (error) metric('sweepstake.balances-failed', failureCode(error) ?? 'unexpected');
  }, [error, metric]);
  return error ? noCoins : data;
}

/** Undefined until the server answers; zeros after a failure, which is only logged (SWP-3). */
export function useRedeemable(): Redeemable | undefined {
  const { api, metric } = useServices();
  const { data, error } = useQuery({
    queryKey: key,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Redeemable> => {
      const [balances, { data: recoup }] = await Promise.all([
        api.call(sweepstakeBalanceGet, {}, { signal }),
        api.call(sweepstakeRecoupSum, { currency: 'SC' }, { signal }),
      ]);
      const balance = balances.find(({ currency }) => currency === 'SC')?.balance ?? nothing.balance;
      return { balance, unplayed: recoup.amount, redeemable: recoup.redeemable ?? nothing.redeemable };
    },
  });
  useEffect(() => {
    if (error) metric('sweepstake.balances-failed', failureCode(error) ?? 'unexpected');
  }, [error, metric]);
  return error ? nothing : data;
}
