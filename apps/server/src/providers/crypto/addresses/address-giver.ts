/**
 * Gives each deposit an address that no deposit had before, also after the database was restored from a backup. Before an address is
 * given out, the chain is asked whether it was used.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { NodeError } from '../chain/chain-source.ts';
import { AddressCheck } from './address-check.ts';
import { AddressSeries } from './address-series.ts';
import type { AddressStore, GivenAddress, NewAddress } from './address-store.ts';
import { type AddressedChain, AddressesBehindError, isUsed, pathOf } from './lost-addresses.ts';
import { PreparedAddresses } from './prepared-addresses.ts';

interface GiverParts {
  readonly store: AddressStore;
  readonly clock: Clock;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

/** The deposit that wants an address. */
type AddressRequest = Omit<NewAddress, 'chain' | 'account' | 'place' | 'address'>;

/** Turned on when the caller no longer waits. */
interface Wait {
  isOver: boolean;
}

/** Used addresses in a row. More of them mean that another wallet uses the series. */
const MOST_TRIES = 20;
/** A person waits for the address. A chain that needs longer counts as silent. */
const GIVEN_WITHIN_MS = 8_000;

export class AddressGiver {
  readonly #chain: AddressedChain;
  readonly #parts: GiverParts;
  readonly #series: AddressSeries | PreparedAddresses;
  readonly #check: AddressCheck;

  constructor(chain: AddressedChain, parts: GiverParts) {
    this.#chain = chain;
    this.#parts = parts;
    const { preparedAddresses } = chain;
    this.#series =
      preparedAddresses === undefined
        ? new AddressSeries(chain, parts)
        : new PreparedAddresses(chain, preparedAddresses, parts);
    this.#check = new AddressCheck(chain, parts);
  }

  /** See {@link AddressCheck.start}. @throws AddressesBehindError */
  beforeStart(): Promise<void> {
    return this.#check.start();
  }

  /** See {@link AddressCheck.goOn}. Never throws. */
  goOn(): Promise<void> {
    return this.#check.goOn();
  }

  /** The address of a deposit, always the same one. @returns undefined where no address can be given safely now */
  async give(request: AddressRequest): Promise<GivenAddress | undefined> {
    const known = await this.#parts.store.ofDeposit(request.depositId);
    if (known !== undefined) return known;
    try {
      return await this.#inTime((wait) => this.#giveChecked(request, wait));
    } catch (error) {
      if (!(error instanceof NodeError || error instanceof AddressesBehindError)) throw error;
      this.#parts.log.error({ chain: this.#chain.key, err: error }, 'no receiving address could be given out');
      return undefined;
    }
  }

  async #giveChecked(request: AddressRequest, wait: Readonly<Wait>): Promise<GivenAddress | undefined> {
    await this.#check.done();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      // The caller has left: an address kept now would belong to a deposit that has failed.
      if (wait.isOver) return undefined;
      const found = await this.#tryNext(request, wait);
      if (found !== 'used') return found;
    }
    return undefined;
  }

  /** @returns `used` where the next address already belongs to another deposit or wallet */
  async #tryNext(request: AddressRequest, wait: Readonly<Wait>): Promise<GivenAddress | 'used' | undefined> {
    const { store, log } = this.#parts;
    const { key: chain, account, urgentSources } = this.#chain;
    const place = await this.#series.nextPlace();
    if (place === undefined) return undefined;
    const address = this.#chain.addressAt(place);
    const where = { chain, path: pathOf(place) };
    if (await isUsed(urgentSources, address)) {
      log.error(where, 'money arrived on an address that was never given out: the address is skipped');
      return 'used';
    }
    if (wait.isOver) return undefined;
    const kept = await store.keep({ ...request, chain, account, place, address });
    if (kept === undefined) return 'used';
    if (kept.hasGoneBack)
      log.error(where, 'the database was restored to an older state: follow "After a restore" in docs/operate.md');
    return kept;
  }

  #inTime<Value>(work: (wait: Readonly<Wait>) => Promise<Value>): Promise<Value> {
    const { clock } = this.#parts;
    const wait: Wait = { isOver: false };
    return new Promise((resolve, reject) => {
      const cancel = clock.setTimer(() => {
        wait.isOver = true;
        const reason = this.#check.isDone
          ? 'The nodes of the chain did not answer'
          : 'The check of addresses did not finish';
        reject(new NodeError(`${reason} in time`));
      }, GIVEN_WITHIN_MS);
      work(wait).then(resolve, reject).finally(cancel);
    });
  }
}
