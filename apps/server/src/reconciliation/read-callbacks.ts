/** Reads the callbacks of the inbox and applies their reports (SRV-4). */
import { batchesOfLane, createBatches } from '../database/batches.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { dueByLane } from '../jobs/lanes.ts';
import { withinTime } from '../jobs/within-time.ts';
import { measure } from '../observability/measure.ts';
import { providerAt, providerOfSource } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { createReportBatches } from '../payments/apply.ts';
import type { Alone, AppliedReport } from '../provider-events/apply-report.ts';
import type { DepositReport } from '../providers/provider.ts';
import { applyWithdrawal } from '../withdrawals/apply-withdrawal.ts';
import { createLeases, LEASE_S } from './callback-leases.ts';
import { createReaders, PLACES_OF_ASKING, type Readers } from './reading-places.ts';

/**
 * After this many failures a callback is set aside for staff, who can ask the provider to send it again. Other
 * callbacks never wait for it.
 */
export const MOST_TRIES = 10;
/** Time limit in ms of a provider call that reads a callback. */
const READ_TIMEOUT_MS = 10_000;
const LONGEST_DELAY_S = 600;

export interface StoredCallback {
  readonly source: string;
  readonly messageId: string;
  readonly raw: Buffer;
  /** How often the reading has failed. A claim does not count, because a lease may end without a failure. */
  readonly tries: number;
}

const due = dueByLane({
  table: 'inbox_queue',
  column: 'source',
  waiting: `status = 'new'`,
  due: `next_at <= now() and (source, message_id) not in (
          select mine.source, mine.message_id from unnest($5::text[], $6::text[]) mine(source, message_id))`,
  order: 'next_at',
  key: 'source, message_id',
});

// The callbacks in hand keep their leases. A row that is locked is just being finished.
const CLAIM = `with held as (
    select queue.source, queue.message_id
    from unnest($5::text[], $6::text[], $7::bool[]) mine(source, message_id, is_renewed)
      join inbox_queue queue on queue.source = mine.source and queue.message_id = mine.message_id
    where mine.is_renewed for update of queue skip locked
  ), renewed as (
    update inbox_queue queue set next_at = now() + make_interval(secs => $4) from held
    where queue.source = held.source and queue.message_id = held.message_id
  )
  update inbox_queue queue set next_at = now() + make_interval(secs => $4)
    where (source, message_id) in (${due}) returning source, message_id as "messageId", tries,
      (select raw from webhook_inbox stored where stored.id = queue.inbox_id) as raw`;

/** What the handling of a callback needs beside the server's parts. */
interface Reading {
  readonly readers: Readers;
  readonly alone: Places;
  readonly apply: (report: DepositReport) => Promise<AppliedReport>;
  /** Takes a callback out of the queue. */
  readonly finish: (callback: StoredCallback) => Promise<void>;
}

/** Background work on stored callbacks. */
interface ReadingWork extends DueWork<StoredCallback> {
  /**
   * How many callbacks of a provider the node may lease to itself when it stores them. They then need no claim.
   * @param sizes the bytes of each callback; places are for the first of them
   */
  freePlaces(provider: string, inHand: readonly StoredCallback[] | undefined, sizes: readonly number[]): number;
}

/** Background work that reads stored callbacks and applies their reports. */
export function readCallbacks(core: PaymentsCore): ReadingWork {
  let stopping: AbortSignal | undefined;
  const alone = createPlaces(() => stopping?.throwIfAborted());
  const readers = createReaders(alone.countOf);
  const leases = createLeases<StoredCallback>(core.clock);
  const reading: Reading = {
    readers,
    alone,
    apply: createReportBatches(core, alone.begin),
    finish: createBatches<StoredCallback, void>({
      laneOf: ({ source }) => source,
      run: (callbacks) => finishAll(core, callbacks),
      mostOfLane: batchesOfLane(core.database),
    }),
  };
  return {
    name: 'callbacks',
    idleMs: 500,
    isByTimeAlone: true,
    isContinuous: true,
    freePlaces: (provider, inHand, sizes) => (inHand === undefined ? 0 : readers.freeOf(provider, inHand, sizes)),
    async claim(inHand) {
      const { most, taken } = readers.places(inHand);
      const { sources, messageIds, isRenewed } = leases.old(inHand);
      const claimed = await core.database.query<StoredCallback>({
        name: 'inbox-claim',
        text: CLAIM,
        values: [most, taken.names, taken.counts, LEASE_S, sources, messageIds, isRenewed],
      });
      return leases.others(claimed, inHand);
    },
    async handle(callback, signal) {
      leases.begin(callback);
      // The same for all callbacks of the worker.
      stopping = signal;
      core.failpoint?.('callback-claimed');
      try {
        await applyCallback(core, reading, callback);
        core.failpoint?.('callback-applied');
        await reading.finish(callback);
        core.failpoint?.('callback-finished');
      } catch (error) {
        // An aborted callback is given back, and its failure may be due to the stop.
        if (!signal.aborted) await retryLater(core, callback, error);
      }
    },
    giveBack: (callbacks) => giveBackAll(core, callbacks),
  };
}

interface Places {
  readonly begin: Alone;
  /** How many callbacks of a provider have a place or wait for one. */
  countOf(provider: string): number;
}

