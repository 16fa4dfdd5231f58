/** True for Russia, which has its own chips and minimum amounts. */
export function isRussia(country: string | undefined): boolean {
  return country?.toUpperCase() === 'RU';
}

/** Countries in the order of the selector (LIST-3): the chosen country first, then the operator's order. */
export function orderRegions<Country extends { readonly code: string }>(
  countries: readonly Country[],
  chosen: string,
): Country[] {
  return [...countries.filter(({ code }) => code === chosen), ...countries.filter(({ code }) => code !== chosen)];
}
