/**
 * Places that several owners share, such as the calls in progress of one process. An owner may hold as many places as are free (a dynamic
 * threshold, as switches of networks use it). So one owner alone gets half of them, and `n` owners who want all get `1 / (n + 1)` each.
 * Somebody new nearly always finds a place, and nothing waits.
 */
export class FairPlaces {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  /** @param most all places */
  constructor(most: number) {
    this.#most = most;
  }

  /** @returns gives the place back, any number of times; undefined: the owner has its share, or no place is free */
  take(owner: string): (() => void) | undefined {
    const own = this.#held.get(owner) ?? 0;
    if (own >= this.#most - this.#taken) return undefined;
    this.#held.set(owner, own + 1);
    this.#taken += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken -= 1;
      const left = (this.#held.get(owner) ?? 1) - 1;
      if (left === 0) this.#held.delete(owner);
      else this.#held.set(owner, left);
    };
  }
}
