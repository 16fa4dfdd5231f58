/** The first region when the host names none (section 9). */
export const DEFAULT_PAYMENT_GEO = 'RU';

/** Countries of international transfers (section 9). */
const INTERNATIONAL: ReadonlySet<string> = new Set(['AZ', 'KG', 'KZ', 'TJ', 'UZ']);

/** True for the countries of international transfers. */
export function isInternational(country: string): boolean {
  return INTERNATIONAL.has(country.toUpperCase());
}

/** True for Russia, which has chips and minimums of its own. */
export function isRussia(country: string | undefined): boolean {
  return country?.toUpperCase() === 'RU';
}

/**
 * The region that is chosen at first (LIST-3): the host's paymentGeo (default RU) if the operator offers it, else the first
 * country of the operator; paymentGeo itself while the list of countries is not known.
 */
export function initialRegion(countries: readonly { readonly code: string }[], paymentGeo: string | undefined): string {
  const wanted = (paymentGeo === undefined || paymentGeo === '' ? DEFAULT_PAYMENT_GEO : paymentGeo).toUpperCase();
  if (countries.some(({ code }) => code === wanted)) return wanted;
  return countries[0]?.code ?? wanted;
}

/** Countries in the order of the selector (LIST-3): the chosen region first, the others as the operator lists them. */
export function orderRegions<Country extends { readonly code: string }>(
  countries: readonly Country[],
  chosen: string,
): Country[] {
  return [...countries.filter(({ code }) => code === chosen), ...countries.filter(({ code }) => code !== chosen)];
}