/**
 * Places for callbacks that have a transaction of their own. The many that wait must not take the connections of users' calls.
 * @param check throws when no further work may begin, since the node stops
 */
function createPlaces(check: () => void): Places {
  const counts = new Map<string, number>();
  const count = (provider: string, change: number): void => {
    counts.set(provider, (counts.get(provider) ?? 0) + change);
  };
  const begin = createBatches<{ readonly provider: string; readonly work: () => Promise<void> }, void>({
    laneOf: ({ provider }) => provider,
    run: async ([{ work }]) => [await work()],
    mostItems: 1,
    mostOfLane: PLACES_OF_ASKING,
    mostAtOnce: PLACES_OF_ASKING * 2,
  });
  return {
    countOf: (provider) => counts.get(provider) ?? 0,
    async begin<Result>(provider: string, work: () => Promise<Result>): Promise<Result> {
      let result: { readonly of: Result } | undefined;
      count(provider, 1);
      try {
        await begin({
          provider,
          async work() {
            check();
            result = { of: await work() };
          },
        });
      } finally {
        count(provider, -1);
      }
      if (result === undefined) throw new Error('Work ended without a result');
      return result.of;
    },
  };
}

async function applyCallback(
  core: PaymentsCore,
  { readers, alone, apply }: Reading,
  callback: StoredCallback,
): Promise<void> {
  const { source, raw } = callback;
  const provider = await providerAt(core, source);
  if (provider === undefined) throw new Error(`${source} is not set up, or its secrets cannot be opened`);
  const paidOut = provider.withdrawals?.read(raw);
  const withdrawn = paidOut instanceof Promise ? await inTime(core, paidOut) : paidOut;
  if (withdrawn !== undefined) {
    await alone.begin(source, () => applyWithdrawal(core, withdrawn));
    return;
  }
  const read = provider.read(raw);
  const isAsking = read instanceof Promise;
  readers.note(source, isAsking);
  const report = isAsking ? await inTime(core, read) : read;
  if (report !== undefined) await apply(report);
}

/**
 * Waits for a provider to read a callback.
 * @throws the provider's error, or an error after the time limit; the callback is then tried again
 */
function inTime<Report>(core: PaymentsCore, reading: Promise<Report>): Promise<Report> {
  return withinTime(core.clock, READ_TIMEOUT_MS, reading, () => {
    throw new Error('The provider did not answer in time');
  });
}

async function retryLater(core: PaymentsCore, callback: StoredCallback, error: unknown): Promise<void> {
  const tries = callback.tries + 1;
  const fields = { provider: callback.source, messageId: callback.messageId, tries, err: error };
  const isSetAside = tries >= MOST_TRIES;
  const labels = {
    provider: providerOfSource(callback.source),
    error: nameOf(error),
    set_aside: isSetAside ? 'yes' : 'no',
  };
  measure(core.database, 'callbackFailures', labels);
  if (isSetAside) {
    core.logger.error(fields, 'callback could not be read: kept for an operator');
    await setAside(core, callback, error);
    return;
  }
  core.logger.warn(fields, 'callback failed');
  await core.database.query({
    text: `update inbox_queue set tries = tries + 1, next_at = now() + make_interval(secs => $3), last_error = $4
      where source = $1 and message_id = $2`,
    values: [callback.source, callback.messageId, Math.min(2 ** tries, LONGEST_DELAY_S), nameOf(error)],
  });
}

/** Takes callbacks of one provider out of the queue. */
async function finishAll({ database }: PaymentsCore, callbacks: readonly StoredCallback[]): Promise<undefined[]> {
  const [first] = callbacks;
  await database.query({
    name: 'inbox-finish',
    // Locked in the order in which callbacks are stored, since one of them may just be sent again.
    text: `with held as (
        select source, message_id from inbox_queue where source = $1 and message_id = any($2::text[])
        order by message_id for update
      )
      delete from inbox_queue queue using held where queue.source = held.source and queue.message_id = held.message_id`,
    values: [first?.source, callbacks.map(({ messageId }) => messageId)],
  });
  return callbacks.map(() => undefined);
}

/** Ends the leases of callbacks, so that another node reads them at once. A row that is locked is just being finished. */
async function giveBackAll({ database }: PaymentsCore, callbacks: readonly StoredCallback[]): Promise<void> {
  await database.query({
    name: 'inbox-give-back',
    text: `with held as (
        select queue.source, queue.message_id from unnest($1::text[], $2::text[]) mine(source, message_id)
          join inbox_queue queue on queue.source = mine.source and queue.message_id = mine.message_id
        where queue.status = 'new' and queue.next_at > now() for update of queue skip locked
      )
      update inbox_queue queue set next_at = now() from held
      where queue.source = held.source and queue.message_id = held.message_id`,
    values: [callbacks.map(({ source }) => source), callbacks.map(({ messageId }) => messageId)],
  });
}

/** Sets a callback aside for staff. */
async function setAside(core: PaymentsCore, { source, messageId }: StoredCallback, error: unknown): Promise<void> {
  await core.database.query({
    text: `update inbox_queue set status = 'dead', tries = tries + 1, last_error = $3 where source = $1 and message_id = $2`,
    values: [source, messageId, nameOf(error)],
  });
}

/** The name of an error without its message, which may repeat the provider's data. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
