/** The calls over HTTP as OpenAPI 3.1 (NET-2). */
import {
  type CallDefinition,
  callContextSchema,
  calls,
  type ErrorCode,
  errorBodySchema,
  errorCodes,
  extraParamsHeader,
  generalErrors,
  httpPathOf,
} from '@opencashier/contract/api';
import { namedSchemas, propertiesOf, requestSchema, responseSchema } from './json-schema.ts';
import { operatorPaths, operatorWebhooks } from './operator-paths.ts';
import { info } from './product.ts';

export function openApi(): object {
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      description:
        'The calls of the widget (the same go over the socket: see asyncapi.json), and the API for the backends of operators.',
    },
    servers: [{ url: 'http://localhost:3000', description: 'npm start' }],
    security: [{ userToken: [] }],
    tags: [...new Set(Object.values(calls).map(({ prefix }) => prefix)), 'operator'].map((name) => ({ name })),
    paths: {
      ...Object.fromEntries(Object.values(calls).map((call) => [httpPathOf(call), pathItem(call)])),
      ...operatorPaths(),
    },
    webhooks: operatorWebhooks(),
    components: {
      securitySchemes: {
        operatorKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The secret key of an operator. It stays in the backend: a browser must never see it.',
        },
        userToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A user token that the backend of the operator has asked for; it lives at most 15 minutes.',
        },
      },
      parameters: {
        extraParams: {
          name: extraParamsHeader,
          in: 'header',
          required: false,
          description: 'Who calls, from where and with what: this object as JSON, percent-encoded.',
          content: { 'application/json': { schema: requestSchema(callContextSchema) } },
        },
      },
      headers: {
        serverTime: { description: 'The clock of the server, ms since 1970.', schema: { type: 'integer' } },
        retryAfter: { description: 'Seconds.', schema: { type: 'integer' } },
      },
      schemas: { ...namedSchemas(), Error: responseSchema(errorBodySchema) },
      responses: Object.fromEntries(
        [...byStatus(generalErrors)].map(([status, codes]) => [`General${status}`, failure(status, codes)]),
      ),
    },
  };
}

function pathItem(call: CallDefinition): object {
  const request = requestSchema(call.request);
  const parameters: object[] = [{ $ref: '#/components/parameters/extraParams' }];
  if (call.method === 'GET') {
    for (const { name, required, schema } of propertiesOf(request))
      parameters.push({ name, in: 'query', required, schema });
  }
  return {
    [call.method.toLowerCase()]: {
      operationId: call.name,
      tags: [call.prefix],
      summary: call.summary,
      description: manners(call),
      ...(call.auth === 'none' && { security: [{}, { userToken: [] }] }),
      parameters,
      ...(call.method === 'POST' && {
        requestBody: { required: true, content: { 'application/json': { schema: request } } },
      }),
      responses: {
        200: {
          description: 'Done.',
          headers: { 'x-server-time': { $ref: '#/components/headers/serverTime' } },
          content: { 'application/json': { schema: responseSchema(call.response) } },
        },
        ...failures(call),
      },
    },
  };
}

/** How a client may repeat the call, in words. */
export function manners(call: CallDefinition): string {
  const repeat = call.retry
    ? 'A client may repeat it by itself on a network error.'
    : 'A client does not repeat it by itself.';
  const { idempotency } = call;
  if (idempotency.kind === 'read') return `Reads only. ${repeat}`;
  if (idempotency.kind === 'natural') return `Carried out twice it ends in the same state. ${repeat}`;
  return `Carried out once per \`${idempotency.field}\`: a repeat answers the same, another body under it is refused. ${repeat}`;
}

/** Errors of the call by status; a status with none but the general ones is described once for all calls. */
function failures(call: CallDefinition): Record<number, object> {
  const codes = new Set([...call.errors, ...generalErrors]);
  if (call.auth === 'none') for (const code of ['unauthorized', 'token-expired'] as const) codes.delete(code);
  const general = byStatus(generalErrors);
  return Object.fromEntries(
    [...byStatus([...codes])].map(([status, found]) => [
      status,
      found.join() === general.get(status)?.join()
        ? { $ref: `#/components/responses/General${status}` }
        : failure(status, found),
    ]),
  );
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCodes[code];
    found.set(status, [...(found.get(status) ?? []), code]);
  }
  return found;
}

function failure(status: number, codes: readonly ErrorCode[]): object {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join('\n\n'),
    ...((status === 429 || status === 503) && {
      headers: { 'retry-after': { $ref: '#/components/headers/retryAfter' } },
    }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}
