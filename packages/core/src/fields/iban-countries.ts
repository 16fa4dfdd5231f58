/**
 * The IBAN length of each country, from SWIFT's IBAN registry (ISO 13616, release 100).
 * The registry lists territories under a country: IBANs of French territories begin with `FR`, those of Jersey with `GB`.
 * The table is grouped by length, because the widget loads it.
 */
const BY_LENGTH: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FI FK FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU MN XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HN HU LB NI PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU YE',
  31: 'MT SC',
  32: 'LC',
  33: 'RU',
};

/** The countries of the SEPA schemes, by the list of the European Payments Council (EPC409-09). */
const SEPA =
  'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA';

/** The number of characters in each country's IBANs, without spaces. */
export const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries(BY_LENGTH).flatMap(([length, countries]) =>
    countries.split(' ').map((country) => [country, Number(length)] as const),
  ),
);

/** The countries whose accounts SEPA reaches. */
export const SEPA_COUNTRIES: ReadonlySet<string> = new Set(SEPA.split(' '));
