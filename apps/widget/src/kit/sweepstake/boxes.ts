/** The coin boxes on sale, as the server lists them now (SWP-1, SWP-3). */
import { type ResponseOf, type SweepstakeBox, sweepstakeBoxes } from '@opencashier/contract/api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { failureCode } from '../session/failure-code.ts';
import { useServices } from '../session/services.tsx';

type BoxShelf = ResponseOf<typeof sweepstakeBoxes>['boxes'][number];

export interface BoxesState {
  /** True until the server has answered since this screen was opened. */
  readonly isLoading: boolean;
  /** The boxes in groups; none after a failed fetch (SWP-3). */
  readonly shelves: readonly BoxShelf[];
  /** The last known boxes, even while offline. A lost connection must not remove the chosen box. */
  readonly known: readonly SweepstakeBox[];
}

const boxesKey = ['sweepstake-boxes'];
const none: readonly BoxShelf[] = [];

/** Asks the server whenever a screen opens, because a box may have sold out and a price may have changed. */
export function useBoxes(): BoxesState {
  const { api, metric } = useServices();
  const { data, error, isFetching, isFetchedAfterMount } = useQuery({
    queryKey: boxesKey,
    staleTime: 0,
    queryFn: async ({ signal }) => (await api.call(sweepstakeBoxes, {}, { signal })).boxes,
  });
  useEffect(() => {
    if (error) metric('sweepstake.boxes-failed', failureCode(error) ?? 'unexpected');
  }, [error, metric]);
  return {
    isLoading: isFetching && !isFetchedAfterMount,
    shelves: error ? none : (data ?? none),
    known: data?.flatMap(({ boxes }) => boxes) ?? [],
  };
}

/** Drops the known boxes. The next screen shows none until the server has answered. */
export function useForgetBoxes(): () => void {
  const queries = useQueryClient();
  return useCallback(() => queries.removeQueries({ queryKey: boxesKey }), [queries]);
}

/** Asks for the boxes again; the known boxes stay until the answer. */
export function useAskForBoxes(): () => void {
  const queries = useQueryClient();
  return useCallback(() => void queries.invalidateQueries({ queryKey: boxesKey }), [queries]);
}

/** Shown, but not for sale. */
export const isSoldOut = ({ remaining }: SweepstakeBox): boolean => remaining === 0;

/** The same coins for the same price. */
export function isSameOffer(one: SweepstakeBox, other: SweepstakeBox): boolean {
  const terms = ({ price, priceCurrencyCode, currenciesList }: SweepstakeBox) =>
    JSON.stringify([price, priceCurrencyCode, currenciesList]);
  return terms(one) === terms(other);
}
