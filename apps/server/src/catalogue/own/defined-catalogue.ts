/**
 * The catalogue that an operator has defined: the shipped one with the operator's own countries, groups and methods. Whether a method
 * is switched on, its place and its narrower limits come after this (`effective-catalogue.ts`).
 */
import { createHash } from 'node:crypto';
import { type AmountRule, cardViewTypes } from '@opencashier/contract/api';
import type { CatalogueSettings, MethodSettings, OwnLimits } from '@opencashier/contract/operator';
import type { Country } from '../catalogue.ts';
import type { GroupEntry, MethodEntry } from '../catalogue-file.ts';
import { minorOf } from '../effective-catalogue.ts';
import { settingOf } from '../own-settings.ts';
import { countriesWith, type ShippedCatalogue } from '../shipped-catalogue.ts';

/** The operator's catalogue before anything is switched off. */
export interface DefinedCatalogue {
  readonly countries: readonly Country[];
  readonly groups: readonly GroupEntry[];
  /** Also those whose provider is not set up. */
  readonly methods: readonly MethodEntry[];
}

/** New groups and methods come last where the operator gives no position. */
const lastPosition = 1000;

/** Leaves out what is incomplete, such as a new method without a provider. `check-settings.ts` names these faults before they are stored. */
export function definedCatalogue(shipped: ShippedCatalogue, settings: CatalogueSettings): DefinedCatalogue {
  const countries = definedCountries(shipped.countries, settings);
  const groups = [
    ...shipped.groups.map((group) => changedGroup(group, settingOf(settings.groups, group.name))),
    ...Object.entries(settings.groups).flatMap(([name, own]) => {
      const isNew = !shipped.groups.some((group) => group.name === name);
      const label = own.title?.['en'];
      return isNew && label !== undefined ? [newGroup(name, own, label)] : [];
    }),
  ];
  const entries = new Map(shipped.methods.map(({ entry }) => [entry.name, entry]));
  const names = new Set([...entries.keys(), ...Object.keys(settings.methods)]);
  const methods = [...names].flatMap((name) => {
    const own = settingOf(settings.methods, name);
    const entry = definedMethod(entries, name, own, countries, settings.icons ?? {});
    const limited = entry && withCurrencies(entry, own?.currencies, settings.currencies);
    return limited && limited.countries.length > 0 && Object.keys(limited.amount_rules).length > 0 ? [limited] : [];
  });
  return { countries, groups, methods };
}

/** Every method that a payment in progress may have: shipped, own, and removed by the operator since. */
export function startedMethods(shipped: ShippedCatalogue, settings: CatalogueSettings): MethodEntry[] {
  const entries = new Map(shipped.methods.map(({ entry }) => [entry.name, entry]));
  const own = { ...settings.retired, ...settings.methods };
  return [...new Set([...entries.keys(), ...Object.keys(own)])].flatMap(
    (name) => definedMethod(entries, name, settingOf(own, name), shipped.countries, {}) ?? [],
  );
}

/**
 * One method with the operator's changes.
 * @param entries the shipped methods by name
 * @returns undefined where the method does not ship and its own entry does not say enough
 */
export function definedMethod(
  entries: ReadonlyMap<string, MethodEntry>,
  name: string,
  own: MethodSettings | undefined,
  countries: readonly Country[],
  icons: Readonly<Record<string, string>>,
): MethodEntry | undefined {
  const base = entries.get(name) ?? entries.get(own?.basedOn ?? '');
  if (own === undefined) return base && { ...base, countries: countriesOf(undefined, base, base, countries) };
  const provider = own.provider ?? base?.provider;
  const group = own.group ?? base?.group;
  const directions = own.directions ?? base?.directions;
  const text = mergedWords(base?.text, own.title);
  if (provider === undefined || group === undefined || directions === undefined || text === undefined) return undefined;
  const amount_rules = ownRules(base?.amount_rules ?? {}, own.limits ?? {});
  const {
    fees: _fees,
    description: _description,
    ...shared
  } = base ?? { ...blank, fees: undefined, description: undefined };
  const fees = own.fees ?? base?.fees;
  const description = mergedWords(base?.description, own.description);
  return {
    ...shared,
    name,
    provider,
    group,
    directions,
    text,
    amount_rules,
    position: base?.position ?? lastPosition,
    category: own.category ?? shared.category,
    cardViewType: own.view === undefined ? shared.cardViewType : cardViewTypes[own.view],
    providerOptions: { ...(provider === base?.provider && base.providerOptions), ...own.options },
    countries: countriesOf(own.countries, base, { ...shared, amount_rules }, countries),
    isEverywhere: own.countries === 'all' || (own.countries === undefined && base?.isEverywhere === true),
    iconIds: (own.icons ?? base?.iconIds ?? []).map((id) => (settingOf(icons, id) ? ownIconId(icons[id] ?? '') : id)),
    fields: withBanks(own.fields ?? shared.fields, own.banks),
    suggested: { ...shared.suggested, ...own.suggested },
    flags: { ...shared.flags, ...own.flags },
    ...(fees !== undefined && Object.keys(fees).length > 0 && { fees }),
    ...(description && { description }),
    ...(own.instruction && { instruction: own.instruction }),
  };
}

