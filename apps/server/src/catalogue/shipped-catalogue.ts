/** The catalogue that ships with the cashier: JSON files, checked completely at boot (LIST-7). */
import { checkedNetwork } from '@opencashier/core/crypto/address-check';
import { findCurrency } from '@opencashier/core/money/currencies';
import { roundDecimal } from '@opencashier/core/money/money';
import { SWEEP_COIN } from '@opencashier/core/sweepstake/coins';
import { splitWithdrawal } from '@opencashier/core/withdrawal/withdrawal-fee';
import { createWords, type Words } from '../languages/words.ts';
import type { CatalogueFiles } from './bundled-files.ts';
import type { Country } from './catalogue.ts';
import {
  CatalogueError,
  countriesFileSchema,
  type GroupEntry,
  groupsFileSchema,
  type MethodEntry,
  type MethodInFile,
  methodsFileSchema,
  readCatalogueFile,
  type TileEntry,
  tilesFileSchema,
  wordsSchema,
} from './catalogue-file.ts';
import type { CatalogueFacts, ProviderFacts } from './provider-facts.ts';

/** Whether a provider is configured, and for which network if the method names one. */
export type IsOffered = (provider: string, network: string | undefined) => boolean;

export interface ShippedMethod {
  /** As in the files. */
  readonly entry: MethodEntry;
  /** Without the networks that the provider lacks. Undefined when the provider is not configured for any of them. */
  readonly offered: MethodEntry | undefined;
}

/** Groups and methods by position. */
export interface ShippedCatalogue {
  readonly countries: readonly Country[];
  readonly groups: readonly GroupEntry[];
  readonly tiles: readonly TileEntry[];
  readonly methods: readonly ShippedMethod[];
  readonly words: Words;
  /** What is known of each provider, by its name. */
  readonly providers: ReadonlyMap<string, ProviderFacts>;
  /** The names of the icons that the widget has. Undefined: not known. */
  readonly icons: ReadonlySet<string> | undefined;
  /** The method without the networks that its provider lacks. Undefined when the provider is not configured for any of them. */
  readonly offered: (entry: MethodEntry) => MethodEntry | undefined;
}

/**
 * Reads and checks the files. Methods and networks without a configured provider are checked, too.
 *
 * @throws CatalogueError that names the file and the place. Causes:
 * - a wrong shape;
 * - an unknown group, tile, country or currency;
 * - a name used twice;
 * - a minimum above its maximum;
 * - a method that no country with a fitting currency offers.
 */
export function readShippedCatalogue(
  files: CatalogueFiles,
  isOffered: IsOffered = () => true,
  facts: CatalogueFacts = {},
): ShippedCatalogue {
  const countries = readCatalogueFile('countries.json', countriesFileSchema, files.countries);
  const groups = readCatalogueFile('groups.json', groupsFileSchema, files.groups).sort(byPosition);
  const tiles = readCatalogueFile('tiles.json', tilesFileSchema, files.tiles ?? []);
  const entries = Object.entries(files.methods)
    .flatMap(([file, content]) =>
      readCatalogueFile(file, methodsFileSchema, content).map((written, index) => {
        const entry = withCountries(written, countries);
        checkEntry(file, index, entry, countries, groups);
        checkTile(file, index, entry, tiles);
        return { file, entry };
      }),
    )
    // Equal positions are sorted by name, because the order of the files is arbitrary.
    .sort((a, b) => byPosition(a.entry, b.entry) || (a.entry.name < b.entry.name ? -1 : 1));
  checkNamesOnce(entries);
  const words = createWords(readCatalogueFile('words', wordsSchema, files.words));
  const methods = entries.map(({ entry }) => ({ entry, offered: offered(entry, isOffered) }));
  const providers = facts.providers ?? factsOf(methods);
  const { icons } = facts;
  return { countries, groups, tiles, methods, words, providers, icons, offered: (entry) => offered(entry, isOffered) };
}

/** What the shipped methods show of their providers. */
function factsOf(methods: readonly ShippedMethod[]): ReadonlyMap<string, ProviderFacts> {
  const names = new Set(methods.map(({ entry }) => entry.provider));
  return new Map(
    [...names].map((name) => {
      const own = methods.filter(({ entry }) => entry.provider === name);
      const paysOut = own.some(({ entry }) => entry.directions.includes('withdrawal'));
      return [name, { isSetUp: own.some((method) => method.offered !== undefined), paysOut }];
    }),
  );
}

/** The method with its countries listed: `all` stands for those that have a currency of the method. */
function withCountries(written: MethodInFile, countries: readonly Country[]): MethodEntry {
  if (written.countries !== 'all') return { ...written, countries: written.countries };
  return { ...written, countries: countriesWith(written, countries), isEverywhere: true };
}

/** The codes of the countries that have a currency of the method. */
export function countriesWith(
  method: Pick<MethodEntry, 'amount_rules' | 'payoutCurrency'>,
  countries: readonly Country[],
): string[] {
  const fits = ({ currencies }: Country): boolean =>
    isRedemption(method) || currencies.some((code) => Object.hasOwn(method.amount_rules, code));
  return countries.filter(fits).map(({ code }) => code);
}

