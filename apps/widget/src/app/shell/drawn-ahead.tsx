/**
 * Draws the screens that a list can open, before anybody opens them and where nobody sees them (UI-5). A browser compiles code
 * when it runs for the first time. So on a slow phone the first drawing of a form takes twice as long as the next.
 */
import { Activity, Suspense, startTransition, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { Parser } from 'wouter';
import type { Product } from '../../kit/session/product.ts';
import { useServices } from '../../kit/session/services.tsx';
import { whenIdle } from '../navigation/list-ahead.ts';
import { resolveRoute } from '../navigation/routes.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { componentOf } from './page-view.tsx';

interface DrawnAheadProps {
  readonly product: Product;
  readonly parser: Parser;
  /** Addresses whose screens are loaded. */
  readonly paths: readonly string[];
}

/** Draws one screen after the other, each when the page is idle. A hidden activity runs no effects, so no screen calls anything. */
export function DrawnAhead({ product, parser, paths }: DrawnAheadProps) {
  const { clock } = useServices();
  const [at, setAt] = useState(0);
  // It is never put into the page.
  const [box] = useState(() => document.createElement('div'));
  useEffect(() => {
    // One step more than there are screens takes the last one away, too.
    if (at <= paths.length) return whenIdle(clock, () => startTransition(() => setAt(at + 1)));
    return undefined;
  }, [clock, at, paths]);
  const path = paths[at - 1];
  const found = path === undefined ? undefined : resolveRoute(product, path, parser);
  if (found?.kind !== 'route') return null;
  const Screen = componentOf(found.route.sheet?.screen ?? found.route.screen);
  return createPortal(
    <ErrorBoundary key={path} onError={tell} fallback={() => null}>
      <Activity mode="hidden">
        <Suspense fallback={null}>
          <Screen params={found.params} query={new URLSearchParams()} state={undefined} />
        </Suspense>
      </Activity>
    </ErrorBoundary>,
    box,
  );
}

const tell = (error: unknown): void => console.warn('A screen could not be drawn ahead.', error);
