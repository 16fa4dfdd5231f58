/** Checks one method of an operator's catalogue. */
import type { MethodSettings, OwnLimits } from '@opencashier/contract/operator';
import { compileRule } from '@opencashier/core/fields/regex-rule';
import { CURRENCIES, decimalsOf, findCurrency, paidStep } from '@opencashier/core/money/currencies';
import { parseDecimal, toDecimalString } from '@opencashier/core/money/money';
import { suggestion } from '../../errors/similar-name.ts';
import type { Country } from '../catalogue.ts';
import type { GroupEntry, MethodEntry } from '../catalogue-file.ts';
import { minorOf } from '../effective-catalogue.ts';
import { methodFaults, type ShippedCatalogue } from '../shipped-catalogue.ts';

/** Says that a field of the method is wrong. The path is relative to the method: `.limits.USD.min`, or empty. */
export type Say = (path: string, message: string) => void;

export interface MethodCheck {
  readonly shipped: ShippedCatalogue;
  readonly name: string;
  readonly own: MethodSettings;
  /** The method with the changes; undefined where it does not say enough. */
  readonly entry: MethodEntry | undefined;
  readonly countries: readonly Country[];
  readonly groups: readonly GroupEntry[];
  readonly icons: Readonly<Record<string, string>>;
}

export function checkMethod(check: MethodCheck, say: Say): void {
  const { shipped, name, own, entry } = check;
  const names = shipped.methods.map((method) => method.entry.name);
  const isShipped = names.includes(name);
  if (own.basedOn !== undefined && !names.includes(own.basedOn)) {
    say('.basedOn', `No shipped method is called ${own.basedOn}.${suggestion(own.basedOn, names)}`);
    return;
  }
  if (isShipped && own.basedOn !== undefined)
    say('.basedOn', `${name} ships with the cashier, so it is based on none.`);
  if (!isShipped && own.basedOn === undefined) checkNew(name, own, names, say);
  checkNames(check, say);
  checkAmounts(own, entry, say);
  checkForm(own, entry, say);
  if (entry !== undefined) checkWhole(check, entry, say);
}

const wholeMethod = ['provider', 'group', 'directions', 'countries', 'limits', 'title', 'icons'] as const;

function checkNew(name: string, own: MethodSettings, names: readonly string[], say: Say): void {
  const missing = wholeMethod.filter((key) => own[key] === undefined);
  if (missing.length > 0) {
    const need = `A new method needs ${missing.join(', ')}, or basedOn.`;
    say('', `No shipped method is called ${name}.${suggestion(name, names)} ${need}`);
  }
  if (own.title !== undefined && own.title['en'] === undefined) {
    say('.title', 'The English text (en) is missing. Languages without a text show it.');
  }
}

function checkNames({ shipped, own, countries, groups, icons }: MethodCheck, say: Say): void {
  const { provider, group } = own;
  if (provider !== undefined && !shipped.providers.has(provider)) {
    const known = [...shipped.providers.keys()];
    say('.provider', `No provider is called ${provider}.${suggestion(provider, known)} Known: ${known.join(', ')}.`);
  }
  const groupNames = groups.map((one) => one.name);
  if (group !== undefined && !groupNames.includes(group)) {
    say('.group', `No group is called ${group}.${suggestion(group, groupNames)}`);
  }
  const codes = countries.map(({ code }) => code);
  for (const [index, code] of own.countries === 'all' ? [] : (own.countries ?? []).entries()) {
    if (!codes.includes(code)) {
      say(
        `.countries.${index}`,
        `The catalogue has no country ${code}. Add it under countries.${suggestion(code, codes)}`,
      );
    }
  }
  for (const [index, code] of (own.currencies ?? []).entries()) sayCurrency(`.currencies.${index}`, code, say);
  for (const [index, icon] of (own.icons ?? []).entries()) {
    if (shipped.icons === undefined || shipped.icons.has(icon) || Object.hasOwn(icons, icon)) continue;
    const known = [...shipped.icons, ...Object.keys(icons)];
    say(`.icons.${index}`, `No icon is called ${icon}.${suggestion(icon, known)} Add your own under icons.`);
  }
}