function offered(entry: MethodEntry, isOffered: IsOffered): MethodEntry | undefined {
  const { provider, providerOptions } = entry;
  const networks = entry.fields.find(({ type }) => type === 'networks');
  if (networks === undefined) return isOffered(provider, providerOptions['network']) ? entry : undefined;
  const values = networks.values?.filter(({ value }) => isOffered(provider, value)) ?? [];
  if (values.length === 0) return undefined;
  return { ...entry, fields: entry.fields.map((field) => (field === networks ? { ...field, values } : field)) };
}

/** Compares two items by position, for `sort`. */
export function byPosition(a: { readonly position: number }, b: { readonly position: number }): number {
  return a.position - b.position;
}

function checkEntry(
  file: string,
  index: number,
  entry: MethodEntry,
  countries: readonly Country[],
  groups: readonly GroupEntry[],
): void {
  const [fault] = methodFaults(entry, countries, groups);
  if (fault === undefined) return;
  throw new CatalogueError(file, `${index}.${fault.place}`, `${fault.problem} (method ${entry.name})`);
}

/** A place in a method's entry, such as `fees.USD`, and what is wrong there. */
export interface MethodFault {
  readonly place: string;
  readonly problem: string;
}

/** Everything that is wrong with a method of the right shape. */
export function methodFaults(
  entry: MethodEntry,
  countries: readonly Country[],
  groups: readonly GroupEntry[],
): MethodFault[] {
  const faults: MethodFault[] = [];
  const fail = (place: string, problem: string): void => {
    faults.push({ place, problem });
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
    fail('preparationFields', 'used only with isPreparationRequired');
  }
  checkWithdrawal(entry, fail);
  checkFees(entry, fail);
  checkCoins(entry, fail);
  for (const [code, rule] of Object.entries(entry.amount_rules)) {
    const currency = findCurrency(code);
    if (!currency) fail(`amount_rules.${code}`, 'an unknown currency');
    const [min, max] = [rule.min, rule.max].map((text) => roundDecimal(text, currency?.decimals ?? 2, 'half-up'));
    if (!min?.ok || !max?.ok || min.minor > max.minor) fail(`amount_rules.${code}`, 'the minimum is above the maximum');
  }
  return faults;
}

/** A misspelt tile would silently join nothing. */
function checkTile(file: string, index: number, { name, tile, way }: MethodEntry, tiles: readonly TileEntry[]): void {
  const fail = (place: string, problem: string): never => {
    throw new CatalogueError(file, `${index}.${place}`, `${problem} (method ${name})`);
  };
  if (tile !== undefined && !tiles.some((known) => known.name === tile)) fail('tile', `no tile is called ${tile}`);
  if (tile === undefined && way !== undefined) fail('way', 'used only with a tile');
}

/** Sweepstake coins belong to no country. */
function isRedemption({ amount_rules, payoutCurrency }: Pick<MethodEntry, 'amount_rules' | 'payoutCurrency'>): boolean {
  return payoutCurrency !== undefined && Object.hasOwn(amount_rules, SWEEP_COIN);
}

/**
 * Sweepstake coins cannot pay for anything. Gold coins never leave, and sweep coins leave only as a payout in money (SWP-2).
 */
function checkCoins(entry: MethodEntry, fail: (place: string, problem: string) => void): void {
  const coins = Object.keys(entry.amount_rules).filter((code) => findCurrency(code)?.kind === 'sweepstake');
  if (coins.some((code) => code !== SWEEP_COIN)) fail('amount_rules', 'only sweep coins can be redeemed');
  if (coins.length > 0 && entry.directions.includes('deposit')) fail('amount_rules', 'coins cannot pay for a deposit');
  const { payoutCurrency } = entry;
  if (coins.length > 0 && payoutCurrency === undefined) fail('payoutCurrency', 'sweep coins need a payout currency');
  const kind = findCurrency(payoutCurrency ?? '')?.kind;
  if (payoutCurrency !== undefined && coins.length === 0 && (entry.category !== 'crypto' || kind !== 'crypto'))
    fail('payoutCurrency', 'only coins can be the payout of a money balance');
  if (payoutCurrency !== undefined && entry.directions.includes('deposit'))
    fail('payoutCurrency', 'belongs to withdrawals');
  if (payoutCurrency !== undefined && kind !== 'crypto' && kind !== 'fiat')
    fail('payoutCurrency', 'is not a money currency');
}

/** Refuses methods that could send coins to an unchecked address. */
function checkWithdrawal(entry: MethodEntry, fail: (place: string, problem: string) => void): void {
  if (!entry.directions.includes('withdrawal')) return;
  const isCoin = entry.category === 'crypto';
  if (isCoin && (entry.network === undefined || checkedNetwork(entry.network) === undefined)) {
    fail('network', 'coins can only be paid to a network whose addresses can be checked');
  }
}

/** Refuses fees that could consume the whole amount. */
function checkFees(entry: MethodEntry, fail: (place: string, problem: string) => void): void {
  for (const [code, rule] of Object.entries(entry.fees ?? {})) {
    const min = roundDecimal(entry.amount_rules[code]?.min ?? '', findCurrency(code)?.decimals ?? 2, 'up');
    if (!min.ok) fail(`fees.${code}`, 'no amounts in this currency');
    else if (Number(rule.percent ?? 0) >= 100 || splitWithdrawal(min.minor, code, rule).receives <= 0n) {
      fail(`fees.${code}`, 'the fee leaves nothing of the minimum');
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
