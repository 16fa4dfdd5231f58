/** The catalogue of every operator, answered from memory: the shipped catalogue with the operator's settings. */
import type {
  AmountRule,
  DropdownItem,
  FormField,
  MethodList,
  PaymentGroup,
  PaymentMethod,
} from '@opencashier/contract/api';
import type { CatalogueSettings } from '@opencashier/contract/operator';
import { decimalsOf, isCrypto, paidDecimals } from '@opencashier/core/money/currencies';
import { entryOf, type Words } from '../languages/words.ts';
import type { Catalogue, CatalogueMethod, Country } from './catalogue.ts';
import type { GroupEntry, MethodEntry, TileEntry } from './catalogue-file.ts';
import { effectiveCatalogue } from './effective-catalogue.ts';
import type { FollowedSettings } from './followed-settings.ts';
import { definedCatalogue, ownIconId, startedMethods } from './own/defined-catalogue.ts';
import { noSettings } from './own-settings.ts';
import type { ShippedCatalogue } from './shipped-catalogue.ts';

type ListQuery = Parameters<Catalogue['list']>[0];

/** Lists are cached per query. The limit keeps a hostile caller from filling the memory. */
const mostLists = 2000;
const none: readonly string[] = [];

/** Values derived from one version of an operator's settings. */
interface View {
  /** Distinguishes the lists of this view from those of other views. */
  readonly id: number;
  readonly countries: readonly Country[];
  readonly groups: readonly GroupEntry[];
  readonly methods: readonly MethodEntry[];
  /** The names of the providers of the methods. */
  readonly providers: readonly string[];
  readonly byName: ReadonlyMap<string, { readonly entry: MethodEntry; readonly method: CatalogueMethod }>;
  /** Every method that a payment in progress may have, by name. */
  readonly started: ReadonlyMap<string, CatalogueMethod>;
}

/** Whether an account takes payments of an operator at a provider, and the provider can take one now. */
export type IsTaken = (operatorId: string, provider: string, currency: string) => boolean;

/** The routes in force, which decide instead of the provider of a method which deposits are taken. */
export interface DepositRoutes {
  /** For each method with a route: whether an account of the route takes deposits in the currency. */
  takes(operatorId: string, currency: string): ReadonlyMap<string, boolean>;
}

const noRoutes: ReadonlyMap<string, boolean> = new Map();

/**
 * @param settings absent: no operator has settings
 * @param isTaken absent: the providers of the shipped catalogue take the payments of every operator
 * @param routes absent: no operator has routes
 */
export function createCatalogue(
  shipped: ShippedCatalogue,
  settings?: FollowedSettings,
  isTaken?: IsTaken,
  routes?: DepositRoutes,
): Catalogue {
  let views = 0;
  const viewOf = (own: CatalogueSettings): View => {
    views += 1;
    const { countries, groups, methods: defined } = definedCatalogue(shipped, own);
    const ready = defined.flatMap((entry) => shipped.offered(entry) ?? []);
    const effective = effectiveCatalogue({ groups, methods: ready }, own);
    const byName = new Map(effective.methods.map((entry) => [entry.name, { entry, method: serverMethod(entry) }]));
    const started = new Map(startedMethods(shipped, own).map((entry) => [entry.name, serverMethod(entry)]));
    const providers = [...new Set(effective.methods.map(({ provider }) => provider))];
    return { ...effective, id: views, countries, providers, byName, started };
  };
  const untouched = viewOf(noSettings);
  // Settings are never changed in place, so values derived from old settings are freed with them.
  const ownViews = new WeakMap<CatalogueSettings, View>();
  const lists = new Map<string, MethodList>();

  const view = (operatorId: string): View => {
    const own = settings?.of(operatorId);
    if (own === undefined) return untouched;
    let known = ownViews.get(own);
    if (known === undefined) {
      known = viewOf(own);
      ownViews.set(own, known);
    }
    return known;
  };

  return {
    countries: (operatorId) => view(operatorId).countries,
    list(query) {
      const from = view(query.operatorId);
      const closed =
        isTaken === undefined
          ? none
          : from.providers.filter((name) => !isTaken(query.operatorId, name, query.currency));
      const routed = query.direction === 'deposit' ? routes?.takes(query.operatorId, query.currency) : undefined;
      const states = `${closed.join()} ${[...(routed ?? noRoutes)].join()}`;
      const key = `${from.id} ${query.direction} ${query.country} ${query.currency} ${query.language} ${states}`;
      const known = lists.get(key);
      if (known) return known;
      const list = makeList(from, shipped, query, { closed, routed: routed ?? noRoutes });
      if (lists.size >= mostLists) lists.clear();
      lists.set(key, list);
      return list;
    },
    method({ operatorId, name, currency, country }) {
      const found = view(operatorId).byName.get(name);
      if (!found || (currency !== undefined && !Object.hasOwn(found.entry.amount_rules, currency))) return undefined;
      if (country !== undefined && !found.entry.countries.includes(country)) return undefined;
      if (isTaken !== undefined) {
        const currencies = currency === undefined ? Object.keys(found.entry.amount_rules) : [currency];
        const takes = (code: string): boolean =>
          isTaken(operatorId, found.entry.provider, code) || routes?.takes(operatorId, code).get(name) === true;
        if (!currencies.some(takes)) return undefined;
      }
      return found.method;
    },
    started: (operatorId, name) => view(operatorId).started.get(name),
    ownIcon: (id) => ownIconIn(settings?.all() ?? [], id),
    isListInPage: (operatorId) => settings?.of(operatorId)?.listInPage !== false,
    version: (operatorId) => settings?.version(operatorId) ?? 0,
    follow: async (operatorId, version) => settings?.follow(operatorId, version),
  };
}

