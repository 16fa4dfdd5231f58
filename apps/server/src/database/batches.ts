/**
 * Group commit, taken to the client: calls that wait while a statement runs leave together in the next one. So under load the
 * cost of a commit, of a trip and of an index is shared. A call that waits for nobody leaves at once, alone.
 *
 * Calls of different lanes (operators) never share a statement: no transaction spans two operators, and a lane that is slow or
 * locked holds up no other.
 */
import { AsyncResource } from 'node:async_hooks';
import type { Database } from './database.ts';
import { DatabaseUnavailable } from './guarded-database.ts';
import { isRefused } from './pool-database.ts';

/** A first item and any others: a batch is never empty. */
export type Batch<Item> = readonly [Item, ...Item[]];

export interface BatchesOptions<Item, Result> {
  /** Carries out a batch of one lane, whole or not at all. Answers one result for each item, in their order. */
  readonly run: (items: Batch<Item>) => Promise<readonly Result[]>;
  readonly laneOf: (item: Item) => string;
  readonly mostItems?: number;
  readonly mostOfLane?: number;
  readonly mostAtOnce?: number;
  readonly mostWaiting?: number;
}

/** Items of a batch. More would make a statement long, and its failure dear. */
const MOST_ITEMS = 64;
/** Batches of one lane at the same time: while one waits for the disk, the other is built. */
const MOST_OF_LANE = 2;
/**
 * While a lane's statements carry this many items, a further batch of the lane leaves only when it is full. What waits then makes the
 * next batch larger. A smaller load goes side by side, because it waits for nothing that it would share.
 */
const MANY_ITEMS = 8;
/** ms after which a batch holds up no further batch of its lane. A batch that is stuck would else stop all small calls of an operator. */
const LONGEST_HOLD_MS = 40;
/** Batches of all lanes at the same time. They must leave connections for other work. A lane's second batch gets only half of the places. */
const MOST_AT_ONCE = 4;
/** Items that wait, of all lanes. One lane may have half of them, so that its flood refuses no other. */
const MOST_WAITING = 20_000;

/**
 * Batches of one lane at the same time for a database. The embedded one has a single connection, so a second batch would only be
 * taken from those that come in the meantime.
 */
export function batchesOfLane({ kind }: Pick<Database, 'kind'>): number {
  return kind === 'embedded' ? 1 : MOST_OF_LANE;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  /**
   * The caller's async context, so that a trace shows the statement in the request that caused it. Only the first item of a
   * batch needs one.
   */
  readonly context: AsyncResource | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane<Item, Result> {
  readonly waiting: Waiting<Item, Result>[];
  /** Batches that run. */
  running: number;
  /** The unsettled items of the running batches that are younger than LONGEST_HOLD_MS. */
  carried: number;
}

/**
 * @returns carries out one item, in a batch with those that wait beside it. Its result or error is the item's own: an item that
 * fails never fails its neighbours. When too many wait, it rejects with DatabaseUnavailable.
 */
export function createBatches<Item, Result>(options: BatchesOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { laneOf } = options;
  const { mostItems = MOST_ITEMS, mostOfLane = MOST_OF_LANE, mostAtOnce = MOST_AT_ONCE } = options;
  const { mostWaiting = MOST_WAITING } = options;
  // A map keeps the order of insertion. A lane that had its turn goes to the end.
  const lanes = new Map<string, Lane<Item, Result>>();
  let running = 0;
  let waiting = 0;
  let isPlanned = false;

  const start = (name: string, lane: Lane<Item, Result>): void => {
    const batch = lane.waiting.splice(0, mostItems);
    waiting -= batch.length;
    running += 1;
    lane.running += 1;
    lanes.delete(name);
    lanes.set(name, lane);
    const carried = carry(lane, batch.length, startDue);
    void settle(options, batch, batch[0]?.context, carried.settled).then(() => {
      running -= 1;
      lane.running -= 1;
      carried.end();
      if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(name);
      startDue();
    });
  };

  const startDue = (): void => {
    isPlanned = false;
    // Each round starts one batch of each lane at most, so that lanes take turns.
    while (startRound());
  };

  /** @returns whether a further round may start something, too */
  const startRound = (): boolean => {
    const before = running;
    for (const [name, lane] of [...lanes]) {
      if (running >= mostAtOnce) return false;
      const places = lane.running === 0 ? mostAtOnce : mostAtOnce / 2;
      const wanted = lane.carried < MANY_ITEMS ? 1 : mostItems;
      if (lane.waiting.length >= wanted && lane.running < mostOfLane && running < places) start(name, lane);
    }
    return running > before;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      const name = laneOf(item);
      const lane = lanes.get(name) ?? { waiting: [], running: 0, carried: 0 };
      if (waiting >= mostWaiting || lane.waiting.length >= mostWaiting / 2) {
        reject(new DatabaseUnavailable('database-unavailable'));
        return;
      }
      lanes.set(name, lane);
      // Batches are taken from the front, so these places are the first of a batch.
      const isFirst = lane.waiting.length % mostItems === 0;
      lane.waiting.push({ item, context: isFirst ? new AsyncResource('Batch') : undefined, resolve, reject });
      waiting += 1;
      if (isPlanned) return;
      isPlanned = true;
      // What comes in the same turn of the event loop leaves together.
      setImmediate(startDue);
    });
}

/** The items by which one batch holds up its lane. */
interface Carried {
  settled(items: number): void;
  end(): void;
}

/**
 * Counts the items of a batch as carried by its lane, until they are settled or have held up the lane for long enough.
 * @param onFewer called when fewer are carried while the batch still runs
 */
function carry(lane: { carried: number }, items: number, onFewer: () => void): Carried {
  let left = items;
  const drop = (count: number): void => {
    const dropped = Math.min(count, left);
    left -= dropped;
    lane.carried -= dropped;
  };
  lane.carried += items;
  const expire = (): void => {
    drop(left);
    onFewer();
  };
  const timer = lane.carried < MANY_ITEMS ? undefined : setTimeout(expire, LONGEST_HOLD_MS).unref();
  return {
    settled(count) {
      if (left === 0) return;
      drop(count);
      // The end of the batch frees a place, too, and follows at once.
      if (left > 0) onFewer();
    },
    end() {
      clearTimeout(timer);
      drop(left);
    },
  };
}

/**
 * Carries out a batch and settles its items. Never rejects.
 * @param onSettled called with the number of items that were just settled
 */
async function settle<Item, Result>(
  options: BatchesOptions<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
  context: AsyncResource | undefined,
  onSettled: (items: number) => void,
): Promise<void> {
  const [first, ...others] = batch;
  if (first === undefined) return;
  try {
    const items: Batch<Item> = [first.item, ...others.map(({ item }) => item)];
    const results = await (context === undefined
      ? options.run(items)
      : context.runInAsyncScope(options.run, options, items));
    if (results.length !== batch.length) throw new Error(`A batch of ${batch.length} had ${results.length} results`);
    // The length was just compared, so no result is missing.
    results.forEach((result, index) => void batch[index]?.resolve(result));
    onSettled(batch.length);
  } catch (error) {
    // One item may be to blame. After an error of unknown outcome nothing is tried again.
    if (others.length === 0 || !isRefused(error)) {
      for (const { reject } of batch) reject(error);
      onSettled(batch.length);
      return;
    }
    // Halves find one bad item among 64 in 7 steps.
    const middle = Math.ceil(batch.length / 2);
    await settle(options, batch.slice(0, middle), context, onSettled);
    await settle(options, batch.slice(middle), context, onSettled);
  }
}
