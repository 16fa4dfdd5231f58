/**
 * What a call is. Every call of the specification is one object made by {@link defineCall}; the HTTP routes, the socket
 * events, the widget's typed client and the generated OpenAPI and AsyncAPI pages are all derived from these objects.
 */
import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { ErrorCode } from './error.ts';

/** First path segment after `/api/`, and first half of a socket event's name (NET-2, NET-3). */
export type CallPrefix = 'BANKING' | 'METRIC_EVENTS_HANDLER';

/** How a call that creates or moves money is protected against being carried out twice (SRV-6). */
export type Idempotency =
  /** Reading: repeating it changes nothing. */
  | { readonly kind: 'read' }
  /** The request names its own key: same key and same body answer the same; another body under it is refused. */
  | { readonly kind: 'key'; readonly field: 'depositId' | 'withdrawalId' }
  /** Repeating it ends in the same state, without a key. */
  | { readonly kind: 'natural' };

export interface CallDefinition<
  Request extends GenericSchema = GenericSchema,
  Response extends GenericSchema = GenericSchema,
> {
  /** The path after the prefix, which is also the name people use for the call: `deposit-create`. */
  readonly name: string;
  readonly prefix: CallPrefix;
  /** On HTTP. GET carries its request in the query string, so a GET's request holds nothing personal or secret. */
  readonly method: 'GET' | 'POST';
  /** One line for the reference pages. */
  readonly summary: string;
  readonly request: Request;
  readonly response: Response;
  /** `user`: needs a valid user token. `none`: may be called before there is one. */
  readonly auth: 'user' | 'none';
  /** Whether the client may repeat the call by itself on a network error (NET-5). */
  readonly retry: boolean;
  readonly idempotency: Idempotency;
  /** The answer is a catalogue: an item that cannot be read is skipped and reported, and the others are still shown. */
  readonly skipsOddItems: boolean;
  /** Errors that belong to this call; the general ones (`generalErrors`) can always come. */
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
 * Declares a call. Defaults: prefix `BANKING` (NET-2), a user token needed, no automatic retry, a GET reads and a POST is
 * naturally idempotent unless it says otherwise.
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
