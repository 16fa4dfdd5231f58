/** The parts of JSON Schema that the contract uses. The generators of the SDKs refuse every other part. */

export interface Schema {
  readonly type?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | boolean)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly format?: string;
  readonly $ref?: string;
}

export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export type Shape =
  | { readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'anything' | 'nothing' }
  | { readonly kind: 'values'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'list'; readonly items: Schema }
  | { readonly kind: 'map'; readonly values: Schema }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'union'; readonly members: readonly Schema[] }
  | { readonly kind: 'named'; readonly name: string };

/** @throws for a schema of a kind that no generator writes */
export function shapeOf(schema: Schema): Shape {
  const { type, items, properties, additionalProperties: values } = schema;
  const members = schema.oneOf ?? schema.anyOf;
  if (schema.$ref !== undefined) return { kind: 'named', name: schema.$ref.replace(/^.*\//, '') };
  if (members !== undefined) return { kind: 'union', members };
  if (schema.const !== undefined) return { kind: 'values', values: [schema.const] };
  if (schema.enum !== undefined) return { kind: 'values', values: schema.enum };
  if (type === 'array' && items !== undefined) return { kind: 'list', items };
  if (type === 'object') {
    if (properties !== undefined) return { kind: 'object', fields: fieldsOf(schema) };
    return typeof values === 'object' ? { kind: 'map', values } : { kind: 'map', values: {} };
  }
  if (type === 'null') return { kind: 'nothing' };
  if (type === 'string') return { kind: 'text' };
  if (type === 'number' || type === 'integer' || type === 'boolean') return { kind: type };
  if (type === undefined) return { kind: 'anything' };
  throw new Error(`The generators do not know this schema: ${JSON.stringify(schema).slice(0, 200)}`);
}

/** The properties of an object in their order. */
export function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, required: required.includes(name), schema }));
}
