/** One operation of the API for the backends of operators, as the OpenAPI page writes it. */
import type { GenericSchema } from 'valibot';
import { requestSchema, responseSchema } from './json-schema.ts';

interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly parameters?: readonly object[];
  readonly body?: GenericSchema;
  readonly response: GenericSchema;
  /** Of this operation alone, by status. */
  readonly errors?: Readonly<Record<number, string>>;
}

/** Of every list. */
export const pageParameters = [
  { name: 'cursor', in: 'query', description: 'The `nextCursor` of a page.', schema: { type: 'string' } },
  { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
];

export function operation({ id, summary, parameters = [], body, response, errors = {} }: Operation): object {
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
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
        ]),
      ),
    },
  };
}
