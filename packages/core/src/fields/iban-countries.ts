/**
 * The countries that have IBANs and how long theirs are, by the IBAN registry of SWIFT (ISO 13616, release 100), which also says
 * under which country the territories stand: those of France begin with `FR`, Jersey's with `GB`. In groups of one length, as the
 * widget loads it.
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

/** The countries of the payment schemes, by the European Payments Council's list (EPC409-09). */
const SEPA =
  'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK SM VA';

/** How many characters each country's IBANs have, without spaces. */
export const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries(BY_LENGTH).flatMap(([length, countries]) =>
    countries.split(' ').map((country) => [country, Number(length)] as const),
  ),
);

/** The countries whose accounts can be paid from and to by SEPA. */
export const SEPA_COUNTRIES: ReadonlySet<string> = new Set(SEPA.split(' '));
