/**
 * Places that several owners share, such as the calls in progress of one process, or the bytes that it has not read yet. An owner may hold
 * as many places as are free (a dynamic threshold, as switches of networks use it). So one owner alone gets half of them, and `n` owners who
 * want all get `1 / (n + 1)` each. Somebody new nearly always finds a place, and nothing waits.
 */
export class FairPlaces {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  /** @param most all places */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * @param size how many places at once
   * @returns gives the places back, any number of times; undefined: the owner has its share, or too few places are free
   */
  take(owner: string, size = 1): (() => void) | undefined {
    const own = this.#held.get(owner) ?? 0;
    if (own + size > this.#most - this.#taken) return undefined;
    this.#held.set(owner, own + size);
    this.#taken += size;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#taken -= size;
      const left = (this.#held.get(owner) ?? size) - size;
      if (left === 0) this.#held.delete(owner);
      else this.#held.set(owner, left);
    };
  }
}
