import {
  Activity,
  Fragment,
  Suspense,
  startTransition,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Parser, useLocation, useRouter } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { lazyPart } from '../../kit/session/lazily.ts';
import type { Product, RouteDefinition } from '../../kit/session/product.ts';
import { PlaceProvider } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { productAt } from '../navigation/branches.ts';
import { isLoaded } from '../navigation/later-screens.ts';
import { resolveRoute } from '../navigation/routes.ts';
import { Header } from './header.tsx';
import { type Address, type PageView, Redirection, Skeleton } from './page-view.tsx';
import { type DrawnOnce, usePageViews } from './page-views.ts';
import styles from './shell.module.css';
import { SilenceLine } from './silence-line.tsx';

// It is needed when the page is idle.
const DrawnAhead = lazyPart(async () => (await import('./drawn-ahead.tsx')).DrawnAhead);

interface ShellProps {
  readonly product: Product;
  readonly onClose: () => void;
  /** Called when a screen is on the page and answers taps. */
  readonly onShown: (() => void) | undefined;
}

/** Chooses the screen of the address and draws the frame around it. */
export function Shell({ product: main, onClose, onShown }: ShellProps) {
  const router = useRouter();
  const [path] = useLocation();
  const search: string = router.searchHook(router);
  const entry = useHistoryState<unknown>();
  const now = useMemo<Address>(() => ({ path, search, entry }), [path, search, entry]);
  const here = useDrawn(now, canDraw(main, path, router.parser));
  const found = productAt(main, here.path);
  const product = found instanceof Promise ? use(found) : found;
  const { view, prepared, drawnOnce } = usePageViews(product, router.parser, here, onShown);
  // The same element for the same address: the list is not drawn again while the page after it waits.
  return useMemo(() => {
    if ('redirectTo' in view) return <Redirection to={view.redirectTo} search={here.search} />;
    return <ShownView view={view} prepared={prepared} drawnOnce={drawnOnce} parser={router.parser} onClose={onClose} />;
  }, [view, prepared, drawnOnce, here, router.parser, onClose]);
}

/**
 * The address that is drawn. A loaded screen is drawn in the same turn. While another is being loaded, the last one stays on the
 * page; the page never returns to an earlier one.
 */
function useDrawn<Address>(now: Address, isLoaded: boolean): Address {
  const [drawn, setDrawn] = useState(now);
  // Before the effects of the page, which may lead on. Set while rendering, it would be lost beside a transition that waits.
  useLayoutEffect(() => {
    if (isLoaded) setDrawn(now);
    else startTransition(() => setDrawn(now));
  }, [now, isLoaded]);
  return isLoaded ? now : drawn;
}

/** Whether the screen of an address is loaded. */
function canDraw(main: Product, path: string, parser: Parser): boolean {
  const product = productAt(main, path);
  if (product instanceof Promise) return false;
  const resolution = resolveRoute(product, path, parser);
  return resolution.kind === 'redirect' || isLoaded(resolution.route);
}

interface ShownViewProps {
  readonly view: PageView;
  readonly prepared: PageView | undefined;
  readonly drawnOnce: DrawnOnce | undefined;
  readonly parser: Parser;
  readonly onClose: () => void;
}

function ShownView({ view, prepared, drawnOnce, parser, onClose }: ShownViewProps) {
  const { translate } = useTexts();
  const { route, page, key, place } = view;
  const title = windowTitle(route, view.state, translate);
  const headingRef = usePageChange(page, title);
  // React continues the first page from the server's drawing, which knows no activity.
  const [firstKey] = useState(view.key);
  return (
    <>
      <div className={styles.shell}>
        <div className={styles.top}>
          <Header
            title={title}
            back={route.back}
            hidesClose={route.hidesClose === true}
            onClose={onClose}
            headingRef={headingRef}
          />
          <SilenceLine />
        </div>
        <main className={styles.main}>
          <Suspense fallback={<Skeleton />}>
            {key === firstKey ? <Fragment key={key}>{view.body}</Fragment> : <Activity key={key}>{view.body}</Activity>}
            {prepared && prepared.key !== key && (
              <Activity key={prepared.key} mode="hidden">
                {prepared.body}
              </Activity>
            )}
          </Suspense>
          {view.sheet && <Activity key={view.address.path}>{view.sheet}</Activity>}
          {prepared?.sheet && prepared.key === key && (
            <Activity key={prepared.address.path} mode="hidden">
              {prepared.sheet}
            </Activity>
          )}
        </main>
      </div>
      {drawnOnce?.route === route && (
        <PlaceProvider value={place}>
          <Suspense fallback={null}>
            <DrawnAhead key={drawnOnce.paths.join()} {...{ product: place.product, parser }} paths={drawnOnce.paths} />
          </Suspense>
        </PlaceProvider>
      )}
    </>
  );
}

/** The title of the window, also read by screen readers. The step comes first, because it is what has changed. */
function windowTitle(
  { title, titleOf, step }: RouteDefinition,
  state: unknown,
  translate: (key: string) => string,
): string {
  const main = translate(titleOf?.(state) ?? title);
  return step === undefined ? main : `${translate(step)} – ${main}`;
}

/**
 * On a change of page: notes the time stamp of NAV-3, sets the window's title, scrolls to the top and focuses the heading, so
 * that a screen reader reads it. On the first page the focus stays where the host has it.
 */
function usePageChange(page: string, text: string) {
  const { clock, metric } = useServices();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const lastPage = useRef<string | undefined>(undefined);
  useEffect(() => {
    document.title = text;
  }, [text]);
  useEffect(() => {
    if (lastPage.current === page) return;
    const isFirst = lastPage.current === undefined;
    lastPage.current = page;
    metric('route-start-loading', clock.now());
    if (isFirst) return;
    window.scrollTo(0, 0);
    headingRef.current?.focus({ preventScroll: true });
  }, [page, clock, metric]);
  return headingRef;
}
