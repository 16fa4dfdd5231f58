/** How many callbacks of each provider a node has in hand. Reading a callback may mean a call to its provider. */
import { type PlacesTaken, placesTaken } from '../jobs/lanes.ts';

/** Callbacks of a provider that is asked about them. More would be too many calls at a time. */
export const PLACES_OF_ASKING = 20;
/** Callbacks of a provider that reads them by itself. They fill the batches that are written and the next ones. */
const PLACES_OF_READING = 1_000;
/** While this many callbacks of a provider need a transaction of their own, no more are taken than of a provider that is asked. */
const MANY_ALONE = 2 * PLACES_OF_ASKING;
/** Bytes of the callbacks of one provider in hand. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A callback in hand. */
export interface Held {
  readonly source: string;
  readonly raw: { readonly length: number };
}

export interface Readers {
  /** Notes how the provider has read a callback: it asked for something, or it answered at once. */
  note(provider: string, isAsking: boolean): void;
  /**
   * The places for a claim.
   * @returns the most for each provider; one with more places counts as having less than none in hand
   */
  places(inHand: readonly Held[]): { readonly most: number; readonly taken: PlacesTaken };
  /**
   * How many of the first callbacks have a place, if their provider is known to read its callbacks by itself; 0 for any other provider.
   * @param sizes the bytes of each callback
   */
  freeOf(provider: string, inHand: readonly Held[], sizes: readonly number[]): number;
}

/**
 * A provider that has once asked about a callback keeps the fewer places. So does one that has not read any callback yet.
 * @param waitingAlone how many callbacks of a provider wait for or have a transaction of their own
 */
export function createReaders(waitingAlone: (provider: string) => number): Readers {
  const reading = new Set<string>();
  const asking = new Set<string>();
  // A claim cannot know the sizes of what it takes, so it expects the largest size of the past.
  const largest = new Map<string, number>();
  const isReading = (provider: string): boolean => reading.has(provider) && !asking.has(provider);
  const mostOf = (provider: string): number =>
    waitingAlone(provider) < MANY_ALONE ? PLACES_OF_READING : PLACES_OF_ASKING;

  return {
    note(provider, isAsking) {
      (isAsking ? asking : reading).add(provider);
    },
    places(inHand) {
      const bytes = new Map<string, number>();
      for (const { source, raw } of inHand) {
        bytes.set(source, (bytes.get(source) ?? 0) + raw.length);
        largest.set(source, Math.max(largest.get(source) ?? 1, raw.length));
      }
      const { names, counts } = placesTaken(inHand.map(({ source }) => source));
      const taken = new Map(names.map((name, index) => [name, counts[index] ?? 0]));
      for (const name of reading) {
        if (!isReading(name)) continue;
        const fitting = Math.floor((MOST_BYTES - (bytes.get(name) ?? 0)) / (largest.get(name) ?? 1));
        const free = Math.min(mostOf(name) - (taken.get(name) ?? 0), fitting);
        taken.set(name, PLACES_OF_ASKING - free);
      }
      return { most: PLACES_OF_ASKING, taken: { names: [...taken.keys()], counts: [...taken.values()] } };
    },
    freeOf(provider, inHand, sizes) {
      if (!isReading(provider)) return 0;
      let places = mostOf(provider);
      let bytes = MOST_BYTES;
      for (const { source, raw } of inHand) {
        if (source !== provider) continue;
        places -= 1;
        bytes -= raw.length;
      }
      let free = 0;
      for (const size of sizes) {
        bytes -= size;
        if (free >= places || bytes < 0) break;
        free += 1;
      }
      largest.set(provider, Math.max(largest.get(provider) ?? 1, ...sizes));
      return free;
    },
  };
}
