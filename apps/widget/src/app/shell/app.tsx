// This import comes first, because it sets the order of the CSS layers.
import '../look/tokens.css';

import type { MethodList } from '@opencashier/contract/api';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, startTransition, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { insist } from '../../api/insist.ts';
import { useIsDrawing } from '../../kit/session/first-drawing.ts';
import { skipHostStart } from '../../kit/session/host-start.ts';
import { lazyPart } from '../../kit/session/lazily.ts';
import type { Direction, Product } from '../../kit/session/product.ts';
import { type ServicesFromBoot, ServicesProvider, useTexts } from '../../kit/session/services.tsx';
import { isDesktop } from '../../kit/session/use-desktop.ts';
import { selectProduct } from '../../products/select-product.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Page as PageBody } from '../../ui/page/page.tsx';
import { hasBonusNow } from '../first-list/drawn-session.ts';
import { keepActions } from '../first-list/early-actions.ts';
import { carryOutTap, dropTap, endTilePages } from '../first-list/early-tap.ts';
import { loadedTap, partsOfTap, tappedPath } from '../first-list/tapped-path.ts';
import { productAt } from '../navigation/branches.ts';
import { loadScreens } from '../navigation/later-screens.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';
import { createPage, type Page } from './shell-services.ts';

// No notification comes before the first screen, so this part is loaded after it.
const NotificationRegion = lazyPart(async () => (await import('./notification-region.tsx')).NotificationRegion);

/** The server's drawing of the first screen, which is in the root. */
export interface DrawnScreen {
  readonly list: MethodList;
  readonly direction: Direction;
  /** What the tile opens that was tapped last (`data-opens`). */
  tapped(): string | undefined;
}

/** How the first screen came: React continued the list, or shows the page of a tap, or drew the first page again. */
export type FirstScreen = 'as drawn' | 'tapped page' | 'drawn again';

// Few people ever see it. Where its code cannot be loaded, the plain words stay.
const ErrorView = lazy(() =>
  insist(() => import('../../screens/error/error-view.tsx')).then(
    (view) => ({ default: view.ErrorView }),
    () => ({ default: PlainError }),
  ),
);

/**
 * Shows the first screen. Rejects when the code of the product that the host chose cannot be loaded.
 *
 * @param drawn absent: there is no drawing to continue from. Present: the promise resolves when the screen answers taps
 */
export async function mount(root: HTMLElement, boot: ServicesFromBoot, drawn?: DrawnScreen): Promise<FirstScreen> {
  const { basePath, payload } = boot.session.getState();
  const product = await selectProduct(payload.widgetViewType);
  if (drawn === undefined && !root.hasAttribute('data-drawn')) {
    createRoot(root).render(<App page={pageOf(boot)} product={product} />);
    return 'drawn again';
  }
  // React draws no page that it has to wait for, so the routes of the address must be there.
  const whole = await productAt(product, location.pathname.slice(basePath.length));
  if (drawn === undefined) {
    endTilePages(root);
    await drawAgain(root, pageOf(boot), product);
    return 'drawn again';
  }
  const path = await loadedTap(drawn.tapped, async (opens) => {
    const to = tappedPath(opens, drawn.list, `/${drawn.direction}`, whole);
    if (to === undefined) return undefined;
    const parts = partsOfTap(opens, drawn.list).map((part) => part.load());
    await Promise.allSettled([loadScreens(to, whole), ...parts]);
    return to;
  });
  const isPageShown = endTilePages(root);
  // The form must not be without its bonus when it answers the first press (BON-2).
  const actAgain = keepActions(root);
  if (path !== undefined && (!isPageShown || hasBonusNow(boot.session.getState())))
    await openTapped(root, boot, product, path);
  else await takeOver(root, boot, product, path);
  if (path === undefined) return 'as drawn';
  dropTap(root);
  const opens = isPageShown ? actAgain() : undefined;
  if (opens !== undefined) carryOutTap(root, false, boot.clock, opens);
  return 'tapped page';
}

/** Draws a page in place of the server's drawing. Resolves when it is on the screen, whatever it shows first. */
async function drawAgain(root: HTMLElement, page: Page, product: Product): Promise<void> {
  await new Promise<void>((resolve) => {
    startTransition(() => createRoot(root).render(<App page={page} product={product} onCommit={resolve} />));
  });
}

function pageOf(boot: ServicesFromBoot): Page {
  const page = createPage(boot);
  boot.onHostClose(page.services.close);
  return page;
}

