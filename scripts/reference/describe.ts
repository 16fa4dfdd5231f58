/** Adds the descriptions and examples of the contract's comments to generated JSON Schemas. */
import * as api from '@opencashier/contract/api';
import * as operator from '@opencashier/contract/operator';
import type { Doc } from './contract-docs.ts';
import { isEmptyDescription } from './empty-words.ts';

export type JsonSchema = Record<string, unknown>;

/** The parts that several schemas refer to, by their name. */
export type Components = Readonly<Record<string, JsonSchema>>;

const exported: Readonly<Record<string, unknown>> = { ...api, ...operator };

/** A schema with a description and an example for each of its fields, as far as the comments have them. */
export function described(schema: JsonSchema, doc: Doc): JsonSchema {
  const words = schema['description'] ?? doc.words;
  const withParts = {
    ...schema,
    ...(words !== undefined && { description: words }),
    ...(doc.values !== undefined && schema['type'] !== undefined && { enum: valuesOf(doc.values) }),
    ...partsOf(schema, doc),
  };
  const example = doc.example ?? ownExample(withParts, doc);
  return example === undefined ? withParts : { ...withParts, examples: [example] };
}

/** The parts of a schema, each described by its own comment. */
function partsOf(schema: JsonSchema, doc: Doc): JsonSchema {
  const parts: JsonSchema = {};
  const { properties, items, additionalProperties } = schema;
  if (isSchema(properties)) {
    parts['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, described(one as JsonSchema, doc.fields?.[name] ?? {})]),
    );
  }
  if (isSchema(items)) parts['items'] = described(items, doc.item ?? {});
  if (isSchema(additionalProperties)) parts['additionalProperties'] = described(additionalProperties, doc.value ?? {});
  for (const kind of ['anyOf', 'oneOf']) {
    const choices = schema[kind];
    if (!Array.isArray(choices)) continue;
    // A nullable schema is a choice, too. Its document has no options of its own, and its words stand beside the choice.
    const { words: _words, example: _example, ...inner } = doc;
    parts[kind] = choices.map((one, n) =>
      one.type === 'null' ? one : described(one, doc.options?.[n] ?? (doc.options ? {} : inner)),
    );
  }
  return parts;
}

/** The example of a schema without fields. An object needs none, because its fields have theirs. */
function ownExample(schema: JsonSchema, doc: Doc): unknown {
  if (isSchema(schema['additionalProperties'])) {
    const value = exampleOf(schema['additionalProperties'], {});
    const key = doc.key?.example;
    return typeof key === 'string' && value !== undefined ? { [key]: value } : undefined;
  }
  if (isSchema(schema['items'])) {
    const item = isSchema(schema['items']['properties']) ? undefined : exampleOf(schema['items'], {});
    return item === undefined ? undefined : [item];
  }
  if (isSchema(schema['properties']) || Array.isArray(schema['anyOf']) || Array.isArray(schema['oneOf']))
    return undefined;
  return simpleExample(schema);
}

/** An example of a schema whose values are known or have no digits to get wrong. */
function simpleExample(schema: JsonSchema): unknown {
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  return schema['default'] ?? (schema['type'] === 'boolean' ? true : undefined);
}

/**
 * An example of a whole message: its required fields, or the example of its comment.
 *
 * @returns undefined when a required part has no example
 */
export function exampleOf(schema: JsonSchema, components: Components): unknown {
  const [first] = Array.isArray(schema['examples']) ? schema['examples'] : [];
  if (first !== undefined) return first;
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    const component = components[$ref.slice($ref.lastIndexOf('/') + 1)];
    return component === undefined ? undefined : exampleOf(component, components);
  }
  const choices = (schema['oneOf'] ?? schema['anyOf']) as JsonSchema[] | undefined;
  if (choices !== undefined) return exampleOf(choices[0] ?? {}, components);
  if (isSchema(schema['items'])) {
    const item = exampleOf(schema['items'], components);
    return item === undefined ? undefined : [item];
  }
  if (isSchema(schema['properties'])) return exampleOfFields(schema, schema['properties'], components);
  return simpleExample(schema);
}

function exampleOfFields(schema: JsonSchema, properties: JsonSchema, components: Components): unknown {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const fields = required.map((name) => [name, exampleOf(properties[name] as JsonSchema, components)]);
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields);
}

/** Every allowed value: a list in JSON, or a list or a table of the contract by its name. */
function valuesOf(name: string): readonly unknown[] {
  const values = name.startsWith('[') ? JSON.parse(name) : exported[name];
  if (Array.isArray(values)) return values;
  if (typeof values !== 'object' || values === null)
    throw new Error(`@values names ${name}, which is no list of values.`);
  const numbers = Object.values(values).filter((value) => typeof value === 'number');
  return numbers.length > 0 ? numbers : Object.keys(values);
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of fields that lack a description with words of its own or an example, by their place in the document. */
export function gapsOf(schema: unknown, place: string): string[] {
  if (!isSchema(schema)) return [];
  const gaps = (['anyOf', 'oneOf'] as const).flatMap((kind) =>
    Array.isArray(schema[kind]) ? schema[kind].flatMap((one) => gapsOf(one, place)) : [],
  );
  gaps.push(...gapsOf(schema['items'], `${place}[]`), ...gapsOf(schema['additionalProperties'], `${place}.*`));
  if (!isSchema(schema['properties'])) return gaps;
  for (const [name, field] of Object.entries(schema['properties'])) {
    const at = `${place}.${name}`;
    if (!isSchema(field)) continue;
    const words = field['description'];
    if (typeof words !== 'string') gaps.push(`${at}: no description`);
    else if (isEmptyDescription(name, words)) gaps.push(`${at}: only repeats its name: ${words}`);
    if (!hasExample(field)) gaps.push(`${at}: no example`);
    gaps.push(...gapsOf(field, at));
  }
  return gaps;
}

/** A field with parts has the examples of its parts. */
function hasExample(field: JsonSchema): boolean {
  if (Array.isArray(field['examples']) || field['$ref'] !== undefined || field['type'] === 'null') return true;
  const parts = [field['items'], field['additionalProperties'], ...[field['anyOf'] ?? field['oneOf'] ?? []].flat()];
  const schemas = parts.filter(isSchema);
  return isSchema(field['properties']) || (schemas.length > 0 && schemas.every(hasExample));
}
