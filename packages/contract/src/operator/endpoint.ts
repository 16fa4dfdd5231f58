/**
 * What an endpoint of the operator API is. Every endpoint is one object made by {@link defineEndpoint}; the server's routes, the command
 * line's checks and the OpenAPI page are derived from these objects (SRV-1).
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
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below `/operator/v1`, with its parameters in braces: `/users/{userId}/balances`. */
  readonly path: string;
  /** One line for the reference page. */
  readonly summary: string;
  readonly params: Params;
  /** Of lists and searches. Absent: the endpoint does not read its query. */
  readonly query: Query | undefined;
  /** Of a POST or PUT. Absent: the endpoint takes no body. */
  readonly body: Body | undefined;
  readonly response: Response;
  /** Errors that belong to this endpoint, by HTTP status. The general ones (`generalErrors`) can always come. */
  readonly errors: Readonly<Partial<Record<404 | 409 | 422, string>>>;
  /** The largest body in bytes, where it is more than other endpoints take. */
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

/** Declares an endpoint. Defaults: no parameters, no query, no body, no errors but the general ones. */
/* @__NO_SIDE_EFFECTS__ */
export function defineEndpoint<
  Response extends v.GenericSchema,
  Params extends v.GenericSchema = NoFields,
  Query extends v.GenericSchema = NoFields,
  Body extends v.GenericSchema = NoFields,
>(options: Options<Params, Query, Body, Response>): Endpoint<Params, Query, Body, Response> {
  const { params, query, body, errors = {}, ...more } = options;
  return {
    // A default type parameter is what TypeScript infers where the option is absent.
    params: params ?? (noFields as unknown as Params),
    query,
    body,
    errors,
    ...more,
  };
}

/** First part of every address of the operator API. */
export const operatorApiPrefix = '/operator/v1';
