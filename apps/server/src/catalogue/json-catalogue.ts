/** The catalogue over JSON files: checked as a whole at boot, answered from memory afterwards. */
import type { MethodList, PaymentGroup, PaymentMethod } from '@opencashier/contract/api';
import { checkedNetwork } from '@opencashier/core/crypto/address-check';
import { findCurrency, isCrypto } from '@opencashier/core/money/currencies';
import { roundDecimal } from '@opencashier/core/money/money';
import { SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import { splitWithdrawal } from '@opencashier/core/withdrawal/withdrawal-fee';
import type { CatalogueFiles } from './bundled-files.ts';
import type { Catalogue, CatalogueMethod, Country } from './catalogue.ts';
import {
  CatalogueError,
  countriesFileSchema,
  type GroupsFile,
  groupsFileSchema,
  type MethodEntry,
  methodsFileSchema,
  readCatalogueFile,
} from './catalogue-file.ts';

type ListQuery = Parameters<Catalogue['list']>[0];

/** Lists are made once per question; a hostile caller must not fill the memory with questions. */
const mostLists = 2000;

/**
 * Reads and checks the files (LIST-7). Every operator sees the same catalogue for now, so `operatorId` chooses nothing. Methods
 * whose provider is not set up, and networks that it has not, are checked all the same, and offered to nobody.
 *
 * @throws CatalogueError naming file and place: a wrong shape, an unknown group, country or currency, a name used twice,
 *   a minimum above its maximum, or a method that no country with a fitting currency offers
 */
export function createJsonCatalogue(files: CatalogueFiles, isOffered: IsOffered = () => true): Catalogue {
  const countries = readCatalogueFile('countries.json', countriesFileSchema, files.countries);
  const groups = readCatalogueFile('groups.json', groupsFileSchema, files.groups).sort(byPosition);
  const entries = Object.entries(files.methods)
    .flatMap(([file, content]) =>
      readCatalogueFile(file, methodsFileSchema, content).map((entry, index) => {
        checkEntry(file, index, entry, countries, groups);
        return { file, entry };
      }),
    )
    .sort((a, b) => byPosition(a.entry, b.entry));
  checkNamesOnce(entries);

  const methods = entries.flatMap(({ entry }) => offered(entry, isOffered) ?? []);
  const byName = new Map(methods.map((entry) => [entry.name, entry]));
  const resolved = new Map<MethodEntry, CatalogueMethod>(methods.map((entry) => [entry, serverMethod(entry)]));
  const lists = new Map<string, MethodList>();

  return {
    countries: () => countries,
    list(query) {
      const key = `${query.direction} ${query.country} ${query.currency} ${query.language}`;
      const known = lists.get(key);
      if (known) return known;
      const list = makeList(methods, groups, query);
      if (lists.size >= mostLists) lists.clear();
      lists.set(key, list);
      return list;
    },
    method({ name, currency, country }) {
      const entry = byName.get(name);
      if (!entry || (currency !== undefined && !Object.hasOwn(entry.amount_rules, currency))) return undefined;
      if (country !== undefined && !entry.countries.includes(country)) return undefined;
      return resolved.get(entry);
    },
  };
}

/** Whether a provider is set up, and for a network where the method names one. */
export type IsOffered = (provider: string, network: string | undefined) => boolean;

/** A method without the networks that its provider does not have; undefined where nothing of it is left. */
function offered(entry: MethodEntry, isOffered: IsOffered): MethodEntry | undefined {
  const { provider, providerOptions } = entry;
  const networks = entry.fields.find(({ type }) => type === 'networks');
  if (networks === undefined) return isOffered(provider, providerOptions['network']) ? entry : undefined;
  const values = networks.values?.filter(({ value }) => isOffered(provider, value)) ?? [];
  if (values.length === 0) return undefined;
  return { ...entry, fields: entry.fields.map((field) => (field === networks ? { ...field, values } : field)) };
}

function makeList(methods: readonly MethodEntry[], groups: GroupsFile, query: ListQuery): MethodList {
  const { country, currency, direction, language } = query;
  const offered = methods.filter(
    (entry) =>
      entry.directions.includes(direction) &&
      entry.countries.includes(country) &&
      Object.hasOwn(entry.amount_rules, currency),
  );
  return {
    country,
    currency,
    groups: groups.flatMap((group): PaymentGroup[] => {
      const names = offered.filter((entry) => entry.group === group.name).map(({ name }) => name);
      if (names.length === 0) return [];
      const { name, position, display } = group;
      return [{ name, label: narrowed(group.label, language), paymentMethods: names, position, display }];
    }),
    methods: offered.map((entry) => widgetMethod(entry, currency, language)),
  };
}

/** What the widget gets: texts of two languages, rules of the asked currency and of the method's own coin. */
function widgetMethod(entry: MethodEntry, currency: string, language: string): PaymentMethod {
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
    ...visible
  } = entry;
  const { suggested, description, fees, ...shared } = visible;
  const { prefilled, recommended, fixed } = suggested[currency] ?? {};
  const rules = Object.entries(entry.amount_rules).filter(([code]) => code === currency || isCrypto(code));
  return {
    ...shared,
    text: narrowed(entry.text, language),
    ...(description && { description: narrowed(description, language) }),
    amount_rules: Object.fromEntries(rules),
    ...(fees && { fees: Object.fromEntries(Object.entries(fees).filter(([code]) => code === currency)) }),
    ...(prefilled && { prefilledAmount: prefilled }),
    ...(recommended && { recommendedAmounts: recommended }),
    ...(fixed && { fixedAmounts: fixed }),
  };
}

