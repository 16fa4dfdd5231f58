/** The operator API and its webhooks as OpenAPI 3.1, from the endpoints and events of the contract (SRV-1, SRV-5). */
import {
  type Endpoint,
  operatorApiPrefix,
  operatorEndpoints,
  type WebhookType,
  webhookEvents,
  webhookSchemaOf,
  webhookVersion,
} from '@opencashier/contract/operator';
import { type JsonSchema, propertiesOf, requestSchema, responseSchema } from './json-schema.ts';

/** Every endpoint by its path. */
export function operatorPaths(): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of Object.values(operatorEndpoints).flatMap((part): Endpoint[] => Object.values(part))) {
    const path = `${operatorApiPrefix}${endpoint.path}`;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return paths;
}

/** Every webhook by its type: the request that the cashier makes to the operator's backend. */
export function operatorWebhooks(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([type, { meaning }]) => [
      type,
      {
        post: {
          operationId: type,
          tags: ['operator'],
          summary: meaning,
          security: [],
          'x-version': webhookVersion,
          parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
            name,
            in: 'header',
            required: true,
            schema: { type: 'string' },
          })),
          requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type as WebhookType) } } },
          responses: { '2XX': { description: 'Taken. After any other answer the cashier sends it again later.' } },
        },
      },
    ]),
  );
}

function bodyOf(type: WebhookType): JsonSchema {
  return responseSchema(webhookSchemaOf(type));
}

function operation({ id, summary, params, query, body, response, errors }: Endpoint): object {
  return {
    operationId: id,
    tags: ['operator'],
    summary,
    security: [{ operatorKey: [] }],
    parameters: [
      ...propertiesOf(requestSchema(params)).map(({ name, schema }) => ({ name, in: 'path', required: true, schema })),
      ...(query === undefined ? [] : propertiesOf(requestSchema(query)).map(queryParameter)),
    ],
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: requestSchema(body) } } } }),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: responseSchema(response) } } },
      ...Object.fromEntries(
        [400, 401, 413, 429, 500, 503].map((status) => [status, { $ref: `#/components/responses/General${status}` }]),
      ),
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        ]),
      ),
    },
  };
}

/** Of every list. On the wire both are text, as all that a query carries. */
const PAGING: Readonly<Record<string, object>> = {
  cursor: { description: 'The `nextCursor` of a page.', schema: { type: 'string' } },
  limit: { schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
};

function queryParameter({ name, required, schema }: ReturnType<typeof propertiesOf>[number]): object {
  const paging = PAGING[name];
  if (paging !== undefined) return { name, in: 'query', ...paging };
  const { description, ...shape } = schema;
  return {
    name,
    in: 'query',
    ...(required && { required }),
    ...(description !== undefined && { description }),
    schema: shape,
  };
}
