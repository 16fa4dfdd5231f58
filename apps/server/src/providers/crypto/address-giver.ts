/**
 * Gives each deposit an address that nobody had before, also after the database has gone back. A process counts its own series in
 * its memory, which no restore reaches; the chain is asked whether the address was used.
 */
import type { Clock } from '@opencashier/core/time/clock';
import type { AddressStore, GivenAddress, NewAddress } from './address-store.ts';
import { NodeError } from './chain-source.ts';
import { type AddressedChain, AddressesBehindError, findLost, isUsed, pathOf } from './lost-addresses.ts';
import type { AddressPlace } from './receiving-address.ts';

interface GiverParts {
  readonly store: AddressStore;
  readonly clock: Clock;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

export interface AddressGiver {
  /**
   * Compares the database with the chain, once. A node that does not answer is asked again before the first address.
   * @throws AddressesBehindError
   */
  check(): Promise<void>;
  /** @returns undefined where no address can be given safely now */
  give(wish: Omit<NewAddress, 'chain' | 'account' | 'place' | 'address'>): Promise<GivenAddress | undefined>;
}

/** Used addresses in a row; more of them is another wallet's series. */
const MOST_TRIES = 20;
/** Few questions, since every node asks them at its start: people pay most addresses soon, or never. */
const CHECKED = { depth: 20, most: 40, withAcknowledged: false };
const CHECKED_SERIES = 2;
/** Somebody waits for the address: a chain that does not answer in this time counts as silent. */
const GIVEN_WITHIN_MS = 8_000;

export function createAddressGiver(chain: AddressedChain, { store, clock, log }: GiverParts): AddressGiver {
  let opened: Promise<{ readonly branch: number; next: number }> | undefined;
  let isChecked = false;

  async function nextPlace(): Promise<AddressPlace> {
    opened ??= store.openSeries(chain.key, chain.account, clock.now()).then((branch) => {
      // After a restore this line may be all that is left of the series.
      log.info({ chain: chain.key, branch }, 'a series of receiving addresses was opened');
      return { branch, next: 0 };
    });
    const current = opened;
    try {
      const series = await current;
      const place = { branch: series.branch, index: series.next };
      series.next += 1;
      return place;
    } catch (error) {
      if (opened === current) opened = undefined;
      throw error;
    }
  }

  async function check(): Promise<void> {
    if (isChecked) return;
    const series = await store.series(chain.key, chain.account, CHECKED_SERIES);
    const [lost] = await findLost(chain, store, { ...CHECKED, series });
    if (lost !== undefined) throw new AddressesBehindError(lost);
    isChecked = true;
  }

  async function giveChecked(wish: Parameters<AddressGiver['give']>[0]): Promise<GivenAddress | undefined> {
    await check();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const place = await nextPlace();
      const address = chain.addressAt(place);
      const where = { chain: chain.key, path: pathOf(place) };
      if (await isUsed(chain, address)) {
        log.error(where, 'an address that was never given out is used: it is left out');
        continue;
      }
      const kept = await store.keep({ ...wish, chain: chain.key, account: chain.account, place, address });
      if (kept === undefined) continue;
      if (kept.hasGoneBack) {
        log.error(where, 'the database has gone back: follow "After a restore" in docs/operate.md');
      }
      return kept;
    }
    return undefined;
  }

  function inTime<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const cancel = clock.setTimer(
        () => reject(new NodeError('The nodes of the chain did not answer in time')),
        GIVEN_WITHIN_MS,
      );
      work.then(resolve, reject).finally(cancel);
    });
  }

  return {
    async check() {
      try {
        await check();
      } catch (error) {
        if (!(error instanceof NodeError)) throw error;
        log.warn({ chain: chain.key, err: error }, 'the addresses of a chain could not be checked yet');
      }
    },
    async give(wish) {
      const known = await store.ofDeposit(wish.depositId);
      if (known !== undefined) return known;
      try {
        return await inTime(giveChecked(wish));
      } catch (error) {
        if (!(error instanceof NodeError || error instanceof AddressesBehindError)) throw error;
        log.error({ chain: chain.key, err: error }, 'no address is given out');
        return undefined;
      }
    },
  };
}
