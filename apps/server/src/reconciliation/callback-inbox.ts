/**
 * The inbox of provider callbacks (SRV-4). A callback is verified, stored unread, acknowledged at once, and read
 * later.
 */
import { createHash } from 'node:crypto';
import { batchesOfLane, createBatches } from '../database/batches.ts';
import { firstOfEach } from '../database/first-of-each.ts';
import { withinTime } from '../jobs/within-time.ts';
import { measure } from '../observability/measure.ts';
import { providerAt, providerOfSource } from '../payment-ports/connected-providers.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import type { Provider, RawCallback, VerifiedCallback } from '../providers/provider.ts';
import { LEASE_S } from './callback-leases.ts';
import type { StoredCallback } from './read-callbacks.ts';

/** The result for the HTTP route of callbacks: 202, 401, 404, 429 or 503. The sender learns no reason. */
export type CallbackReceipt =
  | { readonly kind: 'accepted' | 'rejected' | 'unknown-provider' }
  /** Verified but not stored. The provider must send the callback again. */
  | { readonly kind: 'over-limit'; readonly retryAfterSeconds: number }
  /** Nobody could check the signature: the provider's process is down or hangs. The company must send the callback again. */
  | { readonly kind: 'unavailable'; readonly retryAfterSeconds: number };

type Command = [source: string, callback: RawCallback, admit?: () => Promise<number>];

/**
 * Verifies and stores a callback.
 * @param command the source (`sourceOf`), the callback, and a rate limiter that returns the seconds to wait (0: none)
 */
export type ReceiveCallback = (...command: Command) => Promise<CallbackReceipt>;

/** A verified callback that is to be stored. */
interface NewCallback {
  readonly source: string;
  readonly messageId: string;
  readonly hash: Buffer;
  readonly raw: Buffer;
}

/**
 * The result of storing a callback. `leased`: this node has to read it at once. `waiting`: a node claims it, also if it was set aside
 * before.
 */
type Stored = 'leased' | 'waiting' | 'duplicate';
type Store = (callback: NewCallback) => Promise<Stored>;

/** The reader of this node. */
export interface CallbackReader {
  /**
   * How many callbacks of a provider may be leased to this node when they are stored.
   * @param sizes the bytes of each callback; places are for the first of them
   */
  freePlaces(provider: string, sizes: readonly number[]): number;
  take(callback: StoredCallback): void;
  /** Lets it claim waiting callbacks. */
  wake(): void;
}

/** Time limit of a check of a signature by a provider in a process of its own. ms. */
const VERIFY_TIMEOUT_MS = 2_000;
/** When a company shall send a callback again that nobody could check. */
const RETRY_VERIFY_S = 30;

/** Callbacks that wait to be stored, of all providers. Each can have 256 kB. */
const MOST_WAITING = 1_000;

export function createCallbackInbox(core: PaymentsCore, reader: CallbackReader): ReceiveCallback {
  const store = createBatches<NewCallback, Stored>({
    // Nobody has read a callback yet, so its operator is not known.
    laneOf: ({ source }) => source,
    run: (callbacks) => storeAll(core, reader, callbacks),
    mostOfLane: batchesOfLane(core.database),
    mostWaiting: MOST_WAITING,
  });
  return (...command) => {
    const [source] = command;
    // The sender chose the name, so only known names go into traces.
    const name = providerOfSource(source);
    const provider = core.providers.has(name) || core.connections?.isKnown(name) === true ? name : 'unknown';
    return core.spans.begin('callback receive', { provider }, { kind: 'server' }, async (span) => {
      const receipt = await receiveOnce(core, { store, reader }, ...command);
      span.note({ outcome: receipt.kind });
      measure(core.database, 'callbacks', { provider, result: receipt.kind });
      return receipt;
    });
  };
}

async function receiveOnce(
  core: PaymentsCore,
  { store, reader }: { readonly store: Store; readonly reader: CallbackReader },
  ...[source, callback, admit]: Command
): Promise<CallbackReceipt> {
  const provider = await providerAt(core, source);
  if (provider === undefined) return { kind: 'unknown-provider' };
  const verdict = await verdictOf(core, provider, callback);
  if (verdict === undefined) return { kind: 'unavailable', retryAfterSeconds: RETRY_VERIFY_S };
  if (verdict.kind === 'rejected') {
    core.logger.warn({ provider: source, reason: verdict.reason }, 'callback rejected');
    return { kind: 'rejected' };
  }
  core.failpoint?.('callback-verified');
  const retryAfterSeconds = (await admit?.()) ?? 0;
  if (retryAfterSeconds > 0) return { kind: 'over-limit', retryAfterSeconds };
  const { messageId } = verdict;
  const hash = createHash('sha256').update(callback.rawBody).digest();
  const raw = Buffer.from(callback.rawBody);
  const stored = await store({ source, messageId, hash, raw });
  core.failpoint?.('callback-stored');
  if (stored === 'leased') reader.take({ source, messageId, raw, tries: 0 });
  else if (stored === 'waiting') reader.wake();
  else await alertIfChanged(core, source, messageId, hash);
  return { kind: 'accepted' };
}

