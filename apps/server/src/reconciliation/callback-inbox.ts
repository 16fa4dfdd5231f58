/**
 * The inbox of provider callbacks (SRV-4). A callback is verified, stored unread, acknowledged at once, and read
 * later.
 */
import { createHash } from 'node:crypto';
import type { DueWork } from '../jobs/due-worker.ts';
import { dueByLane, placesTaken } from '../jobs/lanes.ts';
import { withinTime } from '../jobs/within-time.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { applyDepositReport } from '../payments/apply.ts';
import type { DepositReport, Provider, RawCallback } from '../providers/provider.ts';
import { applyWithdrawal } from '../withdrawals/apply-withdrawal.ts';

/**
 * After this many failures a callback is set aside for staff, who can ask the provider to send it again. Other
 * callbacks never wait for it.
 */
export const MOST_TRIES = 10;
/** Callbacks of one provider that a node reads at the same time. Reading may mean a call to the provider. */
const PLACES_PER_PROVIDER = 20;
/** Time limit in ms of a provider call that reads a callback. */
const READ_TIMEOUT_MS = 10_000;
const LEASE_S = 30;
const LONGEST_DELAY_S = 600;

/** The result for the HTTP route of callbacks: 202, 401, 404 or 429. The sender learns no reason. */
export type CallbackReceipt =
  | { readonly kind: 'accepted' | 'rejected' | 'unknown-provider' }
  /** Verified but not stored. The provider must send the callback again. */
  | { readonly kind: 'over-limit'; readonly retryAfterSeconds: number };

type Command = [providerName: string, callback: RawCallback, admit?: () => Promise<number>];

/**
 * Verifies and stores a callback.
 * @param command name of the provider, the callback, and a rate limiter that returns the seconds to wait (0: none)
 */
export function receiveCallback(core: PaymentsCore, ...command: Command): Promise<CallbackReceipt> {
  const [source] = command;
  // The sender chose the name, so only known names go into traces.
  const provider = core.providers.has(source) ? source : 'unknown';
  return core.spans.begin('callback receive', { provider }, { kind: 'server' }, async (span) => {
    const receipt = await receiveOnce(core, ...command);
    span.note({ outcome: receipt.kind });
    return receipt;
  });
}

async function receiveOnce(core: PaymentsCore, ...[source, callback, admit]: Command): Promise<CallbackReceipt> {
  const provider = core.providers.get(source);
  if (provider === undefined) return { kind: 'unknown-provider' };
  const verdict = provider.verify(callback);
  if (verdict.kind === 'rejected') {
    core.logger.warn({ provider: source, reason: verdict.reason }, 'callback rejected');
    return { kind: 'rejected' };
  }
  core.failpoint?.('callback-verified');
  const retryAfterSeconds = (await admit?.()) ?? 0;
  if (retryAfterSeconds > 0) return { kind: 'over-limit', retryAfterSeconds };
  const hash = createHash('sha256').update(callback.rawBody).digest();
  const stored = await core.database.query({
    name: 'inbox-insert',
    // A callback that was set aside and is sent again is read again, because the cause may be fixed.
    text: `insert into webhook_inbox (source, message_id, body_hash, raw) values ($1, $2, $3, $4)
      on conflict (source, message_id) do update set status = 'new', tries = 0, next_at = now()
        where webhook_inbox.status = 'dead' and webhook_inbox.body_hash = excluded.body_hash
      returning 1`,
    values: [source, verdict.messageId, hash, Buffer.from(callback.rawBody)],
  });
  core.failpoint?.('callback-stored');
  if (stored.length === 0) await alertIfChanged(core, source, verdict.messageId, hash);
  else core.onCallback();
  return { kind: 'accepted' };
}

/** Alerts staff to two verified callbacks with one id and different content. The first content is kept. */
async function alertIfChanged(core: PaymentsCore, source: string, messageId: string, hash: Buffer): Promise<void> {
  const [known] = await core.database.query<{ body_hash: Buffer }>({
    text: 'select body_hash from webhook_inbox where source = $1 and message_id = $2',
    values: [source, messageId],
  });
  if (known?.body_hash.equals(hash)) return;
  core.logger.error(
    { provider: source, messageId },
    'duplicate callback with other content: the first content is kept',
  );
}

