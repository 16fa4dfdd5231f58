/**
 * Names of countries and currencies in the languages in which browsers have none (`core/locale/writes-alike`). Node has them, so the
 * build writes them into the files of these languages.
 */
import { languagesWithoutBrowser } from '../../../scripts/locales/languages.mjs';

/** The countries of the shipped catalogue, and others where cashiers are used most. For any other the browser's name is shown. */
const countries = (
  'AE AM AR AT AU AZ BD BE BG BR BY CA CH CL CN CO CY CZ DE DK EE EG ES FI FR GB GE GH GR HK HR HU ID IE IL IN IQ IT JP KE KG ' +
  'KR KZ LI LT LU LV MD MT MX MY NG NL NO NP NZ PE PH PK PL PT RO RU SA SE SG SI SK TH TJ TM TR TZ UA UG US UZ VN ZA'
).split(' ');

const currencies = (
  'AED AUD AZN BDT BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR INR JPY KES KGS KZT MXN MYR NGN NOK NZD PHP PKR PLN ' +
  'RON RUB SEK SGD THB TJS TRY UAH USD UZS VND ZAR'
).split(' ');

/** Texts by keys such as `region.NG` and `currency.INR`. None for a language that browsers have. */
export function platformNames(locale: string): Record<string, string> {
  if (!languagesWithoutBrowser.includes(locale)) return {};
  const named = (type: 'region' | 'currency', codes: readonly string[]) => {
    const display = new Intl.DisplayNames([locale], { type, fallback: 'none' });
    return codes.flatMap((code) => {
      const name = display.of(code);
      return name === undefined ? [] : [[`${type}.${code}`, name] as const];
    });
  };
  return Object.fromEntries([...named('region', countries), ...named('currency', currencies)]);
}
