/** What the client needs of a way to the server. Both ways answer in the same terms, and the rules above do not know which it is. */
import type { CallContext, CallDefinition, CallError, PushName } from '@opencashier/contract/api';

/** Who calls, from where (HOST-16). Read anew for every call and every handshake, since the host may renew the token. */
export interface Identity {
  readonly token: string | undefined;
  readonly context: CallContext;
}

export type Exchange =
  /** The server answered; whether that is a success is decided by the contract's rule for this transport (ERR-1). */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly data?: unknown;
      readonly error?: CallError;
      /** The server's clock, ms since the epoch, where it said so. */
      readonly serverTimeMs?: number;
    }
  /** No answer. `sent`: the request may have reached the server, so it may also have been carried out. */
  | { readonly kind: 'lost'; readonly sent: boolean; readonly reason: string; readonly cause?: unknown };

export interface Transport {
  readonly name: 'http' | 'socket';
  /** Makes one attempt. Rejects only with the reason of an aborted signal. */
  exchange(call: CallDefinition, request: unknown, signal?: AbortSignal): Promise<Exchange>;
  /** Listens to a push as it came, unread; answers how to stop. */
  onPush(name: PushName, listen: (body: unknown) => void): () => void;
  /** The token was replaced: whatever was agreed with the old one must be agreed again. */
  renew(): void;
  close(): void;
}

/** One attempt may take this long, on either transport (NET-3, §9). */
export const answerTimeoutMs = 20_000;

/** Reads a server's clock from a header or an acknowledgement: ms since the epoch, or a date. */
export function readServerTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) : Date.parse(value);
  return Number.isFinite(ms) ? ms : undefined;
}
