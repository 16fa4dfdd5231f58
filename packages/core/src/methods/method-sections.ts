import type { MethodList, MethodTile, PaymentGroup, PaymentMethod } from '@opencashier/contract/api';

/** The greatest number of method icons on a group tile (section 9). */
export const MAX_GROUP_ICONS = 3;
/** A list with more methods than this has a search box (LIST-6). */
export const SEARCH_THRESHOLD = 12;

/** A group and its methods, as the list screen shows them. */
export interface MethodSection {
  readonly group: PaymentGroup;
  readonly methods: readonly PaymentMethod[];
  /** Distinct icons, at most three, in the order of the methods. */
  readonly iconIds: readonly string[];
}

/** The content of the list screen. */
export interface MethodSections {
  readonly sections: readonly MethodSection[];
  /** Methods of no group. They are shown after the groups, so that no offered method is lost. */
  readonly ungrouped: readonly PaymentMethod[];
}

/** Sorts by position. Equal positions keep the server's order. Used for methods and groups (LIST-2). */
export function byPosition<Item extends { readonly position: number }>(items: readonly Item[]): Item[] {
  return [...items].sort((left, right) => left.position - right.position);
}

/**
 * Groups and methods in display order (LIST-2): groups by position, their methods in the operator's order.
 * A name without a method is skipped, and a group without methods is left out.
 */
export function methodSections(list: Pick<MethodList, 'groups' | 'methods'>): MethodSections {
  const byName = new Map(list.methods.map((method) => [method.name, method]));
  const grouped = new Set<string>();
  const sections: MethodSection[] = [];
  for (const group of byPosition(list.groups)) {
    const methods = [...new Set(group.paymentMethods)].flatMap((name) => byName.get(name) ?? []);
    if (methods.length === 0) continue;
    for (const { name } of methods) grouped.add(name);
    const icons = new Set(methods.flatMap(({ iconIds }) => iconIds));
    sections.push({ group, methods, iconIds: [...icons].slice(0, MAX_GROUP_ICONS) });
  }
  return { sections, ungrouped: byPosition(list.methods).filter(({ name }) => !grouped.has(name)) };
}

/** The last used method (LIST-6), if it is still offered and can be used. */
export function lastUsedMethod(
  methods: readonly PaymentMethod[],
  name: string | null | undefined,
): PaymentMethod | undefined {
  return methods.find((method) => method.name === name && method.disabledReason === undefined);
}

/** True when the list is long enough for a search box (LIST-6). */
export function needsMethodSearch(methodCount: number): boolean {
  return methodCount > SEARCH_THRESHOLD;
}

/**
 * A text in the user's language: the exact locale, or else its language, or else English, or else any language.
 * @param fallback the text when there is none in any language, usually the name
 */
export function textFor(texts: Readonly<Record<string, string>>, locale: string, fallback: string): string {
  const candidates = [locale, locale.split('-')[0] ?? locale, 'en'];
  for (const candidate of candidates) {
    const text = Object.hasOwn(texts, candidate) ? texts[candidate] : undefined;
    if (text !== undefined && text !== '') return text;
  }
  return Object.values(texts).find((text) => text !== '') ?? fallback;
}

/**
 * The methods whose title, name or tile title contains every word of the query (LIST-6). Letter case and accents do not
 * matter. An empty query returns every method.
 */
export function searchMethods(
  methods: readonly PaymentMethod[],
  query: string,
  locale: string,
  tiles: readonly MethodTile[] = [],
): PaymentMethod[] {
  const isFound = finder(query, locale);
  const found = new Set(tiles.filter(({ text, name }) => isFound(text, name)).map(({ name }) => name));
  return methods.filter(({ text, name, tile }) => isFound(text, name) || (tile !== undefined && found.has(tile)));
}

/**
 * The groups with methods whose title or name contains every word of the query (LIST-6). An empty query returns every group.
 */
export function searchGroups(
  list: Pick<MethodList, 'groups' | 'methods'>,
  query: string,
  locale: string,
): MethodSection[] {
  const isFound = finder(query, locale);
  return methodSections(list).sections.filter(({ group }) => isFound(group.label, group.name));
}

function finder(query: string, locale: string) {
  const words = fold(query).split(/\s+/).filter(Boolean);
  return (title: Readonly<Record<string, string>>, name: string): boolean => {
    const haystack = fold(`${textFor(title, locale, name)} ${name.replaceAll('_', ' ')}`);
    return words.every((word) => haystack.includes(word));
  };
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
