/** The whole widget at an address, with services from plain values. */
import { act, render } from '@testing-library/react';
import { createFixtureServices, type FixtureServices } from '../../kit/session/services-fixture.ts';
import { selectProduct } from '../../products/select-product.ts';
import { productAt } from '../navigation/branches.ts';
import { App } from './app.tsx';
import { createPage } from './shell-services.ts';

export interface OpenedWidget {
  readonly services: FixtureServices;
  /** Path below the base, with its query. */
  address(): string;
  /** Lets promises settle and timers run. */
  pass(ms: number): Promise<void>;
}

/** Opens the widget at a path such as `/deposit`; the first screens are loaded when this settles. */
export async function openWidget(
  path: string,
  services: FixtureServices = createFixtureServices(),
  state?: unknown,
): Promise<OpenedWidget> {
  const { basePath } = services.session.getState();
  history.replaceState(state ?? null, '', `${basePath}${path}`);
  // Load every lazy screen beforehand, so that opening it later takes no time of the test clock.
  const product = await selectProduct(services.session.getState().payload.widgetViewType);
  const { routes } = await productAt(product, path.replace(/[?#].*/, ''));
  const sources = routes.flatMap(({ screen, sheet }) => [screen, sheet?.screen]);
  await Promise.all(sources.map((source) => (typeof source === 'function' ? source() : undefined)));
  await import('./notification-region.tsx');
  await import('../navigation/list-ahead.ts');
  await import('./drawn-ahead.tsx');
  const page = createPage(services);
  services.onHostClose(page.services.close);
  render(<App page={page} product={product} />);
  const pass = (ms: number) => act(() => services.clock.advanceAsync(ms));
  for (let turn = 0; turn < 5; turn += 1) await pass(0);
  return {
    services,
    address: () => `${location.pathname.slice(basePath.length)}${location.search}`,
    pass,
  };
}
