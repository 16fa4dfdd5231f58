/**
 * What readers of the documents in docs/reference rely on. `npm run docs -- --check` compares these files with what would be written now.
 * They are named here, so that the check of a change elsewhere does not parse them again.
 */
import { Parser } from '@asyncapi/parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import asyncapi from '../../docs/reference/asyncapi.json?raw';
import openapiText from '../../docs/reference/openapi.json?raw';
import { contentsOf, type Json, nodesOf } from './document-nodes.fixture.ts';

const openapi = JSON.parse(openapiText) as Json;

test('every example is valid by its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'document', components: openapi['components'] });
  const compiled = new Map<string, ValidateFunction>();
  const compile = (schema: Json | undefined): ValidateFunction => {
    // A reference inside the document needs the document around it.
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate;
  };
  let checked = 0;
  const wrong: string[] = [];
  const check = (place: string, schema: Json | undefined, value: unknown): void => {
    const validate = compile(schema);
    checked += 1;
    if (!validate(value)) wrong.push(`${place}: ${JSON.stringify(value)} ${ajv.errorsText(validate.errors)}`);
  };
  const contents = contentsOf(openapi);
  for (const [place, { schema, example, examples }] of contents) {
    if (example !== undefined) check(place, schema, example);
    for (const [name, one] of Object.entries(examples ?? {})) check(`${place}/${name}`, schema, one['value']);
  }
  const parts = [
    ...nodesOf(openapi['components']?.['schemas'], ''),
    ...contents.flatMap(([place, content]) => [...nodesOf(content['schema'], place)]),
  ];
  for (const [place, schema] of parts) {
    if (Array.isArray(schema['examples']) && schema['type'] !== undefined) check(place, schema, schema['examples'][0]);
  }
  expect(checked).toBeGreaterThan(1_000);
  expect(wrong).toEqual([]);
});

test('the OpenAPI document is valid by the schema of OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(openapiText));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test('[NET-3] [NET-4] the AsyncAPI document parses without an error or a warning', async () => {
  const diagnostics = await new Parser().validate(asyncapi);
  expect(
    diagnostics.filter(({ severity }) => severity <= 1).map(({ message, path }) => `${path.join('.')}: ${message}`),
  ).toEqual([]);
});
