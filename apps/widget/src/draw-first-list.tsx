/**
 * Draws the first list of methods without a browser, for the server. It is built as a program of its own
 * (`vite.server.config.ts`), which the server loads from the widget's build.
 */
import type { MethodList } from '@opencashier/contract/api';
import { readPayload } from '@opencashier/contract/host';
import type { FirstListFacts, FirstListRenderer } from '@opencashier/contract/page';
import { systemClock } from '@opencashier/core/time/clock';
import { renderToString } from 'react-dom/server';
import { createStore } from 'zustand/vanilla';
import type { ApiClient } from './api/client.ts';
import { methodsQueryKey } from './api/fetch-methods.ts';
import { createQueryClient } from './api/query-client.ts';
import { payloadAsDrawn } from './app/first-list/drawn-session.ts';
import { builtLocales } from './app/locale/built-locales.ts';
import { formatLocaleOf } from './app/locale/locale-name.ts';
import { createTexts } from './app/locale/locale-texts.ts';
import { productAt } from './app/navigation/branches.ts';
import { createSession } from './app/session/session.ts';
import { App } from './app/shell/app.tsx';
import { createPage } from './app/shell/shell-services.ts';
import type { ServicesFromBoot } from './kit/session/services.tsx';
import { mainProduct } from './products/main.ts';

const base: string = import.meta.env.BASE_URL;
const locales = builtLocales(import.meta.env.LOCALES, base);

export const textsFileOf: FirstListRenderer['textsFileOf'] = (asked) => {
  const locale = locales.nearest(asked);
  return locales.names.includes(locale) ? { locale, file: locales.fileOf(locale).slice(base.length) } : undefined;
};

export const drawFirstList: FirstListRenderer['drawFirstList'] = async (facts, list, asked, own) => {
  const path = `/${facts.direction}`;
  const locale = locales.nearest(asked);
  const formatLocale = formatLocaleOf(locale, asked);
  const texts = createTexts({ locale, formatLocale, own, english: undefined, missing: () => {} });
  // The routes of a branch must be there before drawing, which waits for nothing.
  const product = await productAt(mainProduct, path);
  const route = product.routes.find((candidate) => candidate.path === path);
  if (route === undefined) throw new Error(`${path} is no page of the widget.`);
  const services = servicesOf(facts, list, texts);
  return {
    html: renderToString(<App page={createPage(services)} path={path} product={product} />),
    title: texts.translate(route.title),
    direction: texts.direction,
    data: { ...facts, locale, formatLocale, list },
  };
};

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
    isDrawn: true,
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