/** Shows the page of the tapped method in place of the drawn list. To take the list over first would make the person wait. */
async function openTapped(root: HTMLElement, boot: ServicesFromBoot, product: Product, path: string): Promise<void> {
  const page = pageAt(boot, path);
  await drawAgain(root, page, product);
  // For a screen reader the page has changed.
  window.scrollTo(0, 0);
  root.querySelector('h1')?.focus({ preventScroll: true });
}

/** The page of a tapped tile, with the list behind it in the history. */
function pageAt(boot: ServicesFromBoot, path: string): Page {
  const page = pageOf(boot);
  // The tap counts, and not the method that the host begins with.
  skipHostStart(page.services);
  page.services.navigation.go(path);
  return page;
}

/**
 * Lets React continue from the server's drawing.
 *
 * @param path of the tapped tile whose drawn page is in the root; absent: the list
 */
async function takeOver(root: HTMLElement, boot: ServicesFromBoot, product: Product, path?: string): Promise<void> {
  const services: ServicesFromBoot = { ...boot, drawnFor: isDesktop() ? 'desktop' : 'phone' };
  const page = path === undefined ? pageOf(services) : pageAt(services, path);
  await new Promise<void>((resolve) => {
    // As a transition, it is done in short steps, and a tap between them is noticed.
    startTransition(() => {
      hydrateRoot(root, <App page={page} product={product} onShown={resolve} />, {
        // React has then drawn the page again, so the person sees the right one.
        onRecoverableError: (error) =>
          boot.metric('first-list.redrawn', error instanceof Error ? error.name : 'unknown'),
      });
    });
  });
}

interface AppProps {
  readonly page: Page;
  /** Address below the product's base, for rendering without a browser. */
  readonly path?: string;
  readonly product: Product;
  /** Called when the first screen is on the page and answers taps, or the page that says why it is not. */
  readonly onShown?: (() => void) | undefined;
  /** Called when anything is on the page. */
  readonly onCommit?: () => void;
}

/** The whole widget as one component: pure, so that a server can render its first screen. */
export function App({ page, path, product, onShown, onCommit }: AppProps) {
  const { services } = page;
  const { basePath } = services.session.getState();
  const reportFault = (error: unknown) =>
    services.post({
      messageType: 'error',
      payload: { code: 'unexpected', message: error instanceof Error ? error.name : 'Unknown error' },
    });
  useEffect(() => onCommit?.(), [onCommit]);
  const ssr = path === undefined ? {} : { ssrPath: `${basePath}${path}`, ssrSearch: '' };
  return (
    <QueryClientProvider client={services.queries}>
      <ServicesProvider value={services}>
        <ErrorBoundary
          onError={reportFault}
          fallback={(error, reset) => <BrokenScreen error={error} onRefresh={reset} onShown={onShown} />}
        >
          <Router base={basePath} {...ssr}>
            <Shell product={product} onClose={services.close} onShown={onShown} />
          </Router>
        </ErrorBoundary>
        <ErrorBoundary onError={reportFault} fallback={() => null}>
          <Notifications page={page} />
        </ErrorBoundary>
      </ServicesProvider>
    </QueryClientProvider>
  );
}

function Notifications({ page: { notifications, services } }: { readonly page: Page }) {
  if (useIsDrawing()) return null;
  return (
    <Suspense fallback={null}>
      <NotificationRegion notifications={notifications} clock={services.clock} />
    </Suspense>
  );
}

interface BrokenScreenProps {
  readonly error: unknown;
  readonly onRefresh: () => void;
  readonly onShown: (() => void) | undefined;
}

function BrokenScreen({ error, onRefresh, onShown }: BrokenScreenProps) {
  const { translate } = useTexts();
  // Its button must answer, although the first screen has failed.
  useEffect(() => onShown?.(), [onShown]);
  return (
    <main>
      <h1 hidden>{translate('title.error')}</h1>
      <Suspense fallback={<PlainError onRefresh={onRefresh} />}>
        <ErrorView message={undefined} stack={error instanceof Error ? error.stack : undefined} onRefresh={onRefresh} />
      </Suspense>
    </main>
  );
}

/** The error page in plain words, as long as its code is not there. */
function PlainError({ onRefresh }: { readonly onRefresh: () => void }) {
  const { translate } = useTexts();
  return (
    <PageBody>
      <p role="alert">{translate('error.unknown')}</p>
      <Button onClick={onRefresh}>{translate('error.refresh')}</Button>
    </PageBody>
  );
}