/** Providers of this repository answer at once. Providers in processes of their own may not answer at all: then `undefined`. */
async function verdictOf(
  core: PaymentsCore,
  provider: Provider,
  callback: RawCallback,
): Promise<VerifiedCallback | undefined> {
  const verdict = provider.verify(callback);
  if (!(verdict instanceof Promise)) return verdict;
  try {
    return await withinTime(core.clock, VERIFY_TIMEOUT_MS, verdict, () => {
      throw new Error('The provider did not check the signature in time');
    });
  } catch (error) {
    core.logger.warn({ provider: provider.name, err: error }, 'callback could not be verified');
    return undefined;
  }
}

/** Stores callbacks of one provider, usually in one statement. */
async function storeAll(
  core: PaymentsCore,
  reader: CallbackReader,
  callbacks: readonly NewCallback[],
): Promise<Stored[]> {
  const firsts = new Set(firstOfEach(callbacks, ({ messageId }) => messageId));
  const stored = await storeDistinct(core, reader, [...firsts]);
  // Other content under the same id may be the content that was set aside.
  const contents = firstOfEach(callbacks, ({ messageId, hash }) => `${hash.toString('base64')} ${messageId}`);
  const others = contents.filter((callback) => !firsts.has(callback));
  if (others.length > 0) {
    const results = await storeAll(core, reader, others);
    for (const [index, callback] of others.entries()) stored.set(callback, results[index] ?? 'duplicate');
  }
  return callbacks.map((callback) => stored.get(callback) ?? 'duplicate');
}

/** @returns no entry for a duplicate */
async function storeDistinct(
  { database }: PaymentsCore,
  reader: CallbackReader,
  callbacks: readonly NewCallback[],
): Promise<Map<NewCallback, Stored>> {
  const source = callbacks[0]?.source ?? '';
  const stored = await database.query<{ messageId: string; isLeased: boolean }>({
    name: 'inbox-insert',
    // The first callbacks are leased to this node, as a claim would do.
    // A callback that was set aside and is sent again is read again, because the cause may be fixed.
    text: `with sent as (
        select * from unnest($2::text[], $3::bytea[], $4::bytea[]) with ordinality as sent(id, hash, raw, n)
      ), known as (
        insert into inbox_key (source, message_id, body_hash, inbox_id)
        select $1, sent.id, sent.hash, time_id() from sent order by sent.id
        on conflict (source, message_id) do nothing returning message_id, inbox_id
      ), stored as (
        insert into webhook_inbox (id, source, message_id, raw)
        select known.inbox_id, $1, sent.id, sent.raw from known join sent on sent.id = known.message_id
      ), queued as (
        insert into inbox_queue (source, message_id, inbox_id, next_at)
        select $1, known.message_id, known.inbox_id,
          now() + make_interval(secs => case when sent.n <= $5 then $6::float8 else 0 end)
        from known join sent on sent.id = known.message_id
        returning message_id, next_at > now() as is_leased
      ), aside as (
        select queue.message_id from sent join inbox_queue queue on queue.source = $1 and queue.message_id = sent.id
          join inbox_key key on key.source = queue.source and key.message_id = queue.message_id
        where queue.status = 'dead' and key.body_hash = sent.hash order by queue.message_id for update of queue
      ), again as (
        update inbox_queue queue set status = 'new', tries = 0, next_at = now() from aside
        where queue.source = $1 and queue.message_id = aside.message_id and queue.status = 'dead' returning queue.message_id
      )
      select message_id as "messageId", is_leased as "isLeased" from queued union all select message_id, false from again`,
    values: [
      source,
      callbacks.map(({ messageId }) => messageId),
      callbacks.map(({ hash }) => hash),
      callbacks.map(({ raw }) => raw),
      reader.freePlaces(
        source,
        callbacks.map(({ raw }) => raw.length),
      ),
      LEASE_S,
    ],
  });
  const isLeased = new Map(stored.map((each) => [each.messageId, each.isLeased]));
  return new Map(
    callbacks.flatMap((callback): [NewCallback, Stored][] => {
      const leased = isLeased.get(callback.messageId);
      return leased === undefined ? [] : [[callback, leased ? 'leased' : 'waiting']];
    }),
  );
}

/** Alerts staff to two verified callbacks with one id and different content. The first content is kept. */
async function alertIfChanged(core: PaymentsCore, source: string, messageId: string, hash: Buffer): Promise<void> {
  const [known] = await core.database.query<{ body_hash: Buffer }>({
    text: 'select body_hash from inbox_key where source = $1 and message_id = $2',
    values: [source, messageId],
  });
  if (known?.body_hash.equals(hash)) return;
  core.logger.error(
    { provider: source, messageId },
    'duplicate callback with other content: the first content is kept',
  );
}
