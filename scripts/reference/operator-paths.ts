/** The API for the backends of operators, for the OpenAPI page (SRV-1). */
import type { GenericSchema } from 'valibot';
import {
  balancesResponseSchema,
  bonusesResponseSchema,
  transactionPageSchema,
  userTokenRequestSchema,
  userTokenResponseSchema,
} from '../../apps/server/src/operators/operator-schemas.ts';
import { requestSchema, responseSchema } from './json-schema.ts';

interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly parameters?: readonly object[];
  readonly body?: GenericSchema;
  readonly response: GenericSchema;
}

export function operatorPaths(): Record<string, object> {
  return {
    '/operator/v1/user-tokens': {
      post: operation({
        id: 'create-user-token',
        summary: 'A token for one user, to hand to the widget; it lives at most 15 minutes.',
        body: userTokenRequestSchema,
        response: userTokenResponseSchema,
      }),
    },
    '/operator/v1/users/{userId}/balances': {
      get: operation({
        id: 'read-balances',
        summary: 'What the ledger holds for a user.',
        parameters: [{ name: 'userId', in: 'path', required: true, schema: { type: 'string' } }],
        response: balancesResponseSchema,
      }),
    },
    '/operator/v1/users/{userId}/bonuses': {
      get: operation({
        id: 'read-bonuses',
        summary: 'What a user can have now; the host hands it to the widget.',
        parameters: [
          { name: 'userId', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'currency', in: 'query', schema: { type: 'string' } },
        ],
        response: bonusesResponseSchema,
      }),
    },
    '/operator/v1/transactions': {
      get: operation({
        id: 'list-transactions',
        summary: 'Deposits of all users, newest first, page by page.',
        parameters: [
          { name: 'cursor', in: 'query', description: 'The `nextCursor` of a page.', schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
        ],
        response: transactionPageSchema,
      }),
    },
  };
}

function operation({ id, summary, parameters = [], body, response }: Operation): object {
  return {
    operationId: id,
    tags: ['operator'],
    summary,
    security: [{ operatorKey: [] }],
    parameters,
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: requestSchema(body) } } } }),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: responseSchema(response) } } },
      ...Object.fromEntries(
        [400, 401, 413, 429, 500, 503].map((status) => [status, { $ref: `#/components/responses/General${status}` }]),
      ),
    },
  };
}
