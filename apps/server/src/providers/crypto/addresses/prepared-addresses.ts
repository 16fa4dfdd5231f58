/**
 * The order in which prepared addresses are given out, on chains whose addresses cannot be derived from a public key. All processes take
 * them from one list. The database knows the last one, and the process remembers how far it was itself.
 */
import type { AddressPlace } from '../chain/receiving-address.ts';
import type { AddressStore } from './address-store.ts';
import type { AddressedChain } from './lost-addresses.ts';

interface PreparedParts {
  readonly store: Pick<AddressStore, 'nextPrepared'>;
  readonly log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** All prepared addresses are one series. */
export const PREPARED_BRANCH = 0;
/** From here on the log asks for more addresses. */
const FEW = 50;

export class PreparedAddresses {
  readonly #chain: Pick<AddressedChain, 'key' | 'account'>;
  readonly #count: number;
  readonly #parts: PreparedParts;
  #next = 0;

  constructor(chain: Pick<AddressedChain, 'key' | 'account'>, count: number, parts: PreparedParts) {
    this.#chain = chain;
    this.#count = count;
    this.#parts = parts;
  }

  /** @returns undefined where all are given out. @throws when the database does not answer */
  async nextPlace(): Promise<AddressPlace | undefined> {
    const { store, log } = this.#parts;
    const { key: chain, account } = this.#chain;
    const stored = await store.nextPrepared(chain, account);
    // A database that lags behind does not bring the process back to an address that it has given out. From here to the new `#next`
    // nothing may wait: deposits that ask at the same time get the same answer, and each needs an address of its own.
    const index = Math.max(this.#next, stored);
    const left = this.#count - index;
    if (left <= 0) {
      log.error({ chain }, 'all prepared addresses are given out: add more to "addresses"');
      return undefined;
    }
    this.#next = index + 1;
    if (left <= FEW) log.warn({ chain, left }, 'few prepared addresses are left: add more to "addresses"');
    return { branch: PREPARED_BRANCH, index };
  }
}
