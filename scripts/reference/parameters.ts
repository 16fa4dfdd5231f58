/** Parameters of a path or a query as OpenAPI describes them. */
import { type JsonSchema, propertiesOf } from './json-schema.ts';

/** Of every list. A query carries text, and the contract reads it as a number. */
const limit = { schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 }, example: 50 };

/** OpenAPI keeps the description and the example of a parameter beside its schema. */
export function parametersOf(schema: JsonSchema, place: 'path' | 'query'): object[] {
  return propertiesOf(schema).map(({ name, required, schema: { description, examples, ...shape } }) => ({
    name,
    in: place,
    ...((required || place === 'path') && { required: true }),
    description,
    ...(name === 'limit' ? limit : { schema: shape, ...(Array.isArray(examples) && { example: examples[0] }) }),
  }));
}
