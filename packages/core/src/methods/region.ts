/** True for Russia, which has chips and minimums of its own. */
export function isRussia(country: string | undefined): boolean {
  return country?.toUpperCase() === 'RU';
}

/** Countries in the order of the selector (LIST-3): the chosen region first, the others as the operator lists them. */
export function orderRegions<Country extends { readonly code: string }>(
  countries: readonly Country[],
  chosen: string,
): Country[] {
  return [...countries.filter(({ code }) => code === chosen), ...countries.filter(({ code }) => code !== chosen)];
}
