import { calls, errorCodes } from '@opencashier/contract/api';
import { type Endpoint, operatorEndpoints, webhookEvents } from '@opencashier/contract/operator';
import { expect, test } from 'vitest';
import { asyncApi } from './asyncapi.ts';
import { gapsOf } from './describe.ts';
import { contentsOf, type Json, nodesOf } from './document-nodes.fixture.ts';
import { errorsPage } from './errors-page.ts';
import { codesIn } from './failures.ts';
import { openApi } from './openapi.ts';

/** As in the file: without keys whose value is undefined. */
const openapi = JSON.parse(JSON.stringify(openApi())) as Json;
const asyncapi = JSON.parse(JSON.stringify(asyncApi())) as Json;

/** Contents of bodies and answers. */
const contents = contentsOf(openapi);

const operations = ['paths', 'webhooks'].flatMap((part) =>
  Object.entries(openapi[part] ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  ),
);

test('every field of the OpenAPI document has a description and an example', () => {
  const schemas = Object.entries(openapi['components']?.['schemas'] ?? {});
  const gaps = [
    ...schemas.flatMap(([name, schema]) => gapsOf(schema, name)),
    ...contents.flatMap(([place, content]) => gapsOf(content['schema'], place)),
  ];
  expect(contents.length).toBeGreaterThan(200);
  expect(gaps, 'Write a comment over the field in packages/contract: see CONTRIBUTING.md').toEqual([]);
});

test.each([
  ['reviewId', 'The id of the review.', true],
  ['id', 'The id of the bonus.', true],
  ['name', 'The name of the group.', true],
  ['name', 'The name of the file, for your records.', false],
  ['lines', 'The number of lines.', true],
  ['because', 'Why.', true],
  ['currency', 'A currency code.', true],
  ['currency', 'The currency in which the user deposits.', false],
  ['reason', 'Why staff must decide.', false],
])('a description that only repeats the name of %s is a gap: %s', (name, description, isGap) => {
  const field = { type: 'string', description, examples: ['x'] };
  const gaps = gapsOf({ type: 'object', properties: { [name]: field } }, 'Some');
  expect(gaps).toEqual(isGap ? [`Some.${name}: only repeats its name: ${description}`] : []);
});

test('a long schema stands once, and the others refer to it', () => {
  const longest = 1_400;
  const places = new Map<string, string[]>();
  for (const [place, node] of nodesOf(openapi, '')) {
    const isSchema = ['type', 'anyOf', 'oneOf'].some((kind) => node[kind] !== undefined);
    const text = JSON.stringify(node);
    if (isSchema && text.length > longest) places.set(text, [...(places.get(text) ?? []), place]);
  }
  const repeated = [...places.values()].filter((found) => found.length > 1);
  // Two schemas of a field of a form: an operator may write no further fields, and a later version may send some.
  const known = (found: string[]) =>
    found.every((place) => /\/(?:FormField|CatalogueField)\/properties(?:\/props)?$/.test(place));
  expect(
    repeated.filter((found) => !known(found)),
    'Name it in json-schema.ts',
  ).toEqual([]);
});

test('an event that shares its schema with others has the status of its own in its example', () => {
  const statusOf = (type: string) =>
    openapi['webhooks']?.[type]?.['post']?.['requestBody']?.['content']?.['application/json']?.['example']?.['data']?.[
      'status'
    ];
  expect(['withdrawal.held', 'withdrawal.processed', 'deposit.declined'].map(statusOf)).toEqual([
    'waiting',
    'processed',
    'failed',
  ]);
});

test('every parameter has a description and an example', () => {
  const gaps = operations.flatMap(([name, { parameters = [] }]) =>
    (parameters as unknown as Json[]).flatMap((one) => {
      const isWhole = one['$ref'] !== undefined || (one['description'] !== undefined && one['example'] !== undefined);
      return isWhole ? [] : [`${name} ${one['name']}`];
    }),
  );
  expect(gaps).toEqual([]);
});

test('every operation has a tag, a summary, and an example of its body and its answer', () => {
  const tags = (openapi['tags'] as unknown as Json[]).map(({ name }) => name);
  for (const [name, operation] of operations) {
    expect(tags, name).toEqual(expect.arrayContaining(operation['tags'] as unknown as Json[]));
    expect(operation['summary'], name).toMatch(/^[A-Z].*\.$/);
  }
  const gaps = contents.filter(([, { example, examples }]) => example === undefined && examples === undefined);
  expect(gaps.map(([place]) => place)).toEqual([]);
});

test('the OpenAPI document has every endpoint, call and webhook', () => {
  const endpoints = Object.values(operatorEndpoints).flatMap((part) => Object.values(part));
  expect(operations).toHaveLength(endpoints.length + Object.keys(calls).length + Object.keys(webhookEvents).length);
  expect(Object.keys(openapi['webhooks'] ?? {})).toEqual(Object.keys(webhookEvents));
});

test('every field of the AsyncAPI document has a description and an example', () => {
  const messages = Object.entries(asyncapi['channels']?.['socket']?.['messages'] ?? {});
  expect(messages.length).toBeGreaterThan(60);
  expect(messages.flatMap(([name, { payload }]) => gapsOf(payload, name))).toEqual([]);
});

test('the page of errors begins with a table of all codes: status, cause, remedy and who acts', () => {
  const rows = errorsPage()
    .split('\n')
    .filter((line) => /^\| \[`/.test(line))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
  expect(rows.map(([code]) => /`(.*)`/.exec(code ?? '')?.[1])).toEqual(Object.keys(errorCodes));
  for (const row of rows) {
    expect(row).toHaveLength(5);
    expect(row[1]).toMatch(/^[45]\d\d$/);
    for (const sentence of row.slice(2, 4)) expect(sentence).toMatch(/\.$/);
  }
});

test('every error of an endpoint names a code, and the page of errors has each code with an entry', () => {
  const page = errorsPage();
  for (const code of Object.keys(errorCodes)) expect(page).toContain(`\n## ${code}\n`);
  for (const { id, errors } of Object.values(operatorEndpoints).flatMap((part): Endpoint[] => Object.values(part))) {
    for (const [status, words] of Object.entries(errors)) {
      const codes = codesIn(words);
      expect(codes, `${id} ${status}`).not.toEqual([]);
      for (const code of codes) expect(errorCodes[code].status, `${id} ${code}`).toBe(Number(status));
    }
  }
});
