/**
 * Compares the database with the chain when a process starts. A database that was restored from a backup lacks the newest addresses.
 * So no address is given out before the check has ended.
 */
import type { Clock } from '@opencashier/core/time/clock';
import { withinTime } from '../../../jobs/within-time.ts';
import { NodeError } from '../chain/chain-source.ts';
import type { AddressStore } from './address-store.ts';
import { type AddressedChain, AddressesBehindError, findLost } from './lost-addresses.ts';

interface CheckParts {
  readonly store: Pick<AddressStore, 'series' | 'givenIndices' | 'givenOf'>;
  readonly clock: Clock;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/** Few addresses, because each process asks for them at its start. People pay most addresses soon or never. */
const CHECKED = { depth: 20, most: 40, withAcknowledged: false, isFirstEnough: true };
const CHECKED_SERIES = 2;
/** Enough at five requests a second for the addresses that are most likely lost. */
const START_WAITS_MS = 5_000;
const CHECKED_AGAIN_MS = 10_000;

export class AddressCheck {
  readonly #chain: AddressedChain;
  readonly #parts: CheckParts;
  /** What the chain has answered so far. A check after a failure asks only for the rest. */
  readonly #answers = new Map<string, boolean>();
  #isDone = false;
  #running: Promise<void> | undefined;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor(chain: AddressedChain, parts: CheckParts) {
    this.#chain = chain;
    this.#parts = parts;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /**
   * Waits for the end of the check. All callers share one check.
   * @throws NodeError when no node answers
   * @throws AddressesBehindError when the database lacks an address that the chain has seen
   */
  done(): Promise<void> {
    if (this.#isDone) return Promise.resolve();
    this.#running ??= this.#compare().finally(() => {
      this.#running = undefined;
      this.#nextAt = this.#parts.clock.now() + CHECKED_AGAIN_MS;
    });
    return this.#running;
  }

  /** Starts the check and waits a few seconds. A slower check goes on. @throws AddressesBehindError */
  async start(): Promise<void> {
    const { clock, log } = this.#parts;
    const chain = this.#chain.key;
    const checked = this.done().then(() => true);
    // The failure of a check that outlasts the wait is not lost, because `give` meets it.
    checked.catch(() => undefined);
    try {
      if (await withinTime(clock, START_WAITS_MS, checked, () => false)) return;
      log.info({ chain }, 'the check of addresses is still running: no address is given out yet');
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      log.warn({ chain, err: error }, 'the addresses of a chain could not be checked yet');
    }
  }

  /** Repeats a check that failed, at most every ten seconds. Never throws. */
  async goOn(): Promise<void> {
    const { clock, log } = this.#parts;
    if (this.#isDone || this.#running !== undefined || clock.now() < this.#nextAt) return;
    try {
      await this.done();
    } catch (error) {
      log.warn({ chain: this.#chain.key, err: error }, 'the addresses of a chain could not be checked yet');
    }
  }

  async #compare(): Promise<void> {
    const { store } = this.#parts;
    const series = await store.series(this.#chain.key, this.#chain.account, CHECKED_SERIES);
    const [lost] = await findLost(this.#chain, store, { ...CHECKED, series }, { answers: this.#answers });
    if (lost !== undefined) throw new AddressesBehindError(lost);
    this.#isDone = true;
    this.#answers.clear();
  }
}
