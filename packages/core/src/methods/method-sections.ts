import type { MethodList, MethodTile, PaymentGroup, PaymentMethod } from '@opencashier/contract/api';

/** A group tile shows at most this many icons of its methods (section 9). */
export const MAX_GROUP_ICONS = 3;
/** Above this many methods a search box is shown (LIST-6). */
export const SEARCH_THRESHOLD = 12;

/** A group with its methods, as the list screen shows it. */
export interface MethodSection {
  readonly group: PaymentGroup;
  readonly methods: readonly PaymentMethod[];
  /** Different icons, at most three, in the order of the methods. */
  readonly iconIds: readonly string[];
}

/** The list screen's content. */
export interface MethodSections {
  readonly sections: readonly MethodSection[];
  /** Methods that no group names: shown after the groups, so that nothing the server offers is lost. */
  readonly ungrouped: readonly PaymentMethod[];
}

/** By position; equal positions keep the order of the server. Methods and groups alike (LIST-2). */
export function byPosition<Item extends { readonly position: number }>(items: readonly Item[]): Item[] {
  return [...items].sort((left, right) => left.position - right.position);
}

/**
 * Groups and methods in the order to show (LIST-2). Groups by position, their methods as the operator lists them; a name
 * without a method is passed over, and a group without methods is left out.
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

/** The method used last (LIST-6), if it is still offered and can be used. */
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
 * A text by language as the contract carries it: the very locale, then its language, then English, then whatever there is.
 * @param fallback shown when there is no text at all, usually the name
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
 * Methods whose title or name, or the title of whose tile, contains every word of the query (LIST-6), whatever the letter case and accents.
 * An empty query gives every method.
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

/** Groups with methods whose title or name contains every word of the query (LIST-6). An empty query gives every group. */
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
