/**
 * Names of countries and currencies in the languages in which browsers have none (`core/locale/writes-alike`). Node has them, so the
 * build writes them into the files of these languages.
 */
import { languagesWithoutBrowser } from '../../../scripts/locales/languages.mjs';

/** Countries where cashiers are used most. For any other the browser's name is shown: a language's file has 12 kB. */
const countries = (
  'AE AM AR AU AZ BD BR BY CA CL CN CO DE EG ES FR GB GE GH GR ID IL IN IQ IT JP KE KG KR KZ MD MX MY NG NP PE PH PK PL PT RO RU SA TH ' +
  'TJ TM TR TZ UA UG US UZ VN ZA'
).split(' ');

const currencies = (
  'AED AZN BDT BRL CAD CNY EUR GBP IDR INR JPY KES KGS KZT MXN MYR NGN PHP PKR PLN RON RUB THB TJS TRY UAH USD UZS VND ' +
  'ZAR'
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
