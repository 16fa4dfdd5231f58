/**
 * A loop over rows that are due. There is no queue beside the truth: every piece of delayed work is a `next_at` column on the
 * row that it is about, written in the same transaction (ADR 6).
 */
import type { Cancel, Clock } from '@opencashier/core/time/clock';
import { apart, noSpans, type Spans } from '../observability/spans.ts';

export interface DueWorker {
  readonly name: string;
  readonly isByTimeAlone: boolean;
  start(): void;
  /** Looks again soon, as something has just been written. */
  wake(): void;
  /** Works until nothing is due. */
  runDue(): Promise<void>;
  /** Takes nothing new and waits for what is in hand. */
  stop(): Promise<void>;
}

export interface DueWork<Item> {
  readonly name: string;
  /** Takes due rows and leases them, so that another node leaves them alone and a crash gives them back. */
  claim(): Promise<readonly Item[]>;
  /** Must not throw for a fault of the item: what it throws is logged, and the lease brings the item back. */
  handle(item: Item): Promise<void>;
  /** ms between looks when nothing wakes the worker. */
  readonly idleMs: number;
  /** No change of something else makes its rows due, so that to look after each would only cost queries. Default false. */
  readonly isByTimeAlone?: boolean;
}

interface WorkerLogger {
  error(fields: object, message: string): void;
}

/** The longest pause after failures in a row, such as a database that is away. ms. */
const LONGEST_PAUSE_MS = 30_000;

export function createDueWorker<Item>(
  work: DueWork<Item>,
  {
    clock,
    logger,
    spans = noSpans,
  }: { readonly clock: Clock; readonly logger: WorkerLogger; readonly spans?: Spans | undefined },
): DueWorker {
  let isRunning = false;
  let cancelTimer: Cancel | undefined;
  let inHand: Promise<unknown> = Promise.resolve();
  let failures = 0;
  let isWoken = false;
  let isBusy = false;

  const handle = async (item: Item): Promise<void> => {
    try {
      await spans.begin(`job ${work.name}`, {}, {}, () => work.handle(item));
    } catch (error) {
      logger.error({ worker: work.name, err: error }, 'work failed');
    }
  };

  /** Items of a claim run side by side, so that a slow or poisoned one holds up no other. */
  const runBatch = async (): Promise<number> => {
    const items = await work.claim();
    await Promise.all(items.map(handle));
    return items.length;
  };

  const schedule = (delayMs: number): void => {
    cancelTimer?.();
    cancelTimer = isRunning ? apart(() => clock.setTimer(tick, delayMs)) : undefined;
  };

  const tick = (): void => {
    if (isBusy) return;
    isBusy = true;
    isWoken = false;
    inHand = runBatch()
      .then((count) => {
        failures = 0;
        return count > 0 || isWoken ? 0 : work.idleMs;
      })
      .catch((error: unknown) => {
        failures += 1;
        logger.error({ worker: work.name, err: error, failures }, 'work could not be claimed');
        return Math.min(work.idleMs * 2 ** failures, LONGEST_PAUSE_MS);
      })
      .then((delayMs) => {
        isBusy = false;
        schedule(delayMs);
      });
  };

  return {
    name: work.name,
    isByTimeAlone: work.isByTimeAlone ?? false,
    start() {
      if (isRunning) return;
      isRunning = true;
      schedule(0);
    },
    wake() {
      isWoken = true;
      if (isRunning && !isBusy) schedule(0);
    },
    async runDue() {
      while ((await runBatch()) > 0);
    },
    async stop() {
      isRunning = false;
      cancelTimer?.();
      await inHand;
    },
  };
}
