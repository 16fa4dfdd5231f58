import {
  type ComponentType,
  type ReactNode,
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
import { useMethodList } from '../../kit/method/method-list.ts';
import { endDrawing } from '../../kit/session/first-drawing.ts';
import { lazyPart } from '../../kit/session/lazily.ts';
import type { Product, RouteDefinition, ScreenProps, ScreenSource } from '../../kit/session/product.ts';
import { type Place, PlaceProvider } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { productAt } from '../navigation/branches.ts';
import { guardRoute } from '../navigation/guards.ts';
import { stateOfEntry } from '../navigation/history.ts';
import { isLoaded, laterScreen } from '../navigation/later-screens.ts';
import { resolveRoute } from '../navigation/routes.ts';
import { screensAhead } from '../navigation/screens-ahead.ts';
import { Header } from './header.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import styles from './shell.module.css';
import { SilenceLine } from './silence-line.tsx';

// It is needed when the page is idle.
const DrawnAhead = lazyPart(async () => (await import('./drawn-ahead.tsx')).DrawnAhead);

const componentOf = (source: ScreenSource): ComponentType<ScreenProps> =>
  typeof source === 'function' ? laterScreen(source) : source.Screen;

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
  const now = useMemo(() => ({ path, search, entry }), [path, search, entry]);
  const here = useDrawn(now, canDraw(main, path, router.parser));
  const found = productAt(main, here.path);
  const product = found instanceof Promise ? use(found) : found;
  // The same element for the same address: the list is not drawn again while the page after it waits.
  return useMemo(() => {
    const resolution = resolveRoute(product, here.path, router.parser);
    if (resolution.kind === 'redirect') return <Redirection to={resolution.to} search={here.search} />;
    const { route, params } = resolution;
    return (
      <RoutedScreen
        product={product}
        parser={router.parser}
        route={route}
        page={route.page ?? route.sheet?.over ?? here.path}
        screenProps={{ params, query: new URLSearchParams(here.search), state: stateOfEntry(here.entry) }}
        onClose={onClose}
        onShown={onShown}
      />
    );
  }, [product, here, router.parser, onClose, onShown]);
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

function Redirection({ to, search = '' }: { readonly to: string; readonly search?: string }) {
  const { navigation } = useServices();
  const { translate } = useTexts();
  useEffect(() => {
    navigation.go(`${to}${search}`, { replace: true });
  }, [navigation, to, search]);
  return <PageSkeleton label={translate('screen.loading')} />;
}

interface RoutedScreenProps {
  readonly product: Product;
  readonly parser: Parser;
  readonly route: RouteDefinition;
  /** Address of the page. It stays the same while a sheet is open over the page. */
  readonly page: string;
  readonly screenProps: ScreenProps;
  readonly onClose: () => void;
  readonly onShown: (() => void) | undefined;
}

function RoutedScreen({ product, parser, route, page, screenProps, onClose, onShown }: RoutedScreenProps) {
  const { translate } = useTexts();
  const { clock } = useServices();
  const [ahead, setAhead] = useState<{ readonly route: RouteDefinition; readonly paths: readonly string[] }>();
  const place = useMemo<Place>(() => {
    const tree = route.tree ?? product.list;
    return {
      product,
      direction: route.direction ?? 'deposit',
      tree,
      ahead: screensAhead({ product, parser, tree, clock, draw: (paths) => setAhead({ route, paths }) }),
    };
  }, [product, parser, route, clock]);
  const title = windowTitle(route, screenProps.state, translate);
  const headingRef = usePageChange(page, title);
  const PageScreen = componentOf(route.screen);
  const SheetScreen = route.sheet && componentOf(route.sheet.screen);
  const skeleton = <PageSkeleton label={translate('screen.loading')} />;
  const content = (
    <Suspense fallback={skeleton}>
      <PageScreen key={page} {...screenProps} />
      <Shown onShown={onShown} />
    </Suspense>
  );
  return (
    <PlaceProvider value={place}>
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
          {route.needs === undefined ? (
            content
          ) : (
            <Guarded product={product} place={place} route={route} params={screenProps.params} waiting={skeleton}>
              {content}
            </Guarded>
          )}
          {SheetScreen && (
            <Suspense fallback={null}>
              <SheetScreen {...screenProps} />
            </Suspense>
          )}
        </main>
      </div>
      {ahead?.route === route && (
        <Suspense fallback={null}>
          <DrawnAhead key={ahead.paths.join()} {...{ product, parser }} paths={ahead.paths} />
        </Suspense>
      )}
    </PlaceProvider>
  );
}

/** Beside a screen in its boundary, so its effect runs when React has taken over that screen from the server's drawing. */
function Shown({ onShown }: { readonly onShown: (() => void) | undefined }) {
  const services = useServices();
  useEffect(() => {
    endDrawing(services);
    onShown?.();
  }, [services, onShown]);
  return null;
}

/** NAV-3: shows a screen when the catalogue knows the group or method of its address. */
function Guarded({
  product,
  place,
  route,
  params,
  waiting,
  children,
}: {
  readonly product: Product;
  readonly place: Place;
  readonly route: RouteDefinition;
  readonly params: Readonly<Record<string, string>>;
  readonly waiting: ReactNode;
  readonly children: ReactNode;
}) {
  const verdict = guardRoute(product, route, params, useMethodList(place.direction));
  const { post } = useServices();
  const isRefused = verdict.kind === 'redirect';
  useEffect(() => {
    if (isRefused) post({ messageType: 'error', payload: { code: 'not-chosen', message: 'No payment-method' } });
  }, [isRefused, post]);
  if (verdict.kind === 'redirect') return <Redirection to={verdict.to} />;
  return verdict.kind === 'wait' ? waiting : children;
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
