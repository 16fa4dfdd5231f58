/** The typed client as the rest of the widget sees it. Which transport answers is nobody's business above this room. */
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
  /** Listens to a push; answers how to stop. On HTTP there are none: screens also ask by themselves. */
  onPush<Name extends PushName>(name: Name, listen: (body: PushBody<Name>) => void): () => void;
  /** ms to add to this device's clock to get the server's, as last heard. */
  serverOffsetMs(): number;
  /** True while no answer comes to what was asked. */
  readonly silence?: Silence;
}

/**
 * Why a call failed.
 * - `refused`: the server answered with an error; `code` is one of the contract's.
 * - `network`: nothing reached the server for certain, after all retries (`socket.networkError`).
 * - `unknown`: the request may have been carried out, the answer never came or made no sense. For a payment this is
 *   "being checked, do not pay again", never a failure.
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
