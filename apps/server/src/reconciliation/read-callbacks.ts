/** Reads the callbacks of the inbox and applies their reports (SRV-4). */
import { createBatches } from '../database/batches.ts';
import type { DueWork } from '../jobs/due-worker.ts';
import { dueByLane } from '../jobs/lanes.ts';
import { withinTime } from '../jobs/within-time.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { createReportBatches } from '../payments/apply.ts';
import type { Alone, AppliedReport } from '../provider-events/apply-report.ts';
import type { DepositReport } from '../providers/provider.ts';
import { applyWithdrawal } from '../withdrawals/apply-withdrawal.ts';
import { createReaders, PLACES_OF_ASKING, type Readers } from './reading-places.ts';

/**
 * After this many failures a callback is set aside for staff, who can ask the provider to send it again. Other
 * callbacks never wait for it.
 */
export const MOST_TRIES = 10;
/** Time limit in ms of a provider call that reads a callback. */
const READ_TIMEOUT_MS = 10_000;
const LEASE_S = 30;
const LONGEST_DELAY_S = 600;

interface StoredCallback {
  readonly source: string;
  readonly messageId: string;
  readonly raw: Buffer;
  readonly tries: number;
}

const due = dueByLane({
  table: 'inbox_queue',
  column: 'source',
  waiting: `status = 'new'`,
  due: 'next_at <= now()',
  order: 'next_at',
  key: 'source, message_id',
});

/** What the handling of a callback needs beside the server's parts. */
interface Reading {
  readonly readers: Readers;
  readonly alone: Alone;
  readonly apply: (report: DepositReport) => Promise<AppliedReport>;
  /** Takes a callback out of the queue. */
  readonly finish: (callback: StoredCallback) => Promise<void>;
}

/** Background work that reads stored callbacks and applies their reports. */
export function readCallbacks(core: PaymentsCore): DueWork<StoredCallback> {
  const readers = createReaders();
  const alone = createPlaces();
  const reading: Reading = {
    readers,
    alone,
    apply: createReportBatches(core, alone),
    finish: createBatches<StoredCallback, void>({
      laneOf: ({ source }) => source,
      run: (callbacks) => finishAll(core, callbacks),
    }),
  };
  return {
    name: 'callbacks',
    idleMs: 500,
    isByTimeAlone: true,
    isContinuous: true,
    claim(inHand) {
      const { most, taken } = readers.places(inHand.map(({ source }) => source));
      return core.database.query<StoredCallback>({
        name: 'inbox-claim',
        text: `update inbox_queue queue set tries = tries + 1, next_at = now() + make_interval(secs => $4)
          where (source, message_id) in (${due}) returning source, message_id as "messageId", tries,
            (select raw from webhook_inbox stored where stored.id = queue.inbox_id) as raw`,
        values: [most, taken.names, taken.counts, LEASE_S],
      });
    },
    async handle(callback) {
      core.failpoint?.('callback-claimed');
      try {
        await applyCallback(core, reading, callback);
        core.failpoint?.('callback-applied');
        await reading.finish(callback);
        core.failpoint?.('callback-finished');
      } catch (error) {
        await retryLater(core, callback, error);
      }
    },
  };
}

/** Places for callbacks that have a transaction of their own. The many that wait must not take the connections of users' calls. */
function createPlaces(): Alone {
  const begin = createBatches<{ readonly provider: string; readonly work: () => Promise<void> }, void>({
    laneOf: ({ provider }) => provider,
    run: async ([{ work }]) => [await work()],
    mostItems: 1,
    mostOfLane: PLACES_OF_ASKING,
    mostAtOnce: PLACES_OF_ASKING * 2,
  });
  return async <Result>(provider: string, work: () => Promise<Result>): Promise<Result> => {
    let result: { readonly of: Result } | undefined;
    await begin({
      provider,
      async work() {
        result = { of: await work() };
      },
    });
    if (result === undefined) throw new Error('Work ended without a result');
    return result.of;
  };
}

async function applyCallback(
  core: PaymentsCore,
  { readers, alone, apply }: Reading,
  callback: StoredCallback,
): Promise<void> {
  const { source, raw } = callback;
  const provider = core.providers.get(source);
  if (provider === undefined) throw new Error(`Provider ${source} is not set up`);
  const withdrawn = provider.withdrawals?.read(raw);
  if (withdrawn !== undefined) {
    await alone(source, () => applyWithdrawal(core, withdrawn));
    return;
  }
  const read = provider.read(raw);
  const isAsking = read instanceof Promise;
  readers.note(source, isAsking);
  const report = isAsking ? await inTime(core, read) : read;
  if (report !== undefined) await apply(report);
}

type Read = DepositReport | undefined;

/**
 * Waits for a provider to read a callback.
 * @throws the provider's error, or an error after the time limit; the callback is then tried again
 */
async function inTime(core: PaymentsCore, reading: Promise<Read>): Promise<Read> {
  const late = Symbol('late');
  const read = await withinTime<Read | typeof late>(core.clock, READ_TIMEOUT_MS, reading, () => late);
  if (read === late) throw new Error('The provider did not answer in time');
  return read;
}

async function retryLater(core: PaymentsCore, callback: StoredCallback, error: unknown): Promise<void> {
  const fields = { provider: callback.source, messageId: callback.messageId, tries: callback.tries, err: error };
  if (callback.tries >= MOST_TRIES) {
    core.logger.error(fields, 'callback could not be read: kept for an operator');
    await setAside(core, callback, error);
    return;
  }
  core.logger.warn(fields, 'callback failed');
  await core.database.query({
    text: `update inbox_queue set next_at = now() + make_interval(secs => $3), last_error = $4
      where source = $1 and message_id = $2`,
    values: [callback.source, callback.messageId, Math.min(2 ** callback.tries, LONGEST_DELAY_S), nameOf(error)],
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

/** Sets a callback aside for staff. */
async function setAside(core: PaymentsCore, { source, messageId }: StoredCallback, error: unknown): Promise<void> {
  await core.database.query({
    text: `update inbox_queue set status = 'dead', last_error = $3 where source = $1 and message_id = $2`,
    values: [source, messageId, nameOf(error)],
  });
}

/** The name of an error without its message, which may repeat the provider's data. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