interface StoredCallback {
  readonly source: string;
  readonly messageId: string;
  readonly raw: Buffer;
  readonly tries: number;
}

const due = dueByLane({
  table: 'webhook_inbox',
  column: 'source',
  waiting: `status = 'new'`,
  due: 'next_at <= now()',
  order: 'next_at',
  key: 'source, message_id',
});

/** Background work that reads stored callbacks and applies their reports. */
export function readCallbacks(core: PaymentsCore): DueWork<StoredCallback> {
  return {
    name: 'callbacks',
    idleMs: 500,
    isByTimeAlone: true,
    isContinuous: true,
    claim(inHand) {
      const taken = placesTaken(inHand.map(({ source }) => source));
      return core.database.query<StoredCallback>({
        name: 'inbox-claim',
        text: `update webhook_inbox set tries = tries + 1, next_at = now() + make_interval(secs => $4)
          where (source, message_id) in (${due}) returning source, message_id as "messageId", raw, tries`,
        values: [PLACES_PER_PROVIDER, taken.names, taken.counts, LEASE_S],
      });
    },
    async handle(callback) {
      core.failpoint?.('callback-claimed');
      try {
        const provider = core.providers.get(callback.source);
        if (provider === undefined) throw new Error(`Provider ${callback.source} is not set up`);
        const withdrawn = provider.withdrawals?.read(callback.raw);
        if (withdrawn === undefined) await applyDeposit(core, await readInTime(core, provider, callback.raw));
        else await applyWithdrawal(core, withdrawn);
        core.failpoint?.('callback-applied');
        await finish(core, callback, 'done');
        core.failpoint?.('callback-finished');
      } catch (error) {
        await retryLater(core, callback, error);
      }
    },
  };
}

type Read = DepositReport | undefined;

/**
 * Reads a callback within the time limit.
 * @throws the provider's error, or an error after the time limit; the callback is then tried again
 */
async function readInTime(core: PaymentsCore, provider: Provider, raw: Buffer): Promise<Read> {
  const late = Symbol('late');
  const read = await withinTime<Read | typeof late>(core.clock, READ_TIMEOUT_MS, readNow(provider, raw), () => late);
  if (read === late) throw new Error('The provider did not answer in time');
  return read;
}

async function readNow(provider: Provider, raw: Buffer): Promise<Read> {
  return provider.read(raw);
}

async function applyDeposit(core: PaymentsCore, report: DepositReport | undefined): Promise<void> {
  if (report !== undefined) await applyDepositReport(core, report);
}

async function retryLater(core: PaymentsCore, callback: StoredCallback, error: unknown): Promise<void> {
  const fields = { provider: callback.source, messageId: callback.messageId, tries: callback.tries, err: error };
  if (callback.tries >= MOST_TRIES) {
    core.logger.error(fields, 'callback could not be read: kept for an operator');
    await finish(core, callback, 'dead', error);
    return;
  }
  core.logger.warn(fields, 'callback failed');
  await core.database.query({
    text: `update webhook_inbox set next_at = now() + make_interval(secs => $3), last_error = $4
      where source = $1 and message_id = $2`,
    values: [callback.source, callback.messageId, Math.min(2 ** callback.tries, LONGEST_DELAY_S), nameOf(error)],
  });
}

async function finish(
  core: PaymentsCore,
  callback: StoredCallback,
  status: 'done' | 'dead',
  error?: unknown,
): Promise<void> {
  await core.database.query({
    name: 'inbox-finish',
    text: 'update webhook_inbox set status = $3, last_error = $4 where source = $1 and message_id = $2',
    values: [callback.source, callback.messageId, status, error === undefined ? null : nameOf(error)],
  });
}

/** The name of an error without its message, which may repeat the provider's data. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
