/** A way to the server, HTTP or socket. Both have this interface, so that the client does not depend on either. */
import type { CallContext, CallDefinition, CallError, PushName } from '@opencashier/contract/api';

/** Who calls, and from where (HOST-16). It is read for every call and handshake, because the host may renew the token. */
export interface Identity {
  readonly token: string | undefined;
  readonly context: CallContext;
}

export type Exchange =
  /** The server answered. The contract's rule for the transport decides whether that is a success (ERR-1). */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly data?: unknown;
      readonly error?: CallError;
      /** The server's clock in ms since the epoch; absent when the answer has none. */
      readonly serverTimeMs?: number;
    }
  /** No answer. `sent`: the request may have reached the server, which may have carried it out. */
  | { readonly kind: 'lost'; readonly sent: boolean; readonly reason: string; readonly cause?: unknown };

export interface Transport {
  readonly name: 'http' | 'socket';
  /** Makes one attempt. Rejects only with the reason of an aborted signal. */
  exchange(call: CallDefinition, request: unknown, signal?: AbortSignal): Promise<Exchange>;
  /** Listens to a push, whose body is not checked yet. @returns stops listening */
  onPush(name: PushName, listen: (body: unknown) => void): () => void;
  /** Call it when the token was replaced: a connection with the old token must be opened again. */
  renew(): void;
  close(): void;
}

/** One attempt may take this long, on either transport (NET-3, §9). */
export const answerTimeoutMs = 20_000;

/** Reads the server's clock from a header or an acknowledgement, given as ms since the epoch or as a date. */
export function readServerTime(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value === '') return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) : Date.parse(value);
  return Number.isFinite(ms) ? ms : undefined;
}
