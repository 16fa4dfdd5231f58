/**
 * A loop over rows that are due. There is no separate queue: delayed work is a `next_at` column of the row itself, written in the
 * same transaction (ADR 6).
 */
import { setMaxListeners } from 'node:events';
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { apart, noSpans, type Spans } from '../observability/spans.ts';
import { withinTime } from './within-time.ts';

export interface DueWorker {
  readonly name: string;
  readonly isByTimeAlone: boolean;
  start(): void;
  /** Looks for due rows at once, since some have just been written. */
  wake(): void;
  /** Works until nothing is due. */
  runDue(): Promise<void>;
  /**
   * Claims nothing more, waits a little for the items in hand, then aborts the others and gives them back. It always ends: an item
   * that ignores its signal becomes due again when its lease ends.
   */
  stop(): Promise<void>;
}

/** A worker that also takes items which nobody has claimed: their writer has leased them to this node when it stored them. */
export interface TakingWorker<Item> extends DueWorker {
  /** The items in hand; undefined: the worker does not run, so nothing may be leased to it. */
  inHand(): readonly Item[] | undefined;
  /** Begins items. Those that come too late become due again when their lease ends. */
  take(items: readonly Item[]): void;
}

export interface DueWork<Item> {
  readonly name: string;
  /**
   * Takes due rows and leases them: no other node takes them meanwhile, and after a crash they become due again.
   * @param inHand the items that this worker still works on, by which continuous work limits itself; else empty
   */
  claim(inHand: readonly Item[]): Promise<readonly Item[]>;
  /**
   * Should not throw for a fault of the item. An error is logged, and the item becomes due again when its lease ends.
   * @param signal aborted when the worker stops and cannot wait any longer; the item is then given back
   */
  handle(item: Item, signal: AbortSignal): Promise<void>;
  /** Ends the leases of aborted items, so that another node takes them at once. Absent: the leases run out. */
  giveBack?(items: readonly Item[]): Promise<void>;
  /** ms between looks when nothing wakes the worker. */
  readonly idleMs: number;
  /** Only time makes the rows due, so other changes need not wake this worker. Default false. */
  readonly isByTimeAlone?: boolean;
  /**
   * Claims again whenever an item ends, instead of when all items of a claim have ended. An item that hangs then blocks no others.
   * The claim itself limits how many items are in hand. Default false.
   */
  readonly isContinuous?: boolean;
}

interface WorkerLogger {
  error(fields: object, message: string): void;
}

/** The longest pause after repeated failures, such as an outage of the database. ms. */
const LONGEST_PAUSE_MS = 30_000;
/** How long a stop waits for the items in hand before it aborts them, and then for the aborted items to end. ms. */
export const STOP_GRACE_MS = 3_000;
const STOP_ABORT_MS = 1_000;

interface DueWorkerPorts {
  readonly clock: Clock;
  readonly logger: WorkerLogger;
  readonly spans?: Spans | undefined;
}

