/**
 * Gives each deposit an address that nobody had before, also after the database has gone back. A process counts its own series in
 * its memory, which no restore reaches; the chain is asked whether the address was used.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { withinTime } from '../../../jobs/within-time.ts';
import { NodeError } from '../chain/chain-source.ts';
import type { AddressPlace } from '../chain/receiving-address.ts';
import type { AddressStore, GivenAddress, NewAddress } from './address-store.ts';
import { type AddressedChain, AddressesBehindError, findLost, isUsed, pathOf } from './lost-addresses.ts';

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
   * Starts to compare the database with the chain and waits for it a few seconds. A slow check goes on after the start; no address
   * is given out before its end.
   * @throws AddressesBehindError
   */
  beforeStart(): Promise<void>;
  /** Goes on with a check that failed, in its own time. Never throws. */
  goOn(): Promise<void>;
  /** @returns undefined where no address can be given safely now */
  give(intent: Omit<NewAddress, 'chain' | 'account' | 'place' | 'address'>): Promise<GivenAddress | undefined>;
}

/** Used addresses in a row; more of them is another wallet's series. */
const MOST_TRIES = 20;
/** Few questions, since every node asks them at its start: people pay most addresses soon, or never. */
const CHECKED = { depth: 20, most: 40, withAcknowledged: false, isFirstEnough: true };
const CHECKED_SERIES = 2;
/** Somebody waits for the address: a chain that does not answer in this time counts as silent. */
const GIVEN_WITHIN_MS = 8_000;
/** At five questions a second this is enough for the addresses that are likeliest to be lost. */
const START_WAITS_MS = 5_000;
const CHECKED_AGAIN_MS = 10_000;

export function createAddressGiver(chain: AddressedChain, { store, clock, log }: GiverParts): AddressGiver {
  let opened: Promise<{ readonly branch: number; next: number }> | undefined;
  const answers = new Map<string, boolean>();
  let isChecked = false;
  let checking: Promise<void> | undefined;
  let checkedAgainAt = Number.NEGATIVE_INFINITY;

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

  /** One check for everybody who waits. After a failure the next one asks only what has no answer yet. */
  function check(): Promise<void> {
    if (isChecked) return Promise.resolve();
    checking ??= compare().finally(() => {
      checking = undefined;
      checkedAgainAt = clock.now() + CHECKED_AGAIN_MS;
    });
    return checking;
  }

  async function compare(): Promise<void> {
    const series = await store.series(chain.key, chain.account, CHECKED_SERIES);
    const [lost] = await findLost(chain, store, { ...CHECKED, series }, { answers });
    if (lost !== undefined) throw new AddressesBehindError(lost);
    isChecked = true;
    answers.clear();
  }

  async function giveChecked(
    intent: Parameters<AddressGiver['give']>[0],
    wait: { readonly isOver: boolean },
  ): Promise<GivenAddress | undefined> {
    await check();
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      // The person has gone: an address kept now would belong to a deposit that has failed.
      if (wait.isOver) return undefined;
      const place = await nextPlace();
      const address = chain.addressAt(place);
      const where = { chain: chain.key, path: pathOf(place) };
      if (await isUsed(chain.urgentSources, address)) {
        log.error(where, 'an address that was never given out is used: it is left out');
        continue;
      }
      if (wait.isOver) return undefined;
      const kept = await store.keep({ ...intent, chain: chain.key, account: chain.account, place, address });
      if (kept === undefined) continue;
      if (kept.hasGoneBack) {
        log.error(where, 'the database has gone back: follow "After a restore" in docs/operate.md');
      }
      return kept;
    }
    return undefined;
  }

  /** @param work is told when nobody waits for it any more */
  function inTime<Value>(work: (wait: { readonly isOver: boolean }) => Promise<Value>): Promise<Value> {
    const wait = { isOver: false };
    return new Promise((resolve, reject) => {
      const cancel = clock.setTimer(() => {
        wait.isOver = true;
        const reason = isChecked ? 'The nodes of the chain did not answer' : 'The check of addresses did not end';
        reject(new NodeError(`${reason} in time`));
      }, GIVEN_WITHIN_MS);
      work(wait).then(resolve, reject).finally(cancel);
    });
  }

  return {
    async beforeStart() {
      const checked = check().then(() => true);
      // Whoever asks for an address meets the failure of a check that goes on after the start.
      checked.catch(() => undefined);
      try {
        if (await withinTime(clock, START_WAITS_MS, checked, () => false)) return;
        log.info({ chain: chain.key }, 'the check of addresses goes on after the start: no address is given out yet');
      } catch (error) {
        if (!(error instanceof NodeError)) throw error;
        log.warn({ chain: chain.key, err: error }, 'the addresses of a chain could not be checked yet');
      }
    },
    async goOn() {
      if (isChecked || checking !== undefined || clock.now() < checkedAgainAt) return;
      try {
        await check();
      } catch (error) {
        log.warn({ chain: chain.key, err: error }, 'the addresses of a chain could not be checked yet');
      }
    },
    async give(intent) {
      const known = await store.ofDeposit(intent.depositId);
      if (known !== undefined) return known;
      try {
        return await inTime((wait) => giveChecked(intent, wait));
      } catch (error) {
        if (!(error instanceof NodeError || error instanceof AddressesBehindError)) throw error;
        log.error({ chain: chain.key, err: error }, 'no address is given out');
        return undefined;
      }
    },
  };
}
