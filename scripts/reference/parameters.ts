/** Parameters of a path or a query as OpenAPI describes them. */
import { type JsonSchema, propertiesOf } from './json-schema.ts';

/** OpenAPI keeps the description and the example of a parameter beside its schema. */
export function parametersOf(schema: JsonSchema, place: 'path' | 'query'): object[] {
  return propertiesOf(schema).map(({ name, required, schema: { description, examples, ...shape } }) => ({
    name,
    in: place,
    ...((required || place === 'path') && { required: true }),
    description,
    schema: shape,
    ...(Array.isArray(examples) && { example: examples[0] }),
  }));
}
