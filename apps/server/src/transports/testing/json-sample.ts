/** Valid values of a JSON schema, and the paths of their texts and numbers, for tests that put other values there. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Place } from './request-places.ts';

export interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
}

/** A valid value of the schema: always the same, except for ids. */
export function sampleOf(schema: JsonSchema): unknown {
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice !== undefined) return sampleOf(choice);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'object') {
    const known = Object.entries(schema.properties ?? {}).map(([name, one]) => [name, sampleOf(one)] as const);
    const { additionalProperties: more, propertyNames } = schema;
    if (typeof more !== 'object') return Object.fromEntries(known);
    return Object.fromEntries([...known, [String(sampleOf(propertyNames ?? { type: 'string' })), sampleOf(more)]]);
  }
  if (schema.type === 'array') return [sampleOf(schema.items ?? {})];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(schema.minimum ?? 1, 1);
  return textOf(schema);
}

function textOf({ format, pattern }: JsonSchema): string {
  if (format === 'uuid') return randomUUID();
  if (format === 'date-time') return '2026-01-01T00:00:00.000Z';
  if (pattern === undefined) return 'x';
  return fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 1 })[0] ?? '';
}

/** A part of an OpenAPI page with its named schemas in the places of their references. No schema of the page contains itself. */
export function withoutReferences(part: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(part)) return part.map((item) => withoutReferences(item, schemas));
  if (typeof part !== 'object' || part === null) return part;
  const name = '$ref' in part && String(part.$ref).match(/^#\/components\/schemas\/(\w+)$/)?.[1];
  if (name) return withoutReferences(schemas[name], schemas);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutReferences(value, schemas)]));
}

/** Paths of all texts, or of all numbers, in a value. */
export function placesIn(value: unknown, type: 'string' | 'number', path: Place = []): Place[] {
  if (typeof value === type) return [path];
  if (typeof value !== 'object' || value === null) return [];
  const steps = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return steps.flatMap(([step, item]) => placesIn(item, type, [...path, step]));
}
