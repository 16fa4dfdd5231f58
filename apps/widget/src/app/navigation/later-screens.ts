/** Screens that are not part of the first load (NAV-1). */
import type { Clock } from '@opencashier/core/time/clock';
import { parse } from 'regexparam';
import type { Parser } from 'wouter';
import { type LaterComponent, laterComponent } from '../../kit/session/lazily.ts';
import type { LoadScreen, Product, RouteDefinition, ScreenProps, ScreenSource } from '../../kit/session/product.ts';
import { resolveRoute } from './routes.ts';

/** Each screen that is loaded later is one component. A new one for every render would load and mount the screen again. */
const components = new WeakMap<LoadScreen, LaterComponent<ScreenProps>>();

/** The component of a screen that is not part of the first load. */
export function laterScreen(source: LoadScreen): LaterComponent<ScreenProps> {
  const known = components.get(source);
  if (known) return known;
  const component = laterComponent(async () => (await source()).Screen);
  components.set(source, component);
  return component;
}

const isLater = (source: ScreenSource | undefined): source is LoadScreen => typeof source === 'function';

/** What must be loaded before a route can be drawn. */
export const sourcesOf = ({ screen, sheet }: RouteDefinition): LoadScreen[] => [screen, sheet?.screen].filter(isLater);

/** Whether a route can be drawn in the same turn. */
export function isLoaded(route: RouteDefinition): boolean {
  return sourcesOf(route).every((source) => laterScreen(source).isLoaded());
}

export interface ScreensOfList {
  readonly product: Product;
  readonly parser: Parser;
  /** The address of the list. */
  readonly tree: string;
}

/** What must be loaded before an address can be drawn. */
export function sourcesAt(path: string, product: Product, parser: Parser): readonly LoadScreen[] {
  const found = resolveRoute(product, path, parser);
  return found.kind === 'route' ? sourcesOf(found.route) : [];
}

/** Loads the screens of an address. When that fails, the screen itself tries again. */
export async function loadScreens(path: string, product: Product): Promise<void> {
  await Promise.allSettled(sourcesAt(path, product, parse).map((source) => laterScreen(source).load()));
}

/** Without a network the others fail, too. The pointer or the tap asks again. */
export const tell = (error: unknown): void => console.warn('A page could not be loaded ahead.', error);

export interface Ahead extends ScreensOfList {
  readonly clock: Clock;
  /** Draws the screens of these addresses ahead; all are loaded. */
  draw(paths: readonly string[]): void;
  /** Draws an address that the next tap is likely to open. Its screens are loaded. Undefined drops what was drawn. */
  prepare(path: string | undefined): void;
}
