/**
 * The type of an endpoint of the operator API (SRV-1). {@link defineEndpoint} makes one object for every endpoint. The server's routes,
 * the checks of the command line and the OpenAPI page are derived from these objects.
 */
import * as v from 'valibot';

/** No path parameters, or an empty query or body. */
export const noFields = v.strictObject({});

export interface Endpoint<
  Params extends v.GenericSchema = v.GenericSchema,
  Query extends v.GenericSchema = v.GenericSchema,
  Body extends v.GenericSchema = v.GenericSchema,
  Response extends v.GenericSchema = v.GenericSchema,
> {
  /** The name in the OpenAPI page: `refund-deposit`. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below `/operator/v1`, with its parameters in braces: `/users/{userId}/balances`. */
  readonly path: string;
  /** One line for the reference page. */
  readonly summary: string;
  readonly params: Params;
  /** Of lists and searches. Absent: the endpoint does not read its query. */
  readonly query: Query | undefined;
  /** Only POST, PUT and PATCH requests have one. Absent: the endpoint takes no body. */
  readonly body: Body | undefined;
  readonly response: Response;
  /** Errors of this endpoint alone, by HTTP status. Every endpoint can also answer the general ones (`generalErrors`). */
  readonly errors: Readonly<Partial<Record<404 | 409 | 422, string>>>;
  /** The largest body in bytes. Absent: the same as for other endpoints. */
  readonly bodyLimitBytes?: number;
}

type NoFields = typeof noFields;

type Options<
  Params extends v.GenericSchema,
  Query extends v.GenericSchema,
  Body extends v.GenericSchema,
  Response extends v.GenericSchema,
> = Pick<Endpoint<Params, Query, Body, Response>, 'id' | 'method' | 'path' | 'summary' | 'response'> &
  Partial<Pick<Endpoint<Params, Query, Body, Response>, 'params' | 'query' | 'body' | 'errors' | 'bodyLimitBytes'>>;

/** Declares an endpoint. Defaults: no parameters, no query, no body, only the general errors. */
/* @__NO_SIDE_EFFECTS__ */
export function defineEndpoint<
  Response extends v.GenericSchema,
  Params extends v.GenericSchema = NoFields,
  Query extends v.GenericSchema = NoFields,
  Body extends v.GenericSchema = NoFields,
>(options: Options<Params, Query, Body, Response>): Endpoint<Params, Query, Body, Response> {
  const { params, query, body, errors = {}, ...more } = options;
  return {
    // The casts are right: TypeScript infers the default type, NoFields, when the option is absent.
    params: params ?? (noFields as unknown as Params),
    query,
    body,
    errors,
    ...more,
  };
}

/** First part of every address of the operator API. */
export const operatorApiPrefix = '/operator/v1';