/** What a method has that is based on none and says nothing about it. */
const blank = {
  category: 'fiat',
  cardViewType: cardViewTypes.default,
  fields: [],
  suggested: {},
  flags: {},
  preparationFields: [],
  isOpenAmount: false,
  sellsBoxes: false,
} satisfies Partial<MethodEntry>;

/** The public name of an operator's drawing. It names the content, so the file behind it never changes. */
export function ownIconId(svg: string): string {
  return `own-${createHash('sha256').update(svg).digest('hex').slice(0, 24)}`;
}

function definedCountries(shipped: readonly Country[], settings: CatalogueSettings): Country[] {
  const own = settings.countries ?? {};
  const added = Object.entries(own).flatMap(([code, { name, currencies }]) =>
    name !== undefined && currencies !== undefined && !shipped.some((country) => country.code === code)
      ? [{ code, name, currencies }]
      : [],
  );
  return [...shipped, ...added].flatMap((country) => {
    const { enabled, name = country.name, currencies = country.currencies } = settingOf(own, country.code) ?? {};
    const offered = currencies.filter((code) => settings.currencies?.includes(code) !== false);
    return enabled === false || offered.length === 0 ? [] : [{ code: country.code, name, currencies: offered }];
  });
}

function changedGroup(group: GroupEntry, own: CatalogueSettings['groups'][string] | undefined): GroupEntry {
  const label = mergedWords(group.label, own?.title) ?? group.label;
  return { ...group, label, display: own?.display ?? group.display };
}

function newGroup(name: string, own: CatalogueSettings['groups'][string], en: string): GroupEntry {
  return { name, label: { ...own.title, en }, position: own.position ?? lastPosition, display: own.display ?? 'list' };
}

/** Own texts. A new English text replaces all, because translations of the shipped text would say something else. */
function mergedWords(
  shipped: Readonly<Record<string, string>> | undefined,
  own: Readonly<Record<string, string>> | undefined,
): MethodEntry['text'] | undefined {
  const en = own?.['en'] ?? shipped?.['en'];
  if (en === undefined) return undefined;
  return own?.['en'] === undefined ? { ...shipped, ...own, en } : { ...own, en };
}

/** Own limits in place of shipped ones, and those of further currencies. */
function ownRules(
  shipped: Readonly<Record<string, AmountRule>>,
  own: NonNullable<MethodSettings['limits']>,
): Record<string, AmountRule> {
  const added = Object.entries(own).flatMap(([currency, { min, max }]) =>
    min !== undefined && max !== undefined && !Object.hasOwn(shipped, currency)
      ? [[currency, { min, max }] as const]
      : [],
  );
  const changed = Object.entries(shipped).map(
    ([currency, rule]) => [currency, ownRule(currency, rule, settingOf(own, currency) ?? {})] as const,
  );
  return Object.fromEntries([...changed, ...added]);
}

function ownRule(currency: string, rule: AmountRule, { min, max }: OwnLimits): AmountRule {
  const { minNonRus, ...plain } = rule;
  const minor = (text: string): bigint => minorOf(text, currency, 'up');
  // An own minimum below the shipped one holds in every country. A higher one leaves a higher minimum outside Russia as it is.
  const keepsOther =
    minNonRus !== undefined && (min === undefined || (minor(min) >= minor(rule.min) && minor(minNonRus) > minor(min)));
  return {
    ...plain,
    ...(keepsOther && { minNonRus }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}

/** The listed countries that exist. `all`, and a shipped method that is everywhere, include those that the operator has added. */
function countriesOf(
  own: MethodSettings['countries'],
  base: MethodEntry | undefined,
  method: Pick<MethodEntry, 'amount_rules' | 'payoutCurrency'>,
  countries: readonly Country[],
): readonly string[] {
  const isEverywhere = own === 'all' || (own === undefined && base?.isEverywhere === true);
  if (isEverywhere) return countriesWith(method, countries);
  return known(own ?? base?.countries ?? [], countries);
}

function known(codes: readonly string[], countries: readonly Country[]): readonly string[] {
  return codes.filter((code) => countries.some((country) => country.code === code));
}

function withBanks(fields: MethodEntry['fields'], banks: MethodSettings['banks']): MethodEntry['fields'] {
  if (banks === undefined) return fields;
  return fields.map((field) => (field.category === 'bank' ? { ...field, values: banks } : field));
}

/** The method in those currencies that both lists allow. An absent list allows all. */
function withCurrencies(
  entry: MethodEntry,
  own: readonly string[] | undefined,
  offered: readonly string[] | undefined,
): MethodEntry {
  if (own === undefined && offered === undefined) return entry;
  const isOffered = (code: string): boolean => own?.includes(code) !== false && offered?.includes(code) !== false;
  const amount_rules = Object.fromEntries(Object.entries(entry.amount_rules).filter(([code]) => isOffered(code)));
  return { ...entry, amount_rules };
}
