/** The typed client as the rest of the widget sees it. No code outside this folder depends on the transport. */
import type { CallDefinition, PushBody, PushName, RequestOf, ResponseOf } from '@opencashier/contract/api';
import type { Silence } from './silence.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ApiClient {
  /**
   * Makes a call and reads its answer by the contract's schema.
   *
   * @throws ClientError for every failure; an aborted signal rejects with its reason
   */
  call<Call extends CallDefinition>(
    call: Call,
    request: RequestOf<Call>,
    options?: CallOptions,
  ): Promise<ResponseOf<Call>>;
  /** Listens to a push. Over HTTP there are no pushes, so screens also poll. @returns stops listening */
  onPush<Name extends PushName>(name: Name, listen: (body: PushBody<Name>) => void): () => void;
  /** The difference of the server's clock to this device's in ms, by the last answer. */
  serverOffsetMs(): number;
  /** Whether calls are waiting for a server that does not answer. */
  readonly silence?: Silence;
}

/** The client as boot sees it. */
export interface ManagedClient extends ApiClient {
  /**
   * Makes a call while the page closes. It goes over HTTP, because the browser closes a socket with its page. Nobody hears the
   * answer.
   */
  lastCall<Call extends CallDefinition>(call: Call, request: RequestOf<Call>): void;
  /** Call it when the host has replaced the token. Calls that wait for the token are repeated. */
  tokenRenewed(): void;
  close(): void;
}

/** The code of a call that the server did not answer. */
export const networkErrorCode = 'socket.networkError';

/**
 * Why a call failed.
 * - `refused`: the server answered with an error; `code` is one of the contract's.
 * - `network`: after all retries it is certain that nothing reached the server (`socket.networkError`).
 * - `unknown`: the server may have carried the request out, but its answer did not arrive or could not be read. A payment is
 *   then "being checked, do not pay again", and never shown as failed.
 */
export type ClientErrorKind = 'refused' | 'network' | 'unknown';

export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly kind: ClientErrorKind;
  readonly code: string;
  /** HTTP status, or the acknowledgement's; 0 where there was none. */
  readonly status: number;
  readonly fields: readonly { path: string; message: string }[];
  readonly params: Readonly<Record<string, string>>;
  readonly reference: string | undefined;

  constructor(
    failure: {
      kind: ClientErrorKind;
      code: string;
      status: number;
      message: string;
      fields?: readonly { path: string; message: string }[];
      params?: Readonly<Record<string, string>>;
      reference?: string;
    },
    options?: ErrorOptions,
  ) {
    super(failure.message, options);
    this.kind = failure.kind;
    this.code = failure.code;
    this.status = failure.status;
    this.fields = failure.fields ?? [];
    this.params = failure.params ?? {};
    this.reference = failure.reference;
  }
}
