/**
 * The screens that a list can open, loaded before the tap (LIST-4, UI-5). A tap then draws its screen in the same turn.
 *
 * The screens follow from the addresses that the list's tiles open. So every product has them, and a list loads no screen that it
 * cannot open. Each screen waits until the page is idle, because running a file costs time, too.
 */
import type { MethodList } from '@opencashier/contract/api';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { parse } from 'regexparam';
import type { Parser } from 'wouter';
import { type LaterComponent, laterComponent } from '../../kit/session/lazily.ts';
import type { LoadScreen, Product, RouteDefinition, ScreenProps, ScreenSource } from '../../kit/session/product.ts';
import type { LoadPart, ScreensAhead } from '../../kit/session/product-context.tsx';
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
const sourcesOf = ({ screen, sheet }: RouteDefinition): LoadScreen[] => [screen, sheet?.screen].filter(isLater);

/** Whether a route can be drawn in the same turn. */
export function isLoaded(route: RouteDefinition): boolean {
  return sourcesOf(route).every((source) => laterScreen(source).isLoaded());
}

interface ScreensOfList {
  readonly product: Product;
  readonly parser: Parser;
  /** The address of the list. */
  readonly tree: string;
}

/**
 * The screens that a list leads to, without any other. The screen that most methods open comes first, then the others in the order
 * of the list, then those that follow in the flows of the methods.
 */
export function screensOfList(list: MethodList, { product, parser, tree }: ScreensOfList): LoadScreen[] {
  const methods = list.methods.filter(({ disabledReason }) => disabledReason === undefined);
  const groups = list.groups.filter(({ display }) => display === 'tile');
  const at = (path: string) => sourcesAt(path, product, parser);
  const opened = methods.flatMap((method) => at(product.methodPath(tree, method)));
  const inGroups = groups.flatMap(({ name, paymentMethods }) => [
    ...at(product.groupPath(tree, name)),
    ...methods
      .filter((method) => paymentMethods.includes(method.name))
      .flatMap((method) => at(product.methodPath(tree, method, name))),
  ]);
  const following = methods
    .flatMap((method) => product.flowOf(method)?.routes ?? [])
    .flatMap(({ path }) => product.routes.filter((route) => route.path === `${tree}/${path}`).flatMap(sourcesOf));
  return [...new Set([...mostFrequent(opened), ...opened, ...inGroups, ...at(`${tree}/region`), ...following])];
}

/** The source that occurs most, the earlier one of two. */
function mostFrequent(sources: readonly LoadScreen[]): LoadScreen[] {
  const counts = new Map<LoadScreen, number>();
  for (const source of sources) counts.set(source, (counts.get(source) ?? 0) + 1);
  return [...counts.keys()].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0)).slice(0, 1);
}

function sourcesAt(path: string, product: Product, parser: Parser): readonly LoadScreen[] {
  const found = resolveRoute(product, path, parser);
  return found.kind === 'route' ? sourcesOf(found.route) : [];
}

/** Loads the screens of an address. When that fails, the screen itself tries again. */
export async function loadScreens(path: string, product: Product): Promise<void> {
  await Promise.allSettled(sourcesAt(path, product, parse).map((source) => laterScreen(source).load()));
}

/** Late enough for the list's own marks and banners, early enough for the first tap. */
const AFTER_MS = 300;
/** The pause between two screens, where the browser does not say when it is idle. */
const PAUSE_MS = 50;
/** A page that is never idle, such as one with a video, gets its screens all the same. */
const IDLE_AT_LATEST_MS = 2000;

/** Runs when the page has nothing else to do. */
function whenIdle(clock: Clock, run: () => void): Cancel {
  if (typeof requestIdleCallback !== 'function') return clock.setTimer(run, PAUSE_MS);
  const handle = requestIdleCallback(run, { timeout: IDLE_AT_LATEST_MS });
  return () => cancelIdleCallback(handle);
}

/** Whether the user pays for each byte, or waits long for it. Then only the first screen and what the pointer is near are loaded. */
function isCostly(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection');
  if (typeof connection !== 'object' || connection === null) return false;
  return Reflect.get(connection, 'saveData') === true || /2g$/.test(String(Reflect.get(connection, 'effectiveType')));
}

const tell = (error: unknown): void => console.warn('A page could not be loaded ahead.', error);

/** Loads the screens of the lists of one product. */
export function screensAhead(place: ScreensOfList & { readonly clock: Clock }): ScreensAhead {
  const { product, parser, clock } = place;
  return {
    load(list, parts = []) {
      const all: LoadPart[] = screensOfList(list, place).map((source) => laterScreen(source));
      // A part belongs to the form that most methods open.
      const [first, ...others] = all;
      const waiting = first === undefined ? [...parts] : [first, ...parts, ...(isCostly() ? [] : others)];
      let isStopped = false;
      let cancel: Cancel = () => undefined;
      const next = (): void => {
        const part = waiting.shift();
        if (part === undefined || isStopped) return;
        const then = (): void => {
          if (!isStopped) cancel = whenIdle(clock, next);
        };
        if (part.isLoaded()) next();
        // Without a network the others fail, too. The pointer or the tap asks again.
        else part.load().then(then, tell);
      };
      cancel = clock.setTimer(() => {
        cancel = whenIdle(clock, next);
      }, AFTER_MS);
      return () => {
        isStopped = true;
        cancel();
      };
    },
    near(path) {
      for (const source of sourcesAt(path, product, parser)) {
        const screen = laterScreen(source);
        if (!screen.isLoaded()) screen.load().catch(tell);
      }
    },
  };
}