/** @returns whether the cashier knows the currency */
export function sayCurrency(path: string, code: string, say: Say): boolean {
  if (findCurrency(code) !== undefined) return true;
  say(
    path,
    `The cashier knows no currency ${code}.${suggestion(
      code,
      CURRENCIES.map((currency) => currency.code),
    )}`,
  );
  return false;
}

function checkAmounts(own: MethodSettings, entry: MethodEntry | undefined, say: Say): void {
  for (const [currency, limits] of Object.entries(own.limits ?? {})) {
    const path = `.limits.${currency}`;
    if (sayCurrency(path, currency, say)) checkLimits(path, currency, limits, entry, say);
  }
  for (const [currency, fee] of Object.entries(own.fees ?? {})) {
    const path = `.fees.${currency}`;
    if (!sayCurrency(path, currency, say)) continue;
    for (const key of ['fixed', 'min', 'max'] as const) readAmount(`${path}.${key}`, fee[key], currency, say, '0');
    if (minorOf(fee.min ?? '0', currency, 'up') > minorOf(fee.max ?? fee.min ?? '0', currency, 'up')) {
      say(`${path}.min`, `The minimum ${fee.min} is above the maximum ${fee.max}.`);
    }
    if (entry !== undefined && !Object.hasOwn(entry.amount_rules, currency)) {
      say(path, `The method accepts no ${currency}. Add limits for it.`);
    }
  }
  for (const [currency, amounts] of Object.entries(own.suggested ?? {})) {
    const path = `.suggested.${currency}`;
    if (!sayCurrency(path, currency, say)) continue;
    readPaid(`${path}.prefilled`, amounts.prefilled, currency, entry, say);
    for (const key of ['recommended', 'fixed'] as const) {
      for (const [index, text] of (amounts[key] ?? []).entries())
        readPaid(`${path}.${key}.${index}`, text, currency, entry, say);
    }
  }
}

function checkLimits(path: string, currency: string, own: OwnLimits, entry: MethodEntry | undefined, say: Say): void {
  const { min, max } = own;
  if (min === undefined && max === undefined) {
    say(path, 'Give min, max, or both.');
    return;
  }
  const [least, most] = [
    readPaid(`${path}.min`, min, currency, entry, say),
    readPaid(`${path}.max`, max, currency, entry, say),
  ];
  const rule = entry?.amount_rules[currency];
  if (rule === undefined && (min === undefined || max === undefined)) {
    say(path, `The method accepts no ${currency} yet, so give both min and max.`);
  } else if (least !== undefined && most !== undefined && least > most) {
    say(`${path}.min`, `Must not be above max: ${min} is above ${max}.`);
  } else if (rule !== undefined) {
    const minima = [rule.min, rule.minNonRus ?? rule.min].map((text) => minorOf(text, currency, 'up'));
    const lowest = minima.sort((a, b) => (a < b ? -1 : 1)).at(-1) ?? 0n;
    const highest = minorOf(rule.max, currency, 'down');
    if (least !== undefined && highest > 0n && least > highest) {
      say(`${path}.min`, `Must not be above the maximum ${rule.max}. Change max, too.`);
    }
    if (most !== undefined && most < lowest)
      say(`${path}.max`, `Must not be below the minimum ${rule.min}. Change min, too.`);
  }
}

/** @returns minor units, or undefined where the text is absent or was found wrong */
function readAmount(
  path: string,
  text: string | undefined,
  currency: string,
  say: Say,
  least = '1',
): bigint | undefined {
  if (text === undefined) return undefined;
  const decimals = decimalsOf(currency);
  const parsed = parseDecimal(text, decimals);
  if (parsed.ok && parsed.minor >= BigInt(least)) return parsed.minor;
  const expected = parsed.ok ? 'above zero' : `of ${currency} with at most ${decimals} decimals`;
  say(path, `Expected an amount ${expected}.`);
  return undefined;
}

/** An amount that somebody pays. Of yen a limit of 1.5 would be another one than the catalogue shows, because only whole ones are paid. */
function readPaid(
  path: string,
  text: string | undefined,
  currency: string,
  entry: MethodEntry | undefined,
  say: Say,
): bigint | undefined {
  const minor = readAmount(path, text, currency, say);
  const step = paidStep(currency, entry?.amount_rules[currency]?.decimals);
  if (minor === undefined || minor % step === 0n) return minor;
  say(path, `Payments in ${currency} are multiples of ${toDecimalString(step, decimalsOf(currency))}.`);
  return undefined;
}

