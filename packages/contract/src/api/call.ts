/**
 * The definition of a call. Every call of the specification is one object made by {@link defineCall}.
 * HTTP routes, socket events, the widget's client and the OpenAPI and AsyncAPI pages are derived from these objects.
 */
import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { ErrorCode } from './error.ts';

/** The first path segment after `/api/`, and the first half of a socket event's name (NET-2, NET-3). */
export type CallPrefix = 'BANKING' | 'METRIC_EVENTS_HANDLER';

/** How a call that creates or moves money is protected against a second execution (SRV-6). */
export type Idempotency =
  /** The call only reads, so a repeat changes nothing. */
  | { readonly kind: 'read' }
  /** The request has its own idempotency key. The same key and body give the same response; another body is refused. */
  | { readonly kind: 'key'; readonly field: 'depositId' | 'withdrawalId' }
  /** A repeat ends in the same state, without a key. */
  | { readonly kind: 'natural' };

export interface CallDefinition<
  Request extends GenericSchema = GenericSchema,
  Response extends GenericSchema = GenericSchema,
> {
  /** The path after the prefix, which is also the name of the call: `deposit-create`. */
  readonly name: string;
  readonly prefix: CallPrefix;
  /**
   * The HTTP method. A GET sends its request in the query string, so a GET's request must contain nothing personal or secret.
   */
  readonly method: 'GET' | 'POST';
  /** One line for the reference pages. */
  readonly summary: string;
  readonly request: Request;
  readonly response: Response;
  /** `user`: needs a valid user token. `none`: may be called without one. */
  readonly auth: 'user' | 'none';
  /** Whether the client may repeat the call after a network error (NET-5). */
  readonly retry: boolean;
  readonly idempotency: Idempotency;
  /** The response is a catalogue. An unreadable item is skipped and reported, and the other items are still shown. */
  readonly skipsOddItems: boolean;
  /** The errors of this call. The general errors (`generalErrors`) can always occur. */
  readonly errors: readonly ErrorCode[];
}

export type RequestOf<Call extends CallDefinition> = InferInput<Call['request']>;
export type ParsedRequestOf<Call extends CallDefinition> = InferOutput<Call['request']>;
export type ResponseOf<Call extends CallDefinition> = InferOutput<Call['response']>;

type CallOptions<Request extends GenericSchema, Response extends GenericSchema> = Pick<
  CallDefinition<Request, Response>,
  'name' | 'method' | 'summary' | 'request' | 'response'
> &
  Partial<Pick<CallDefinition, 'prefix' | 'auth' | 'retry' | 'idempotency' | 'skipsOddItems' | 'errors'>>;

/**
 * Declares a call. Defaults: prefix `BANKING` (NET-2), a user token is needed, no automatic retry.
 * By default a GET only reads, and a POST is naturally idempotent.
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineCall<Request extends GenericSchema, Response extends GenericSchema>(
  options: CallOptions<Request, Response>,
): CallDefinition<Request, Response> {
  return {
    prefix: 'BANKING',
    auth: 'user',
    retry: false,
    idempotency: { kind: options.method === 'GET' ? 'read' : 'natural' },
    skipsOddItems: false,
    errors: [],
    ...options,
  };
}

/** `/api/BANKING/deposit-create` (NET-2). */
export function httpPathOf(call: Pick<CallDefinition, 'prefix' | 'name'>): string {
  return `/api/${call.prefix}/${call.name}`;
}

/** `BANKING:deposit-create` (NET-3). */
export function socketEventOf(call: Pick<CallDefinition, 'prefix' | 'name'>): string {
  return `${call.prefix}:${call.name}`;
}
