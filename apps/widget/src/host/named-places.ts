/** A message to the host names what is at fault, but not all of a long list. */
const MOST_PLACES = 10;

/** Places in data, such as `methods.3.name`, in one line. */
export function namedPlaces(places: readonly string[]): string {
  const rest = places.length - MOST_PLACES;
  return places.slice(0, MOST_PLACES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
