import { safeAppPath } from '@opencashier/core/links/safe-link';
import type { ScreenProps } from '../../kit/session/product.ts';
import { usePlace } from '../../kit/session/product-context.tsx';
import { useServices } from '../../kit/session/services.tsx';
import { ErrorView } from './error-view.tsx';

/** What a failed screen hands over (NAV-5); anything may stand there, since a person may open any address. */
function textOf(state: unknown, name: 'errorMessage' | 'stacktrace' | 'reference' | 'code'): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const value: unknown = Reflect.get(state, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** NAV-5: the refresh button leads to the `backRoute` of the query, or to the deposit list. */
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
