/** The cache of answers. It is loaded together with React, so boot passes its early answers to it. */
import { QueryClient } from '@tanstack/react-query';
import { drawnAt } from './fetch-methods.ts';

/** For this long, another screen gets the cached answer without a new request. */
const freshForMs = 30_000;

/** The list in the page, with the key by which screens ask for it. */
export interface DrawnAnswer {
  readonly key: readonly unknown[];
  readonly data: unknown;
}

/** An answer that was requested before React was there, with the key by which screens ask for it. */
export interface EarlyAnswer {
  readonly key: readonly unknown[];
  readonly answer: Promise<unknown>;
}

/** @param drawn shown at once, and asked for again by the first screen */
export function createQueryClient(early: readonly EarlyAnswer[] = [], drawn?: DrawnAnswer): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      // The client below retries by the specification's rule (NET-5), also when the device is offline.
      queries: { retry: false, networkMode: 'always', staleTime: freshForMs, refetchOnWindowFocus: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  if (drawn !== undefined) queries.setQueryData(drawn.key, drawn.data, { updatedAt: drawnAt });
  // A failure stays in the cache for the screen that asks; prefetchQuery itself never rejects.
  for (const { key, answer } of early) void queries.prefetchQuery({ queryKey: key, queryFn: () => answer });
  return queries;
}
