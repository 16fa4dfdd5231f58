import { safeAppPath } from '@opencashier/core/links/safe-link';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices } from '../../kit/session/services.tsx';
import { ErrorView } from './error-view.tsx';

/** A text that the failed screen put into the history (NAV-5). The state may be anything, because a user may open any address. */
function textOf(state: unknown, name: 'errorMessage' | 'stacktrace' | 'reference' | 'code'): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const value: unknown = Reflect.get(state, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The refresh button leads to the `backRoute` of the query, or to the deposit list (NAV-5). */
export function Screen({ query, state }: ScreenProps) {
  const { navigation } = useServices();
  const { product } = usePlace();
  const backRoute = safeAppPath(query.get('backRoute')) ?? product.list;
  return (
    <ErrorView
      message={textOf(state, 'errorMessage')}
      stack={textOf(state, 'stacktrace')}
      reference={textOf(state, 'reference')}
      code={textOf(state, 'code')}
      onRefresh={() => navigation.go(backRoute, { replace: true })}
    />
  );
}
