/** Serves the endpoints of the operator API as the contract declares them (SRV-1). */
import type { ServerResponse } from 'node:http';
import type { Endpoint } from '@opencashier/contract/operator';
import type { FastifyInstance } from 'fastify';
import type * as v from 'valibot';
import { readRequest } from '../requests/invalid-request.ts';

/** A request, with the values that the schemas of its endpoint read. */
interface ReadRequest<One extends Endpoint> {
  /** The authenticated operator. */
  readonly operatorId: string;
  /** The API key that sent the request. Absent where keys have no ids. */
  readonly keyId?: string | undefined;
  readonly params: v.InferOutput<One['params']>;
  /** Undefined where the endpoint reads no query. */
  readonly query: v.InferOutput<NonNullable<One['query']>>;
  /** Undefined where the endpoint takes no body. */
  readonly body: v.InferOutput<NonNullable<One['body']>>;
  /** Aborted when the caller disconnects before its answer. For handlers that wait. */
  readonly callerGone: () => AbortSignal;
}

/** @throws DomainError with a code that the endpoint's errors or the general ones name */
export type Handler<One extends Endpoint> = (
  request: ReadRequest<One>,
) => Promise<v.InferInput<One['response']>> | v.InferInput<One['response']>;

/** One handler for each endpoint of a folder. A missing or an extra handler does not compile. */
export type Handlers<Endpoints extends Readonly<Record<string, Endpoint>>> = {
  readonly [Name in keyof Endpoints]: Handler<Endpoints[Name]>;
};

/** @param scope its requests are authenticated and have an `operatorId` */
export function registerEndpoints<Endpoints extends Readonly<Record<string, Endpoint>>>(
  scope: FastifyInstance,
  endpoints: Endpoints,
  handlers: Handlers<Endpoints>,
): void {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    // `Handlers` pairs each endpoint with its handler. TypeScript loses the pairing in a loop, so this cast restores it.
    registerEndpoint(scope, endpoint, handlers[name] as unknown as Handler<Endpoint>);
  }
}

function registerEndpoint(
  scope: FastifyInstance,
  { method, path, params, query, body, bodyLimitBytes }: Endpoint,
  handler: Handler<Endpoint>,
): void {
  scope.route({
    method,
    url: routeOf(path),
    ...(bodyLimitBytes !== undefined && { bodyLimit: bodyLimitBytes }),
    async handler(request, reply) {
      const answer = await handler({
        operatorId: request.operatorId ?? '',
        keyId: request.keyId,
        params: readRequest(params, request.params),
        // An added parameter, such as one of a proxy, is no reason to refuse a request that has no query of its own.
        query: query === undefined ? undefined : readRequest(query, request.query),
        body: body === undefined ? undefined : readRequest(body, request.body),
        callerGone: () => abortedWith(reply.raw),
      });
      // Answers contain balances and ids of users, so no cache may store them.
      return reply.header('cache-control', 'no-store').send(answer);
    },
  });
}

function abortedWith(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else response.once('close', () => gone.abort());
  return gone.signal;
}

/** The path in Fastify's notation: `/users/:userId/balances`. */
export function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
