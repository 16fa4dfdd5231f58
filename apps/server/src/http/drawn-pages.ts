/**
 * Pages of the widget with the first list drawn into them, kept for the next visitor (LIST-1, UI-5).
 *
 * Anybody may ask for any country, currency and language. So the number of kept pages has limits, in all and for each operator,
 * and so has the number of drawings in a second. Beyond them a page comes without its list.
 */
import type { MethodList, PaymentMethod } from '@opencashier/contract/api';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Operator } from '../operators/operators.ts';
import type { OwnPageTexts } from '../own-texts/served-texts.ts';
import type { FirstListAddress } from '../pages/first-list-address.ts';
import type { DrawnList, FirstListDrawer } from '../pages/first-list-renderer.ts';
import {
  type BuiltPage,
  type FirstLook,
  isMadeOf,
  type PageSettings,
  type PreparedPage,
  preparePage,
} from './widget-page.ts';

/** At most 14 kB each. */
const mostPages = 5000;
const mostPagesOfOperator = 250;
/** A drawing takes about 30 ms of the processor. */
const mostDrawings = 40;
const drawingsWindowMs = 3000;
/** For all operators. Kept pages are not counted. */
const mostDrawingsOfAll = 60;
/** Drawings for one network address. Real visitors need one. */
const mostDrawingsOfCaller = 20;

export interface DrawnPagesOptions {
  readonly catalogue: Pick<Catalogue, 'list' | 'countries' | 'version' | 'isListInPage'>;
  readonly drawer: FirstListDrawer;
  readonly limiter: Pick<RateLimiter, 'takeHere'>;
  readonly settings: PageSettings;
  /** Hears of a drawing that failed. The page then comes without its list. */
  readonly onFailure: (error: unknown) => void;
}

interface Asked {
  readonly builtPage: BuiltPage;
  readonly operator: Operator;
  readonly look: FirstLook;
  readonly address: FirstListAddress;
  /** The operator's own texts; undefined when it has none. */
  readonly texts: OwnPageTexts | undefined;
  /** Network address of the visitor. */
  readonly caller: string;
}

interface Kept {
  /** Of the catalogue. */
  readonly version: number;
  readonly page: PreparedPage;
}

export interface DrawnPages {
  /** Undefined: the page has to come without a list. */
  find(asked: Asked): Promise<PreparedPage | undefined>;
}

