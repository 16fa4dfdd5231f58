/** The cache of answers. It is loaded together with React, not by boot: boot's early answer is handed in. */
import { QueryClient } from '@tanstack/react-query';

/** For how long an answer is not asked for again when another screen needs it. */
const freshForMs = 30_000;

/** An answer that is already on its way, under the key by which screens ask for it. */
export interface EarlyAnswer {
  readonly key: readonly unknown[];
  readonly answer: Promise<unknown>;
}

export function createQueryClient(early: readonly EarlyAnswer[] = []): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      // The client under it retries by the specification's rule (NET-5), and offline is its business as well.
      queries: { retry: false, networkMode: 'always', staleTime: freshForMs, refetchOnWindowFocus: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  // A failure stays in the cache for the screen that asks; prefetchQuery itself never rejects.
  for (const { key, answer } of early) void queries.prefetchQuery({ queryKey: key, queryFn: () => answer });
  return queries;
}
