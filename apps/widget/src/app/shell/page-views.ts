/** The view of the address, and the view that the next tap is likely to open (UI-5). */
import { startTransition, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { Parser } from 'wouter';
import type { Product, RouteDefinition } from '../../kit/session/product.ts';
import { useServices } from '../../kit/session/services.tsx';
import { keptSearch, stateOfEntry } from '../navigation/history.ts';
import { screensAhead } from '../navigation/screens-ahead.ts';
import { type Address, type PageView, type Redirect, viewOf } from './page-view.tsx';

/** Addresses whose screens are drawn once where nobody sees them, and the route of the list that opens them. */
export interface DrawnOnce {
  readonly route: RouteDefinition;
  readonly paths: readonly string[];
}

/** What events and effects know before React has drawn it. */
interface Latest {
  /** It is being drawn for the next tap. */
  ready: PageView | undefined;
  /** It was the last on the page. */
  shown: PageView | undefined;
  /** Counts visits, so that the elements of one are not taken for another. */
  visit: number;
}

interface PageViews {
  readonly view: PageView | Redirect;
  /** It is drawn and not shown. */
  readonly prepared: PageView | undefined;
  readonly drawnOnce: DrawnOnce | undefined;
}

/** @param here the address that is drawn */
export function usePageViews(product: Product, parser: Parser, here: Address, onShown?: () => void): PageViews {
  const { clock, session } = useServices();
  const [drawnOnce, setDrawnOnce] = useState<DrawnOnce>();
  const [prepared, setPrepared] = useState<PageView>();
  const [latest] = useState<Latest>(() => ({ ready: undefined, shown: undefined, visit: 0 }));

  const { sources, prepare } = useMemo(() => {
    const drawNext = (path: string | undefined): void => {
      if (latest.ready?.address.path === path) return;
      latest.visit += 1;
      const found = path === undefined ? undefined : viewOf({ path, search: keptSearch(), entry: null }, all);
      const view = found && 'redirectTo' in found ? undefined : found;
      latest.ready = view;
      startTransition(() => setPrepared(view));
    };
    const ahead = (route: RouteDefinition, tree: string) =>
      screensAhead({
        product,
        parser,
        tree,
        clock,
        prepare: drawNext,
        draw: (paths) => setDrawnOnce({ route, paths }),
      });
    const keyOf = (page: string) => (latest.shown?.page === page ? latest.shown.key : `${page} ${latest.visit}`);
    const all = { product, parser, ahead, keyOf, onShown };
    return { sources: all, prepare: drawNext };
  }, [product, parser, clock, onShown, latest]);

  const view = useMemo(() => {
    const { ready } = latest;
    return ready?.place.product === product && isOpenedBy(here, ready.address) ? ready : viewOf(here, sources);
  }, [product, here, sources, latest]);
  // Every visit starts from the beginning, so a page that was drawn for another address is dropped.
  useLayoutEffect(() => {
    if (!('redirectTo' in view)) latest.shown = view;
    latest.ready = undefined;
    latest.visit += 1;
    setPrepared(undefined);
  }, [view, latest]);

  // Currency, country and bonuses of a form are those of its first drawing.
  useEffect(() => session.subscribe(() => prepare(undefined)), [session, prepare]);

  return { view, prepared: prepared === view ? undefined : prepared, drawnOnce };
}

const isOpenedBy = (here: Address, { path, search }: Address): boolean =>
  here.path === path &&
  (stateOfEntry(here.entry) ?? undefined) === undefined &&
  new URLSearchParams(here.search).toString() === new URLSearchParams(search).toString();
