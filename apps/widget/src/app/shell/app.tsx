// This import comes first, because it sets the order of the CSS layers.
import '../look/tokens.css';

import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { insist } from '../../api/insist.ts';
import { lazyPart } from '../../kit/session/lazily.ts';
import type { Product } from '../../kit/session/product.ts';
import { type ServicesFromBoot, ServicesProvider, useTexts } from '../../kit/session/services.tsx';
import { selectProduct } from '../../products/select-product.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Page as PageBody } from '../../ui/page/page.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Shell } from './shell.tsx';
import { createPage, type Page } from './shell-services.ts';

// No notification comes before the first screen, so this part is loaded after it.
const NotificationRegion = lazyPart(async () => (await import('./notification-region.tsx')).NotificationRegion);

// Few people ever see it. Where its code cannot be loaded, the plain words stay.
const ErrorView = lazy(() =>
  insist(() => import('../../screens/error/error-view.tsx')).then(
    (view) => ({ default: view.ErrorView }),
    () => ({ default: PlainError }),
  ),
);

/**
 * Draws the cashier into `root` and opens the first screen. Rejects when the code of the product that the host chose cannot be
 * loaded.
 */
export async function mount(root: HTMLElement, boot: ServicesFromBoot): Promise<void> {
  const product = await selectProduct(boot.session.getState().payload.widgetViewType);
  const page = createPage(boot);
  boot.onHostClose(page.services.close);
  createRoot(root).render(<App page={page} product={product} />);
}

interface AppProps {
  readonly page: Page;
  /** Address below the product's base, for rendering without a browser. */
  readonly path?: string;
  readonly product: Product;
}

/** The whole widget as one component: pure, so that a server can render its first screen. */
export function App({ page, path, product }: AppProps) {
  const { services, notifications } = page;
  const { basePath } = services.session.getState();
  const reportFault = (error: unknown) =>
    services.post({
      messageType: 'error',
      payload: { code: 'unexpected', message: error instanceof Error ? error.name : 'Unknown error' },
    });
  const ssr = path === undefined ? {} : { ssrPath: `${basePath}${path}`, ssrSearch: '' };
  return (
    <QueryClientProvider client={services.queries}>
      <ServicesProvider value={services}>
        <ErrorBoundary
          onError={reportFault}
          fallback={(error, reset) => <BrokenScreen error={error} onRefresh={reset} />}
        >
          <Router base={basePath} {...ssr}>
            <Shell product={product} onClose={services.close} />
          </Router>
        </ErrorBoundary>
        <ErrorBoundary onError={reportFault} fallback={() => null}>
          <Suspense fallback={null}>
            <NotificationRegion notifications={notifications} clock={services.clock} />
          </Suspense>
        </ErrorBoundary>
      </ServicesProvider>
    </QueryClientProvider>
  );
}

function BrokenScreen({ error, onRefresh }: { readonly error: unknown; readonly onRefresh: () => void }) {
  const { translate } = useTexts();
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