function checkForm(own: MethodSettings, entry: MethodEntry | undefined, say: Say): void {
  const seen = new Set<string>();
  for (const [index, { name, regex, values, type, props, category }] of (own.fields ?? []).entries()) {
    const path = `.fields.${index}`;
    if (seen.has(name)) say(`${path}.name`, `Two fields are called ${name}.`);
    seen.add(name);
    if (regex !== undefined && !compileRule(regex).ok)
      say(`${path}.regex`, 'This pattern cannot be used: it is wrong or may be slow.');
    const hasBanks = category === 'bank' && own.banks !== undefined;
    if (type === 'dropdown' && !hasBanks && (values ?? props?.items ?? []).length === 0)
      say(`${path}.values`, 'A dropdown needs values.');
  }
  if (own.banks === undefined || entry === undefined) return;
  if (!entry.fields.some(({ category }) => category === 'bank')) {
    say('.banks', 'The method has no field of the category bank, so nobody can choose one of these banks.');
  }
  const values = own.banks.map(({ value }) => value);
  const twice = values.findIndex((value, index) => values.indexOf(value) < index);
  if (twice >= 0) say(`.banks.${twice}.value`, `Two banks have the value ${values[twice]}.`);
}

/** Rules about the method with its changes, such as of a fee that is above the minimum. */
function checkWhole({ shipped, own, countries, groups }: MethodCheck, entry: MethodEntry, say: Say): void {
  const facts = shipped.providers.get(entry.provider);
  if (facts?.paysOut === false && entry.directions.includes('withdrawal')) {
    say('.directions', `The provider ${entry.provider} pays nothing out.`);
  }
  const isToPaidCards = entry.flags.paysToPaidCards === true;
  if (facts?.paysToPaidCardsOnly === true && entry.directions.includes('withdrawal') && !isToPaidCards) {
    say(
      '.directions',
      `The provider ${entry.provider} pays out only to cards that paid. Use its own withdrawal method.`,
    );
  }
  for (const [option, values] of Object.entries(facts?.options ?? {})) {
    const value = entry.providerOptions[option];
    if (own.options?.[option] !== undefined && value !== undefined && !values.includes(value)) {
      say(`.options.${option}`, `${value} is not known.${suggestion(value, values)} Known: ${values.join(', ')}.`);
    }
  }
  for (const currency of Object.keys(own.limits ?? {}))
    checkProviderLimits(entry, currency, facts?.limitsOf?.(currency), say);
  for (const { place, problem } of methodFaults(entry, countries, groups)) {
    const [key = '', code = ''] = place.split('.');
    // The checks above have named unknown groups, countries and currencies, and minimums above maximums, with better words.
    if (key === 'fees') say(`.fees.${code}`, feeWords(entry, code));
    else if (key === 'network' || key === 'payoutCurrency') say('', `${sentence(problem)}`);
    else if (place === 'amount_rules') say('.limits', `${sentence(problem)}`);
  }
}

function feeWords(entry: MethodEntry, currency: string): string {
  return `The fee leaves nothing of the minimum amount ${entry.amount_rules[currency]?.min ?? ''}. Lower the fee or raise the minimum.`;
}

function sentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}

function checkProviderLimits(
  { provider, amount_rules }: MethodEntry,
  currency: string,
  bounds: { readonly min?: string; readonly max?: string } | undefined,
  say: Say,
): void {
  const rule = amount_rules[currency];
  if (bounds === undefined || rule === undefined) return;
  const { min, max } = bounds;
  if (min !== undefined && minorOf(rule.min, currency, 'up') < minorOf(min, currency, 'up')) {
    say(`.limits.${currency}.min`, `${provider} accepts nothing below ${min} ${currency}.`);
  }
  if (max !== undefined && minorOf(rule.max, currency, 'down') > minorOf(max, currency, 'down')) {
    say(`.limits.${currency}.max`, `${provider} accepts nothing above ${max} ${currency}.`);
  }
}
