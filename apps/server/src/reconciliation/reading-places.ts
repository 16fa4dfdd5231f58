/** How many callbacks of each provider a node has in hand. Reading a callback may mean a call to its provider. */
import { type PlacesTaken, placesTaken } from '../jobs/lanes.ts';

/** Callbacks of a provider that is asked about them. More would be too many calls at a time. */
export const PLACES_OF_ASKING = 20;
/** Callbacks of a provider that reads them by itself. They fill the batches that are written and the next ones. */
const PLACES_OF_READING = 1_000;

export interface Readers {
  /** Notes how the provider has read a callback: it asked for something, or it answered at once. */
  note(provider: string, isAsking: boolean): void;
  /**
   * The places for a claim.
   * @param inHand the provider of each callback in hand
   * @returns the most for each provider; one with more places counts as having less than none in hand
   */
  places(inHand: readonly string[]): { readonly most: number; readonly taken: PlacesTaken };
  /** The free places of a provider that is known to read its callbacks by itself; 0 for any other provider. */
  freeOf(provider: string, inHand: readonly string[]): number;
}

/** A provider that has once asked about a callback keeps the fewer places. So does one that has not read any callback yet. */
export function createReaders(): Readers {
  const reading = new Set<string>();
  const asking = new Set<string>();
  return {
    note(provider, isAsking) {
      (isAsking ? asking : reading).add(provider);
    },
    places(inHand) {
      const { names, counts } = placesTaken(inHand);
      const taken = new Map(names.map((name, index) => [name, counts[index] ?? 0]));
      const further = PLACES_OF_READING - PLACES_OF_ASKING;
      for (const name of reading) if (!asking.has(name)) taken.set(name, (taken.get(name) ?? 0) - further);
      return { most: PLACES_OF_ASKING, taken: { names: [...taken.keys()], counts: [...taken.values()] } };
    },
    freeOf(provider, inHand) {
      if (!reading.has(provider) || asking.has(provider)) return 0;
      return Math.max(0, PLACES_OF_READING - inHand.filter((name) => name === provider).length);
    },
  };
}
