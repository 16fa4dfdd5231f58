/**
 * The series of receiving addresses of one process. The process counts the index in its memory, which no restore of the database
 * changes. So a restored database cannot make two processes use one series.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { AddressPlace } from '../chain/receiving-address.ts';
import type { AddressStore } from './address-store.ts';
import type { AddressedChain } from './lost-addresses.ts';

interface SeriesParts {
  readonly store: Pick<AddressStore, 'openSeries'>;
  readonly clock: Clock;
  readonly log: { info(fields: object, message: string): void };
}

export class AddressSeries {
  readonly #chain: Pick<AddressedChain, 'key' | 'account'>;
  readonly #parts: SeriesParts;
  #opened: Promise<{ readonly branch: number; next: number }> | undefined;

  constructor(chain: Pick<AddressedChain, 'key' | 'account'>, parts: SeriesParts) {
    this.#chain = chain;
    this.#parts = parts;
  }

  /** The next unused place. The first call opens the series. @throws when the database does not answer */
  async nextPlace(): Promise<AddressPlace> {
    this.#opened ??= this.#open();
    const opened = this.#opened;
    try {
      const series = await opened;
      const place = { branch: series.branch, index: series.next };
      series.next += 1;
      return place;
    } catch (error) {
      // The next call tries to open the series again.
      if (this.#opened === opened) this.#opened = undefined;
      throw error;
    }
  }

  async #open(): Promise<{ readonly branch: number; next: number }> {
    const { store, clock, log } = this.#parts;
    const branch = await store.openSeries(this.#chain.key, this.#chain.account, clock.now());
    // After a restore this line may be the only trace of the series.
    log.info({ chain: this.#chain.key, branch }, 'a series of receiving addresses was opened');
    return { branch, next: 0 };
  }
}
