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
import { docOf } from './contract-docs.ts';
import { failure } from './failures.ts';
import { jsonContent, namedSchemas, requestSchema, responseSchema } from './json-schema.ts';
import { operatorPaths, operatorTags, operatorWebhooks } from './operator-paths.ts';
import { parametersOf } from './parameters.ts';
import { info } from './product.ts';

export function openApi(): object {
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      license: { ...info.license, identifier: 'Apache-2.0' },
      description:
        'The calls of the widget (the same go over the socket: see asyncapi.json), and the API for the backends of operators. ' +
        'An amount is a decimal string, and its currency is beside it. A time is ISO 8601 in UTC. ' +
        'docs/errors/README.md has a section for each error code.',
    },
    servers: [{ url: 'http://localhost:3000', description: 'npm start' }],
    security: [{ userToken: [] }],
    tags: [...widgetTags, ...operatorTags],
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
          content: jsonContent(requestSchema(callContextSchema, docOf('api/call-context.ts', 'callContextSchema'))),
        },
      },
      headers: {
        serverTime: {
          description: 'The clock of the server, in milliseconds since 1970.',
          schema: { type: 'integer', examples: [1769854500000] },
        },
        retryAfter: {
          description: 'How many seconds to wait before the request is sent again.',
          schema: { type: 'integer', examples: [5] },
        },
      },
      schemas: { ...namedSchemas(), Error: responseSchema(errorBodySchema, docOf('api/error.ts', 'errorBodySchema')) },
      responses: Object.fromEntries(
        [...byStatus(generalErrors)].map(([status, codes]) => [`General${status}`, failure(status, codes)]),
      ),
    },
  };
}

const widgetTags = [
  { name: 'BANKING', description: 'The calls of the widget about payments.' },
  { name: 'METRIC_EVENTS_HANDLER', description: 'Measurements of the widget.' },
];

/** What the contract says about the parts of a call. */
export function docOfCall(call: CallDefinition) {
  return docOf('api/call-registry.ts', 'calls').fields?.[call.name]?.fields ?? {};
}

function pathItem(call: CallDefinition): object {
  const doc = docOfCall(call);
  const request = requestSchema(call.request, doc['request']);
  const parameters = [
    { $ref: '#/components/parameters/extraParams' },
    ...(call.method === 'GET' ? parametersOf(request, 'query') : []),
  ];
  return {
    [call.method.toLowerCase()]: {
      operationId: call.name,
      tags: [call.prefix],
      summary: call.summary,
      description: manners(call),
      ...(call.auth === 'none' && { security: [{}, { userToken: [] }] }),
      parameters,
      ...(call.method === 'POST' && {
        requestBody: { required: true, content: jsonContent(request) },
      }),
      responses: {
        200: {
          description: 'Done.',
          headers: { 'x-server-time': { $ref: '#/components/headers/serverTime' } },
          content: jsonContent(responseSchema(call.response, doc['response'])),
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