export function createDrawnPages(options: DrawnPagesOptions): DrawnPages {
  const { catalogue, drawer, limiter, settings, onFailure } = options;
  const kept = createBoundedPages();
  /** Visitors who come at the same time share a drawing. */
  const coming = new Map<string, Promise<PreparedPage | undefined>>();

  const draw = async (
    { builtPage, operator, look, address, texts }: Asked,
    key: string,
  ): Promise<PreparedPage | undefined> => {
    const { facts, locale } = address;
    const { direction, country, currency } = facts;
    const version = catalogue.version(operator.id);
    try {
      const listIn = (language: string) =>
        forAnybody(catalogue.list({ operatorId: operator.id, direction, country, currency, language }));
      const drawing = await drawer.draw(facts, locale, listIn, texts);
      if (drawing === undefined) return undefined;
      const page = fitting(drawing, (part) =>
        preparePage(builtPage, operator, { ...look, direction: drawing.direction }, settings, { texts, drawing: part }),
      );
      kept.add(operator.id, key, { version, page });
      return page;
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  };

  return {
    async find(asked) {
      const { operator, look, address, caller } = asked;
      const { id } = operator;
      const { facts, locale } = address;
      if (!catalogue.isListInPage(id)) return undefined;
      if (!catalogue.countries(id).some(({ code }) => code === facts.country)) return undefined;
      const key = `${look.theme} ${look.isAwaited} ${locale} ${Object.values(facts).join(' ')}`;
      const known = kept.find(id, key);
      if (known?.version === catalogue.version(id) && isMadeOf(known.page, asked)) return known.page;
      const whole = `${id} ${key}`;
      const drawing = coming.get(whole);
      if (drawing !== undefined) return drawing;
      // A single visitor cannot use up what the operator's other visitors need.
      if (limiter.takeHere(`first-list-of:${caller}`, mostDrawingsOfCaller, drawingsWindowMs) > 0) return undefined;
      if (limiter.takeHere(`first-list:${id}`, mostDrawings, drawingsWindowMs) > 0) return undefined;
      if (limiter.takeHere('first-list', mostDrawingsOfAll, drawingsWindowMs) > 0) return undefined;
      const begun = draw(asked, key).finally(() => coming.delete(whole));
      coming.set(whole, begun);
      return begun;
    },
  };
}

/** What a server sends in the first round trip of a connection (TCP's first window). */
const firstWindowBytes = 14_000;

/** The page with the pages of as many tiles as fit. The first tiles keep theirs. */
function fitting(drawing: DrawnList, prepare: (drawing: DrawnList) => PreparedPage): PreparedPage {
  const page = prepare(drawing);
  const { tilePages } = drawing;
  const size = page.bodyIn('br').length;
  if (tilePages.length === 0 || size <= firstWindowBytes) return page;
  const kept = tilePages.length < 4 ? 0 : Math.floor((tilePages.length * 2) / 3);
  return fitting({ ...drawing, tilePages: tilePages.slice(0, kept) }, prepare);
}

/** Keeps the pages that were asked for last: a `Map` iterates in the order of insertion. */
function createBoundedPages() {
  const operators = new Map<string, Map<string, Kept>>();
  let size = 0;
  const dropOldest = (pages: Map<string, Kept>): void => {
    const [oldest] = pages.keys();
    if (oldest !== undefined && pages.delete(oldest)) size -= 1;
  };
  return {
    find(operatorId: string, key: string): Kept | undefined {
      const pages = operators.get(operatorId);
      const found = pages?.get(key);
      if (pages === undefined || found === undefined) return undefined;
      pages.delete(key);
      pages.set(key, found);
      return found;
    },
    add(operatorId: string, key: string, page: Kept): void {
      const pages = operators.get(operatorId) ?? new Map<string, Kept>();
      // The operator that was active last comes last.
      operators.delete(operatorId);
      operators.set(operatorId, pages);
      if (!pages.has(key)) size += 1;
      pages.set(key, page);
      if (pages.size > mostPagesOfOperator) dropOldest(pages);
      while (size > mostPages) {
        const [[quietest, itsPages] = []] = operators;
        if (quietest === undefined || itsPages === undefined) return;
        dropOldest(itsPages);
        if (itsPages.size === 0) operators.delete(quietest);
      }
    },
  };
}

/**
 * Without methods that depend on the user: the page is drawn for all. Their own list comes a moment later. A wallet of the device stays
 * if the page's script can take its tile out again. So it has a tile of its own, in a section that keeps another.
 */
function forAnybody(list: MethodList): MethodList {
  const isForAll = ({ flags }: PaymentMethod) => flags.deviceWallet === undefined && flags.paysToPaidCards !== true;
  const lasting = new Set(list.methods.filter(isForAll).map(({ name }) => name));
  if (lasting.size === list.methods.length) return list;
  const grouped = new Set(list.groups.flatMap(({ paymentMethods }) => paymentMethods));
  const ungrouped = list.methods.map(({ name }) => name).filter((name) => !grouped.has(name));
  const removable = new Set(
    [...list.groups.filter(({ display }) => display !== 'tile').map(({ paymentMethods }) => paymentMethods), ungrouped]
      .filter((names) => names.some((name) => lasting.has(name)))
      .flat(),
  );
  const isDrawn = ({ name, flags, tile }: PaymentMethod) =>
    lasting.has(name) || (flags.deviceWallet !== undefined && tile === undefined && removable.has(name));
  const methods = list.methods.filter(isDrawn);
  const drawn = new Set(methods.map(({ name }) => name));
  const groups = list.groups.map((group) => ({
    ...group,
    paymentMethods: group.paymentMethods.filter((name) => drawn.has(name)),
  }));
  return { ...list, groups: groups.filter(({ paymentMethods }) => paymentMethods.length > 0), methods };
}