/** Own icons by their public names, made once for each version of an operator's settings. */
const drawingsOf = new WeakMap<CatalogueSettings, ReadonlyMap<string, string>>();

function ownIconIn(all: Iterable<CatalogueSettings>, id: string): string | undefined {
  for (const settings of all) {
    if (settings.icons === undefined) continue;
    const drawings =
      drawingsOf.get(settings) ?? new Map(Object.values(settings.icons).map((svg) => [ownIconId(svg), svg]));
    drawingsOf.set(settings, drawings);
    const found = drawings.get(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function makeList(
  { methods, groups }: View,
  { words, tiles }: ShippedCatalogue,
  query: ListQuery,
  { closed, routed }: { readonly closed: readonly string[]; readonly routed: ReadonlyMap<string, boolean> },
): MethodList {
  const { country, currency, direction, language } = query;
  const offered = methods.filter(
    (entry) =>
      (routed.get(entry.name) ?? !closed.includes(entry.provider)) &&
      entry.directions.includes(direction) &&
      entry.countries.includes(country) &&
      Object.hasOwn(entry.amount_rules, currency),
  );
  const joined = tiles.filter(({ name }) => offered.filter(({ tile }) => tile === name).length > 1);
  return {
    country,
    currency,
    groups: groups.flatMap((group): PaymentGroup[] => {
      const names = offered.filter((entry) => entry.group === group.name).map(({ name }) => name);
      if (names.length === 0) return [];
      const { name, position, display } = group;
      return [{ name, label: narrowed(group.label, language, words), paymentMethods: names, position, display }];
    }),
    methods: offered.map((entry) => widgetMethod(withoutLoneTile(entry, joined), currency, language, words)),
    ...(joined.length > 0 && {
      tiles: joined.map((tile) => ({ ...tile, text: narrowed(tile.text, language, words) })),
    }),
  };
}

/** Removes a shared tile with only one method. The method then has its own tile. */
function withoutLoneTile(entry: MethodEntry, joined: readonly TileEntry[]): MethodEntry {
  if (entry.tile === undefined || joined.some(({ name }) => name === entry.tile)) return entry;
  const { tile: _t, way: _w, ...alone } = entry;
  return alone;
}

/** The widget's view: texts in two languages, rules of the requested currency and of the method's own coin. */
function widgetMethod(entry: MethodEntry, currency: string, language: string, words: Words): PaymentMethod {
  const {
    group: _g,
    provider: _p,
    countries: _c,
    directions: _d,
    preparationFields: _f,
    providerOptions: _o,
    isOpenAmount: _a,
    sellsBoxes: _b,
    confirmationCode: _n,
    instruction: _i,
    isEverywhere: _e,
    ...visible
  } = entry;
  const { suggested, description, fees, ...shared } = visible;
  const { prefilled, recommended, fixed } = suggested[currency] ?? {};
  const rules = Object.entries(entry.amount_rules).filter(([code]) => code === currency || isCrypto(code));
  return {
    ...shared,
    text: narrowed(entry.text, language, words),
    fields: entry.fields.map((field) => translated(field, language, words)),
    ...(description && { description: narrowed(description, language, words) }),
    amount_rules: Object.fromEntries(rules.map(([code, rule]) => [code, withDecimals(code, rule)])),
    ...(fees && { fees: Object.fromEntries(Object.entries(fees).filter(([code]) => code === currency)) }),
    ...(prefilled && { prefilledAmount: prefilled }),
    ...(recommended && { recommendedAmounts: recommended }),
    ...(fixed && { fixedAmounts: fixed }),
  };
}

/** Adds the provider's decimals when they differ from the decimals of the amount field (AMT-9). */
function withDecimals(code: string, rule: AmountRule): AmountRule {
  const decimals = rule.decimals ?? paidDecimals(code);
  return decimals === decimalsOf(code) ? rule : { ...rule, decimals };
}

/** Translates the texts of a field's items. Names stay, and the widget translates all other texts. */
function translated(field: FormField, language: string, words: Words): FormField {
  const say = (item: DropdownItem): DropdownItem => ({ ...item, text: words(item.text, language) ?? item.text });
  const { values, props } = field;
  if (values === undefined && props?.items === undefined) return field;
  return {
    ...field,
    ...(values && { values: values.map(say) }),
    ...(props?.items && { props: { ...props, items: props.items.map(say) } }),
  };
}

function serverMethod(entry: MethodEntry): CatalogueMethod {
  const { group: _g, suggested: _s, isEverywhere: _e, ...method } = entry;
  return method;
}

/** English and the requested language: the entry's own text, or else the translation (UI-1). */
function narrowed(texts: Readonly<Record<string, string>>, language: string, words: Words): Record<string, string> {
  const { en = '' } = texts;
  const text = entryOf(texts, language) ?? words(en, language);
  return text === undefined ? { en } : { en, [language]: text };
}
