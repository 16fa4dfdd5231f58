/** What the address of the widget's page says about the first list of methods. Anybody may write any address. */
import type { FirstListFacts } from '@opencashier/contract/page';
import { findCurrency } from '@opencashier/core/money/currencies';

export interface FirstListAddress {
  readonly facts: FirstListFacts;
  /** Canonical BCP 47 of language, script and country: `en-GB`. */
  readonly locale: string;
}

type Query = Readonly<Record<string, unknown>>;

/** The pages that begin with a list, below the product's address. */
const directions: Readonly<Record<string, FirstListFacts['direction']>> = {
  deposit: 'deposit',
  withdrawal: 'withdrawal',
};

/**
 * Undefined when the address does not say enough, or anything that is not understood: the page then comes without a list.
 *
 * @param path below the product's address, such as `deposit`
 */
export function readFirstListAddress(path: string, query: Query): FirstListAddress | undefined {
  const direction = Object.hasOwn(directions, path) ? directions[path] : undefined;
  const country = textOf(query, 'country', /^[A-Z]{2}$/);
  const currency = textOf(query, 'currency', /^[A-Z0-9]{2,10}$/);
  const locale = canonical(textOf(query, 'locale', /^[A-Za-z0-9_-]{2,16}$/), country);
  if (!direction || !country || !currency || !locale || !findCurrency(currency)) return undefined;
  const facts = {
    direction,
    country,
    currency,
    hasClose: query['closing'] !== '0',
    hasBonus: query['bonuses'] === '1',
  };
  return { facts, locale };
}

function textOf(query: Query, name: string, form: RegExp): string | undefined {
  const value = query[name];
  return typeof value === 'string' && form.test(value) ? value : undefined;
}

/** Tags with a script. No other is drawn, because each costs memory. */
const scripted: ReadonlySet<string> = new Set(['hi-Latn-IN', 'zh-Hant', 'zh-Hant-TW', 'zh-Hant-HK']);

/** Regions whose formats hosts ask for in other countries, too. Intl keeps memory for each locale, so there are not many. */
const commonRegions: ReadonlySet<string> = new Set([
  'US',
  'GB',
  'IN',
  'BR',
  'ES',
  'MX',
  'PT',
  'FR',
  'DE',
  'CA',
  'AU',
  'EG',
  'SA',
  'AE',
  'TW',
  'HK',
]);

function canonical(asked: string | undefined, country: string | undefined): string | undefined {
  if (asked === undefined) return undefined;
  try {
    const [locale = ''] = Intl.getCanonicalLocales(asked.replaceAll('_', '-'));
    if (scripted.has(locale)) return locale;
    const [, region] = /^[a-z]{2,3}(?:-([A-Z]{2}))?$/.exec(locale) ?? [];
    const isUsual = region === undefined || region === country || commonRegions.has(region);
    return isUsual && /^[a-z]{2,3}(?:-[A-Z]{2})?$/.test(locale) ? locale : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
