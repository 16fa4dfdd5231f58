/**
 * Draws the first list of methods without a browser, for the server. It is built as a program of its own
 * (`vite.server.config.ts`), which the server loads from the widget's build.
 */
import type { MethodList } from '@opencashier/contract/api';
import { readPayload } from '@opencashier/contract/host';
import type { FirstListFacts, FirstListRenderer, TilePage } from '@opencashier/contract/page';
import { systemClock } from '@opencashier/core/time/clock';
import { renderToString } from 'react-dom/server';
import { createStore } from 'zustand/vanilla';
import type { ApiClient } from './api/client.ts';
import { methodsQueryKey } from './api/fetch-methods.ts';
import { createQueryClient } from './api/query-client.ts';
import { payloadAsDrawn } from './app/first-list/drawn-session.ts';
import { tappedPath } from './app/first-list/tapped-path.ts';
import { builtLocales } from './app/locale/built-locales.ts';
import { formatLocaleOf } from './app/locale/locale-name.ts';
import { createTexts } from './app/locale/locale-texts.ts';
import { productAt } from './app/navigation/branches.ts';
import { createSession } from './app/session/session.ts';
import { App } from './app/shell/app.tsx';
import { createPage } from './app/shell/shell-services.ts';
import { readDictionary } from './kit/format/message.ts';
import type { ServicesFromBoot } from './kit/session/services.tsx';
import { mainProduct } from './products/main.ts';

const base: string = import.meta.env.BASE_URL;
const locales = builtLocales(import.meta.env.LOCALES, base);

export const textsFileOf: FirstListRenderer['textsFileOf'] = (asked) => {
  const locale = locales.nearest(asked);
  return locales.names.includes(locale) ? { locale, file: locales.fileOf(locale).slice(base.length) } : undefined;
};

export const drawFirstList: FirstListRenderer['drawFirstList'] = async (facts, list, asked, file) => {
  const path = `/${facts.direction}`;
  const locale = locales.nearest(asked);
  const formatLocale = formatLocaleOf(locale, asked);
  const own = readDictionary(file);
  const texts = createTexts({ locale, formatLocale, own, english: undefined, missing: () => {} });
  // The routes of a branch must be there before drawing, which waits for nothing.
  const product = await productAt(mainProduct, path);
  const route = product.routes.find((candidate) => candidate.path === path);
  if (route === undefined) throw new Error(`${path} is no page of the widget.`);
  const services = servicesOf(facts, list, texts);
  const draw: Draw = (at, drawnFor = 'phone') =>
    renderToString(<App page={createPage({ ...services, drawnFor })} path={at} product={product} />);
  const html = draw(path);
  const pathOf = (opens: string, isDesktop: boolean) => tappedPath(opens, list, path, product, isDesktop);
  return {
    html,
    // A form shows the host's bonus, which only the payload tells.
    tilePages: facts.hasBonus ? [] : await drawTilePages(tilesIn(html), pathOf, draw),
    title: texts.translate(route.title),
    direction: texts.direction,
    data: { ...facts, locale, formatLocale, list },
  };
};

/** The tiles that a first screen shows, also at a desktop. Each page costs about a millisecond and 120 bytes. */
const mostTilePages = 20;

/** What the tiles of a drawn list open, in the order of the list. */
function tilesIn(html: string): string[] {
  return [...html.matchAll(/ data-opens="((?:method|group) [\w-]+)"/g)].map(([, opens = '']) => opens);
}

type Tile = Omit<TilePage, 'html'>;
type Draw = (path: string, device?: 'phone' | 'desktop') => string;

/** The pages that tiles open. @param pathOf the path on a phone or a desktop; undefined for a tile that opens none */
async function drawTilePages(
  tiles: readonly string[],
  pathOf: (opens: string, isDesktop: boolean) => string | undefined,
  draw: Draw,
): Promise<TilePage[]> {
  const pages: TilePage[] = [];
  const wanted = tiles.slice(0, mostTilePages).flatMap((opens): { path: string | undefined; tile: Tile }[] => {
    const [onPhone, onDesktop] = [pathOf(opens, false), pathOf(opens, true)];
    if (onPhone === onDesktop) return [{ path: onPhone, tile: { opens } }];
    return [
      { path: onPhone, tile: { opens, device: 'phone' } },
      { path: onDesktop, tile: { opens, device: 'desktop' } },
    ];
  });
  for (const { path, tile } of wanted) {
    if (path === undefined) continue;
    let html = draw(path, tile.device);
    // To draw a part is to load it. All code is in this file, so it is there a moment later.
    for (let round = 0; round < mostRounds && html.includes(waitsForCode); round += 1) {
      await aMoment();
      html = draw(path, tile.device);
    }
    if (!html.includes(waitsForCode)) pages.push({ ...tile, html: html.replace(styleAttribute, ' data-style=') });
    // Other requests come first.
    await aMoment();
  }
  return pages;
}

/** The page's policy allows no such attribute. Its script sets the styles when it shows the page. A text has no plain quotes. */
const styleAttribute = / style=(?=")/g;

/** A screen, a part of it, and a part of that one. */
const mostRounds = 3;

const aMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** React's mark for a part that was not there while drawing. */
const waitsForCode = '<!--$!-->';

/** Services of a page that nobody uses: every fact is there already, and no call is made. */
function servicesOf(facts: FirstListFacts, list: MethodList, texts: ReturnType<typeof createTexts>): ServicesFromBoot {
  const { direction, country, currency } = facts;
  const payload = payloadAsDrawn({ ...readPayload({}).payload, paymentGeo: country, currency }, facts);
  const { store, chooseRegion } = createSession({
    payload,
    basePath: base.replace(/\/$/, ''),
    direction,
    forceLogging: false,
  });
  const queries = createQueryClient();
  queries.setQueryData(methodsQueryKey(direction, store.getState()), list);
  return {
    session: store,
    chooseRegion,
    texts: createStore(() => texts),
    api: noClient,
    queries,
    clock: systemClock,
    onHostClose: () => () => {},
    post: () => false,
    metric: () => {},
  };
}

const noClient: ApiClient = {
  call: ({ name }) => Promise.reject(new Error(`${name} was called while the page was drawn.`)),
  onPush: () => () => {},
  serverOffsetMs: () => 0,
};
