import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { useLocation, useRouter } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { insist } from '../../api/insist.ts';
import { useMethodList } from '../../kit/method/method-list.ts';
import type { LoadScreen, Product, RouteDefinition, ScreenProps, ScreenSource } from '../../kit/session/product.ts';
import { type Place, PlaceProvider } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { productAt } from '../navigation/branches.ts';
import { guardRoute } from '../navigation/guards.ts';
import { stateOfEntry } from '../navigation/history.ts';
import { resolveRoute } from '../navigation/routes.ts';
import { Header } from './header.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import styles from './shell.module.css';
import { SilenceLine } from './silence-line.tsx';

/** Each lazy component is made once. A new one for every render would load and mount the screen again. */
const loaded = new WeakMap<LoadScreen, ComponentType<ScreenProps>>();

function screenOf(source: ScreenSource): ComponentType<ScreenProps> {
  if (typeof source !== 'function') return source.Screen;
  let screen = loaded.get(source);
  if (!screen) {
    screen = lazy(() => insist(source).then(({ Screen }) => ({ default: Screen })));
    loaded.set(source, screen);
  }
  return screen;
}

/** Chooses the screen of the address and draws the frame around it. */
export function Shell({ product: main, onClose }: { readonly product: Product; readonly onClose: () => void }) {
  const router = useRouter();
  const [path] = useLocation();
  const search: string = router.searchHook(router);
  const entry = useHistoryState<unknown>();
  const now = useMemo(() => ({ path, search, entry }), [path, search, entry]);
  // While the next screen is being loaded, the last one stays on the page.
  const here = useDeferredValue(now);
  const found = productAt(main, here.path);
  const product = found instanceof Promise ? use(found) : found;
  const resolution = resolveRoute(product, here.path, router.parser);
  const query = useMemo(() => new URLSearchParams(here.search), [here.search]);
  if (resolution.kind === 'redirect') return <Redirection to={resolution.to} search={here.search} />;
  const { route, params } = resolution;
  return (
    <RoutedScreen
      product={product}
      route={route}
      page={route.page ?? route.sheet?.over ?? here.path}
      screenProps={{ params, query, state: stateOfEntry(here.entry) }}
      onClose={onClose}
    />
  );
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
  readonly route: RouteDefinition;
  /** Address of the page. It stays the same while a sheet is open over the page. */
  readonly page: string;
  readonly screenProps: ScreenProps;
  readonly onClose: () => void;
}

function RoutedScreen({ product, route, page, screenProps, onClose }: RoutedScreenProps) {
  const { translate } = useTexts();
  const place = useMemo<Place>(
    () => ({ product, direction: route.direction ?? 'deposit', tree: route.tree ?? product.list }),
    [product, route],
  );
  const title = windowTitle(route, screenProps.state, translate);
  const headingRef = usePageChange(page, title);
  const PageScreen = screenOf(route.screen);
  const SheetScreen = route.sheet && screenOf(route.sheet.screen);
  const skeleton = <PageSkeleton label={translate('screen.loading')} />;
  const content = (
    <Suspense fallback={skeleton}>
      <PageScreen key={page} {...screenProps} />
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
    </PlaceProvider>
  );
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
