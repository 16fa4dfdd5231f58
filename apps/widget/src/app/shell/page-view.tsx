/** What one address shows: a page, its guard and its sheet, as elements that can be drawn before the address is opened. */
import { type ComponentType, type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import type { Parser } from 'wouter';
import { useMethodList } from '../../kit/method/method-list.ts';
import { endDrawing } from '../../kit/session/first-drawing.ts';
import type { Product, RouteDefinition, ScreenProps, ScreenSource } from '../../kit/session/product.ts';
import { type Place, PlaceProvider, type ScreensAhead } from '../../kit/session/product-context.tsx';
import { useServices, useTexts } from '../../kit/session/services.tsx';
import { guardRoute } from '../navigation/guards.ts';
import { stateOfEntry } from '../navigation/history.ts';
import { laterScreen } from '../navigation/later-screens.ts';
import { resolveRoute } from '../navigation/routes.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { PageSkeleton } from './page-skeleton.tsx';

/** An address as the history has it. */
export interface Address {
  /** Below the base. */
  readonly path: string;
  readonly search: string;
  /** The state of the history's entry. */
  readonly entry: unknown;
}

export interface PageView {
  readonly address: Address;
  readonly place: Place;
  readonly route: RouteDefinition;
  /** Address of the page. It stays the same while a sheet is open over the page. */
  readonly page: string;
  /** Of the page's elements. A sheet over a page has the page's own; another visit to the page has another one. */
  readonly key: string;
  readonly state: unknown;
  readonly body: ReactNode;
  readonly sheet: ReactNode;
}

export interface ViewSources {
  readonly product: Product;
  readonly parser: Parser;
  /** Loads and draws what the list of a route can open. */
  readonly ahead: (route: RouteDefinition, tree: string) => ScreensAhead;
  readonly keyOf: (page: string) => string;
  /** Called when a page is there and answers taps. */
  readonly onShown: (() => void) | undefined;
}

/** Another address that must be opened instead. */
export interface Redirect {
  readonly redirectTo: string;
}

/** The elements of an address. React draws an element once, so a page that was drawn before its tap only has to be shown. */
export function viewOf(address: Address, { product, parser, ahead, keyOf, onShown }: ViewSources): PageView | Redirect {
  const resolution = resolveRoute(product, address.path, parser);
  if (resolution.kind === 'redirect') return { redirectTo: resolution.to };
  const { route, params } = resolution;
  const tree = route.tree ?? product.list;
  const place: Place = { product, direction: route.direction ?? 'deposit', tree, ahead: ahead(route, tree) };
  const state = stateOfEntry(address.entry);
  const screenProps: ScreenProps = { params, query: new URLSearchParams(address.search), state };
  const Screen = componentOf(route.screen);
  const content = (
    <>
      <Screen {...screenProps} />
      <Shown onShown={onShown} />
    </>
  );
  const Sheet = route.sheet && componentOf(route.sheet.screen);
  const page = route.page ?? route.sheet?.over ?? address.path;
  return {
    address,
    place,
    route,
    page,
    key: keyOf(page),
    state,
    body: (
      <PageFaults>
        <PlaceProvider value={place}>
          {route.needs === undefined ? (
            content
          ) : (
            <Guarded product={product} place={place} route={route} params={params}>
              {content}
            </Guarded>
          )}
        </PlaceProvider>
      </PageFaults>
    ),
    sheet: Sheet && (
      <PageFaults>
        <PlaceProvider value={place}>
          <Suspense fallback={null}>
            <Sheet {...screenProps} />
          </Suspense>
        </PlaceProvider>
      </PageFaults>
    ),
  };
}

/** The component of a screen, also of one that is loaded later. */
export const componentOf = (source: ScreenSource): ComponentType<ScreenProps> =>
  typeof source === 'function' ? laterScreen(source) : source.Screen;

/**
 * Keeps an error of a page that nobody sees yet from the list above it. When the page is shown, the error goes on to the page of
 * errors.
 */
function PageFaults({ children }: { readonly children: ReactNode }) {
  const [fault, setFault] = useState<{ readonly error: unknown }>();
  // Thrown outside of the boundary, or the boundary would catch it again.
  if (fault !== undefined) throw fault.error;
  return (
    <ErrorBoundary onError={tell} fallback={(error) => <Fault onShown={() => setFault({ error })} />}>
      {children}
    </ErrorBoundary>
  );
}

const tell = (error: unknown): void => console.warn('A page could not be drawn.', error);

/** A hidden activity runs no effects, so this one runs when the page is shown. */
function Fault({ onShown }: { readonly onShown: () => void }) {
  useLayoutEffect(() => onShown(), [onShown]);
  return null;
}

/** The page while its screen or its catalogue is being loaded. */
export function Skeleton() {
  const { translate } = useTexts();
  return <PageSkeleton label={translate('screen.loading')} />;
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

interface GuardedProps {
  readonly product: Product;
  readonly place: Place;
  readonly route: RouteDefinition;
  readonly params: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

/** NAV-3: shows a screen when the catalogue knows the group or method of its address. */
function Guarded({ product, place, route, params, children }: GuardedProps) {
  const verdict = guardRoute(product, route, params, useMethodList(place.direction));
  const { post } = useServices();
  const isRefused = verdict.kind === 'redirect';
  useEffect(() => {
    if (isRefused) post({ messageType: 'error', payload: { code: 'not-chosen', message: 'No payment-method' } });
  }, [isRefused, post]);
  if (verdict.kind === 'redirect') return <Redirection to={verdict.to} />;
  return verdict.kind === 'wait' ? <Skeleton /> : children;
}

/** Opens another address instead of this one. */
export function Redirection({ to, search = '' }: { readonly to: string; readonly search?: string }) {
  const { navigation } = useServices();
  useEffect(() => {
    navigation.go(`${to}${search}`, { replace: true });
  }, [navigation, to, search]);
  return <Skeleton />;
}
