/** Finds fields that the contract does not know: a misspelt field must be refused, not silently dropped. */
import type { GenericSchema } from 'valibot';

interface SchemaNode {
  readonly type: string;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly wrapped?: SchemaNode;
}

/** Path of the first unknown field, such as `metadata.colour`; `undefined` when there is none. */
export function unknownField(schema: GenericSchema, value: unknown): string | undefined {
  return find(schema as unknown as SchemaNode, value, '');
}

function find(schema: SchemaNode, value: unknown, path: string): string | undefined {
  if (schema.wrapped) return find(schema.wrapped, value, path);
  if (schema.type !== 'object' || !schema.entries || typeof value !== 'object' || value === null) return undefined;
  for (const key of Object.keys(value)) {
    const place = path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(schema.entries, key)) return place.slice(0, 100);
    const entry = schema.entries[key];
    const found = entry && find(entry, (value as Record<string, unknown>)[key], place);
    if (found !== undefined) return found;
  }
  return undefined;
}