export function createDueWorker<Item>(work: DueWork<Item>, ports: DueWorkerPorts): TakingWorker<Item> {
  const { clock, logger } = ports;
  const { name, idleMs, isContinuous = false, isByTimeAlone = false } = work;
  const inHand = createItemsInHand(work, ports, () => {
    if (isContinuous) wake();
  });
  let isRunning = false;
  let cancelTimer: Cancel | undefined;
  let claiming: Promise<unknown> = Promise.resolve();
  let failures = 0;
  let isWoken = false;
  let isBusy = false;
  let stopped: Promise<void> | undefined;

  const schedule = (delayMs: number): void => {
    cancelTimer?.();
    cancelTimer = isRunning ? apart(() => clock.setTimer(tick, delayMs)) : undefined;
  };

  const wake = (): void => {
    // A batch wakes the worker once for each of its items. The first time is enough.
    if (isWoken) return;
    isWoken = true;
    if (isRunning && !isBusy) schedule(0);
  };

  const tick = (): void => {
    if (isBusy) return;
    isBusy = true;
    isWoken = false;
    claiming = (isContinuous ? inHand.claim().then(({ length }) => length) : inHand.runBatch())
      .then((count) => {
        failures = 0;
        return count > 0 || isWoken ? 0 : idleMs;
      })
      .catch((error: unknown) => {
        failures += 1;
        isWoken = false;
        logger.error({ worker: name, err: error, failures }, 'work could not be claimed');
        return Math.min(idleMs * 2 ** failures, LONGEST_PAUSE_MS);
      })
      .then((delayMs) => {
        isBusy = false;
        // A wake that came since the delay was chosen.
        schedule(isWoken ? 0 : delayMs);
      });
  };

  return {
    name,
    isByTimeAlone,
    start() {
      if (isRunning) return;
      isRunning = true;
      schedule(0);
    },
    wake,
    inHand: () => (isRunning ? inHand.items() : undefined),
    take(items) {
      if (isRunning) inHand.begin(items);
    },
    async runDue() {
      while ((await inHand.runBatch()) > 0);
    },
    stop() {
      isRunning = false;
      cancelTimer?.();
      // A claim in progress may still add items, so the list of claimed items is complete only after it.
      stopped ??= inHand.finishOrGiveBack(claiming);
      return stopped;
    },
  };
}

/** The items that this node has claimed and still works on. */
interface ItemsInHand<Item> {
  items(): readonly Item[];
  /** Begins items. Answers their ends; they never reject. */
  begin(items: readonly Item[]): readonly Promise<void>[];
  /** Claims items and begins each of them. Answers their ends; they never reject. */
  claim(): Promise<readonly Promise<void>[]>;
  /** Claims items and waits until all of them have ended. Answers how many there were. */
  runBatch(): Promise<number>;
  /**
   * Waits a short time for the claim in progress and for the items. Then it aborts the items that are left and gives them back.
   * @param claiming the claim in progress; never rejects
   */
  finishOrGiveBack(claiming: Promise<unknown>): Promise<void>;
}

/** @param onEnd called whenever an item has ended, well or not */
function createItemsInHand<Item>(
  work: DueWork<Item>,
  { clock, logger, spans = noSpans }: DueWorkerPorts,
  onEnd: () => void,
): ItemsInHand<Item> {
  const running = new Map<Item, Promise<void>>();
  const abort = new AbortController();
  // Every item listens to this signal. Node would report more than ten listeners as a leak.
  setMaxListeners(0, abort.signal);

  const handle = async (item: Item): Promise<void> => {
    try {
      await spans.begin(`job ${work.name}`, {}, {}, () => work.handle(item, abort.signal));
    } catch (error) {
      logger.error({ worker: work.name, err: error }, 'work failed');
    } finally {
      running.delete(item);
      onEnd();
    }
  };

  const items = (): readonly Item[] => [...running.keys()];

  const begin = (begun: readonly Item[]): readonly Promise<void>[] =>
    begun.map((item) => {
      const handled = handle(item);
      running.set(item, handled);
      return handled;
    });

  const claim = async (): Promise<readonly Promise<void>[]> => begin(await work.claim(items()));

  const idle = async (claiming: Promise<unknown>): Promise<void> => {
    await claiming;
    await Promise.all(running.values());
  };

  const giveBack = async (claiming: Promise<unknown>): Promise<void> => {
    const left = items();
    abort.abort(new Error('The node is stopping.'));
    await withinTime(clock, STOP_ABORT_MS, idle(claiming), () => undefined);
    await work.giveBack?.(left);
  };

  return {
    items,
    begin,
    claim,
    async runBatch() {
      // Items of a claim run side by side, so that a slow or poisoned item holds up no other.
      const handled = await claim();
      await Promise.all(handled);
      return handled.length;
    },
    async finishOrGiveBack(claiming) {
      const isIdle = await withinTime(
        clock,
        STOP_GRACE_MS,
        idle(claiming).then(() => true),
        () => false,
      );
      if (isIdle) return;
      logger.error({ worker: work.name, items: running.size }, 'work was interrupted by the stop of the node');
      await withinTime(clock, STOP_ABORT_MS * 2, giveBack(claiming), () => undefined);
    },
  };
}