function serverMethod(entry: MethodEntry): CatalogueMethod {
  const { group: _g, suggested: _s, ...method } = entry;
  return method;
}

function narrowed(texts: Readonly<Record<string, string>>, language: string): Record<string, string> {
  const base = language.split('-')[0] ?? language;
  return Object.fromEntries(Object.entries(texts).filter(([key]) => key === 'en' || key === base || key === language));
}

function byPosition(a: { position: number }, b: { position: number }): number {
  return a.position - b.position;
}

function checkEntry(
  file: string,
  index: number,
  entry: MethodEntry,
  countries: readonly Country[],
  groups: GroupsFile,
): void {
  const fail = (place: string, problem: string): never => {
    throw new CatalogueError(file, `${index}.${place}`, `${problem} (method ${entry.name})`);
  };
  if (!groups.some(({ name }) => name === entry.group)) fail('group', `no group is called ${entry.group}`);
  for (const code of entry.countries) {
    const country = countries.find((candidate) => candidate.code === code);
    if (!country) fail('countries', `${code} is not in countries.json`);
    else if (!isRedemption(entry) && !country.currencies.some((code) => Object.hasOwn(entry.amount_rules, code))) {
      fail('amount_rules', `no rule for any currency of ${code}`);
    }
  }
  if (entry.preparationFields.length > 0 && entry.isPreparationRequired !== true) {
    fail('preparationFields', 'nobody asks for them without isPreparationRequired');
  }
  checkWithdrawal(entry, fail);
  checkCoins(entry, fail);
  for (const [code, rule] of Object.entries(entry.amount_rules)) {
    const currency = findCurrency(code);
    if (!currency) fail(`amount_rules.${code}`, 'an unknown currency');
    const [min, max] = [rule.min, rule.max].map((text) => roundDecimal(text, currency?.decimals ?? 2, 'half-up'));
    if (!min?.ok || !max?.ok || min.minor > max.minor) fail(`amount_rules.${code}`, 'the minimum is above the maximum');
  }
}

/** Coins of a promotion are of no country. */
function isRedemption({ amount_rules, payoutCurrency }: MethodEntry): boolean {
  return payoutCurrency !== undefined && Object.hasOwn(amount_rules, SWEEP_COIN);
}

/** Coins of a promotion are nothing to pay with, gold never leaves, and sweep coins never leave as what they are (SWP-2). */
function checkCoins(entry: MethodEntry, fail: (place: string, problem: string) => never): void {
  const coins = Object.keys(entry.amount_rules).filter((code) => findCurrency(code)?.kind === 'sweepstake');
  if (coins.some((code) => code !== SWEEP_COIN)) fail('amount_rules', 'only sweep coins can be redeemed');
  if (coins.length > 0 && entry.directions.includes('deposit')) fail('amount_rules', 'coins are nothing to pay with');
  const { payoutCurrency } = entry;
  if (coins.length > 0 !== (payoutCurrency !== undefined))
    fail('payoutCurrency', 'belongs to sweep coins, and only to them');
  const kind = findCurrency(payoutCurrency ?? '')?.kind;
  if (payoutCurrency !== undefined && kind !== 'crypto' && kind !== 'fiat') fail('payoutCurrency', 'is no money');
}

/** What would let somebody send coins to nowhere, or pay a fee of which nothing is left. */
function checkWithdrawal(entry: MethodEntry, fail: (place: string, problem: string) => never): void {
  if (!entry.directions.includes('withdrawal')) return;
  const isCoin = entry.category === 'crypto';
  if (isCoin && (entry.network === undefined || checkedNetwork(entry.network) === undefined)) {
    fail('network', 'coins are only paid to a network whose addresses can be checked');
  }
  for (const [code, rule] of Object.entries(entry.fees ?? {})) {
    const min = roundDecimal(entry.amount_rules[code]?.min ?? '', findCurrency(code)?.decimals ?? 2, 'up');
    if (!min.ok) fail(`fees.${code}`, 'no amounts in this currency');
    else if (Number(rule.percent ?? 0) >= 100 || splitWithdrawal(min.minor, code, rule).receives <= 0n) {
      fail(`fees.${code}`, 'nothing is left of the minimum');
    }
  }
}

function checkNamesOnce(entries: readonly { file: string; entry: MethodEntry }[]): void {
  const seen = new Map<string, string>();
  for (const { file, entry } of entries) {
    const other = seen.get(entry.name);
    if (other) throw new CatalogueError(file, entry.name, `the name is used before, in ${other}`);
    seen.set(entry.name, file);
  }
}
