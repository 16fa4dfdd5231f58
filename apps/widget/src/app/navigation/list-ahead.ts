/**
 * Loads what a list can open, one screen after the other (LIST-4, UI-5).
 *
 * The screens follow from the addresses that the list's tiles open. So every product has them, and a list loads no screen that it
 * cannot open. Each screen waits until the page is idle, because running a file costs time, too.
 */
import type { MethodList } from '@opencashier/contract/api';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { rulesAhead } from '../../kit/form/rules-ahead.ts';
import type { LoadScreen } from '../../kit/session/product.ts';
import type { LoadPart } from '../../kit/session/product-context.tsx';
import { type Ahead, laterScreen, type ScreensOfList, sourcesAt, sourcesOf, tell } from './later-screens.ts';

/** What a tap on a list can open: methods that can be used, and groups with a tile of their own. */
function openable({ methods, groups }: MethodList) {
  return {
    methods: methods.filter(({ disabledReason }) => disabledReason === undefined),
    groups: groups.filter(({ display }) => display === 'tile'),
  };
}

/**
 * The screens that a list leads to, without any other. The screen that most methods open comes first, then the others in the order
 * of the list, then those that follow in the flows of the methods.
 */
export function screensOfList(list: MethodList, { product, parser, tree }: ScreensOfList): LoadScreen[] {
  const { methods, groups } = openable(list);
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

/** The pause between two screens, where the browser does not say when it is idle. */
const PAUSE_MS = 50;
/** A page that is never idle, such as one with a video, gets its screens all the same. */
const IDLE_AT_LATEST_MS = 2000;

/** Runs when the page has nothing else to do. */
export function whenIdle(clock: Clock, run: () => void): Cancel {
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

/** A drawing costs the processor something, also when nobody taps. */
const mostDrawnAhead = 6;

/** Screens that were drawn ahead. The next drawing would be no faster. */
const drawnAhead = new WeakSet<LoadScreen>();

/** Addresses that a list opens: one for each screen that was not drawn ahead before. */
function takePathsToDraw(list: MethodList, { product, parser, tree }: ScreensOfList): string[] {
  const { methods, groups } = openable(list);
  const paths = [
    ...methods.map((method) => product.methodPath(tree, method)),
    ...groups.map(({ name }) => product.groupPath(tree, name)),
    `${tree}/region`,
  ];
  const taken: string[] = [];
  for (const path of paths) {
    const [source] = sourcesAt(path, product, parser).slice(-1);
    if (source === undefined || drawnAhead.has(source) || taken.length === mostDrawnAhead) continue;
    drawnAhead.add(source);
    taken.push(path);
  }
  return taken;
}

/**
 * Loads the screens of a list, reads the rules of its forms, then has the screens drawn ahead. Answers a function that stops it.
 *
 * @param parts further parts of the form that most methods open
 */
export function loadAhead(place: Ahead, list: MethodList, parts: readonly LoadPart[]): Cancel {
  const { clock, draw } = place;
  const all: LoadPart[] = screensOfList(list, place).map((source) => laterScreen(source));
  const [first, ...others] = all;
  const form = first === undefined ? [...parts] : [first, ...parts];
  const waiting = [...form, ...(isCostly() ? [] : others), ...rulesAhead(openable(list).methods)];
  let isStopped = false;
  const next = (): void => {
    if (isStopped) return;
    const part = waiting.shift();
    if (part === undefined) {
      if (!isCostly()) draw(takePathsToDraw(list, place));
      return;
    }
    const then = (): void => {
      if (!isStopped) cancel = whenIdle(clock, next);
    };
    if (part.isLoaded()) next();
    else part.load().then(then, tell);
  };
  let cancel = whenIdle(clock, next);
  return () => {
    isStopped = true;
    cancel();
  };
}
