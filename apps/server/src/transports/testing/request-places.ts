/** The places of a request that can carry a text, from the contract's schema, for tests that fill every such place. */
import type { GenericSchema } from 'valibot';

interface SchemaNode {
  readonly type: string;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly wrapped?: SchemaNode;
  readonly item?: SchemaNode;
  readonly value?: SchemaNode;
  readonly options?: readonly unknown[];
}

export type Place = readonly (string | number)[];

/** Paths of every place of a schema that may hold one of `types`. A record counts with one entry, `note`. */
export function placesOf(schema: GenericSchema, types: readonly string[] = ['string', 'picklist']): Place[] {
  return walk(schema as unknown as SchemaNode, [], new Set(types));
}

function walk(node: SchemaNode, path: Place, types: ReadonlySet<string>): Place[] {
  if (node.wrapped) return walk(node.wrapped, path, types);
  if (node.entries) return Object.entries(node.entries).flatMap(([key, entry]) => walk(entry, [...path, key], types));
  if (node.type === 'array' && node.item) return walk(node.item, [...path, 0], types);
  if (node.type === 'record' && node.value) return walk(node.value, [...path, 'note'], types);
  if (node.type === 'union') {
    const found = (node.options as SchemaNode[]).flatMap((option) => walk(option, path, types));
    return [...new Map(found.map((place) => [place.join('.'), place])).values()];
  }
  return types.has(node.type) ? [path] : [];
}

/** The request with a value at a place. Creates missing objects on the way. */
export function withValue(request: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(request) ? [...request] : [];
    list[step] = withValue(list[step], rest, value);
    return list;
  }
  const record = typeof request === 'object' && request !== null ? (request as Record<string, unknown>) : {};
  return { ...record, [step]: withValue(record[step], rest, value) };
}
