/** The requests, answers and settings in the documents fit the reference and the readers of the server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bonusAnswerSchema,
  bonusQuestionSchema,
  settlementMappingSchema,
  walletAnswerSchema,
  walletCallSchema,
} from '@opencashier/contract/operator';
import { readManifest } from '@opencashier/provider-kit';
import Ajv2020 from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readCryptoSettings } from '../../apps/server/src/providers/crypto/crypto-settings.ts';
import { readRateTable } from '../../apps/server/src/rates/rate-table.ts';
import { codeIn, documentsWithCode, type Fence, root } from './fences.ts';

type Json = { readonly [name: string]: Json };

/** A request or an answer as a document has it. */
interface Message {
  readonly place: string;
  /** Such as `POST /operator/v1/reviews`; of an answer that of its request. */
  readonly operation: string;
  /** Of an answer. */
  readonly status?: string;
  readonly body: string;
}

const openapi = JSON.parse(readFileSync(join(root, 'docs/reference/openapi.json'), 'utf8')) as Json;
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: 'document', components: openapi['components'] });
const operations = Object.entries(openapi['paths'] ?? {}).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** The operation of an address such as `POST https://pay.example.com/operator/v1/reviews/x/resolve`. */
function operationOf(wanted: string): Json | undefined {
  const [method, address = ''] = wanted.split(' ');
  const path = address.replace(/^https?:\/\/[^/]+/, '').replace(/\?.*$/, '');
  return operations.find(
    (one) => one.method === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )?.operation;
}

/** A document shortens ids (`9f0c…`), lists (`[…]`) and objects (`, … }`). Ids become whole ones. */
function readBody(text: string): { value: unknown; isPart: boolean } {
  const isPart = /, … ?\}|\[…\]/.test(text);
  const whole = text
    .replaceAll(/, … ?\}/g, ' }')
    .replaceAll('[…]', '[]')
    .replaceAll(/([0-9a-f]{4})…/g, '$10000-0000-4000-8000-000000000000');
  return { value: JSON.parse(whole), isPart };
}

/** @returns what the schema says about a body; of a part only what is wrong, not what is left out */
function complaints(schema: Json | undefined, text: string): string[] {
  if (schema === undefined) return ['the reference has no such body'];
  const { value, isPart } = readBody(text);
  const whole = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
  const validate = ajv.compile(JSON.parse(whole));
  validate(value);
  const ofParts = ['required', 'anyOf', 'oneOf'];
  return [
    ...(validate.errors ?? []).filter(({ keyword }) => !isPart || !ofParts.includes(keyword)),
    ...unknownFields(schema, value),
  ].map((problem) => (typeof problem === 'string' ? problem : `${problem.instancePath} ${problem.message}`));
}

/** Answers may get fields later, so the reference allows others. A document names only those of today. */
function unknownFields(schema: Json | undefined, value: unknown, place = ''): string[] {
  const known = schema?.['$ref']
    ? openapi['components']?.['schemas']?.[String(schema['$ref']).split('/').at(-1) ?? '']
    : schema;
  if (Array.isArray(value)) return value.flatMap((item) => unknownFields(known?.['items'], item, `${place}[]`));
  const properties = known?.['properties'];
  if (typeof value !== 'object' || value === null || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, child]) =>
    name in properties ? unknownFields(properties[name], child, `${place}.${name}`) : [`${place}.${name} is unknown`],
  );
}

function messagesIn({ place, note, text }: Fence): Message[] {
  let operation = note.replace(/^answers /, '');
  return text.split(/^(?=(?:GET|POST|PUT|PATCH|DELETE) http|\d{3} )/m).map((part) => {
    const [, status] = /^(\d{3}) /.exec(part) ?? [];
    if (status === undefined) operation = /^\S+ \S+/.exec(part)?.[0] ?? '';
    const body = part.slice(part.includes('{') ? part.indexOf('{') : part.length);
    return { place, operation, body, ...(status !== undefined && { status }) };
  });
}

/** The operator's addresses that the cashier calls, with what it sends and what it accepts. */
const callsOfCashier = [
  ['cashier-wallet', walletCallSchema, walletAnswerSchema],
  ['cashier-bonuses', bonusQuestionSchema, bonusAnswerSchema],
] as const;

function problemOf({ place, operation, status, body }: Message): string[] {
  const asked = callsOfCashier.find(([path]) => operation.includes(path));
  if (asked !== undefined) {
    const { value } = readBody(body);
    const result = v.safeParse(status === undefined ? asked[1] : asked[2], value);
    return result.success ? [] : [`${place}: ${result.issues[0].message}`];
  }
  const found = operationOf(operation);
  if (found === undefined) return [`${place}: the reference has no ${operation}`];
  const container = status === undefined ? found['requestBody'] : found['responses']?.[status];
  const schema = container?.['content']?.['application/json']?.['schema'];
  return body === '' ? [] : complaints(schema, body).map((problem) => `${place}: ${problem}`);
}

test('requests and answers of the operator API and of the wallet fit the reference', () => {
  const messages = codeIn('http').flatMap(messagesIn);
  expect(messages.length).toBeGreaterThan(15);
  expect(messages.flatMap(problemOf)).toEqual([]);
});

test('calls by curl exist, and their bodies fit the reference', () => {
  const calls = codeIn('bash').flatMap(({ place, text }) =>
    [
      ...text
        .replaceAll('\\\n', ' ')
        .matchAll(/^curl (?:-X (\w+) )?(https?:\S+\/operator\/\S+)(?:.*? -d '([^']*)')?/gm),
    ].map(([, method = 'GET', address = '', body = '']) => ({ place, operation: `${method} ${address}`, body })),
  );
  expect(calls.length).toBeGreaterThan(1);
  expect(calls.flatMap(problemOf)).toEqual([]);
});

test('paths of the operator API that a sentence names exist', () => {
  const isKnown = (path: string) =>
    operations.some((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}(?:/|$)`).test(path)) ||
    operations.some((one) => one.path.startsWith(`${path}/`));
  const unknown = documentsWithCode().flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/`(?:[A-Z]+ )?(\/operator\/v1\/[^`?\s]*)[^`]*`/g)]
      .filter(([, named = '']) => !isKnown(named.replace(/\/?…?$/, '')))
      .map(([code]) => `${path}: ${code}`),
  );
  expect(unknown).toEqual([]);
});

const checkoutCom = JSON.parse(
  readFileSync(join(root, 'packages/provider-checkout-com/provider.json'), 'utf8'),
) as Json;
/** The variables that settings of chains name. */
const keysOfNodes = { CHAIN_KEY_TON: 'key', CHAIN_KEY_SIGNER: `whsec_${btoa('s'.repeat(32))}` };

/** Who reads which JSON, by what only that has. Throws or answers problems when it is wrong. */
const readers: readonly [is: (value: Json) => boolean, check: (text: string, value: Json) => readonly string[]][] = [
  [(value) => 'error' in value, (text) => complaints(schemaOf('Error'), text)],
  [
    (value) => 'type' in value && 'data' in value && String(value['type']) in (openapi['webhooks'] ?? {}),
    (text, value) => {
      const webhook = openapi['webhooks']?.[String(value['type'])]?.['post'];
      return complaints(webhook?.['requestBody']?.['content']?.['application/json']?.['schema'], text);
    },
  ],
  [
    (value) => 'rates' in value,
    (_text, value) => (readRateTable(value, 1_767_225_600_000) ? [] : ['no table of rates']),
  ],
  [
    (value) => 'format' in value,
    (_text, value) => v.safeParse(settlementMappingSchema, value).issues?.map(({ message }) => message) ?? [],
  ],
  [
    (value) => 'chains' in value,
    (text) => (Object.keys(readCryptoSettings(text, keysOfNodes).chains).length > 0 ? [] : ['no chain']),
  ],
  // The example of a package: a test of the server starts it with such a file (provider-processes).
  [
    (value) => 'providers' in value,
    (_text, value) => (Object.keys(value['providers'] ?? {}).length > 0 ? [] : ['none']),
  ],
  // A part of the manifest of a package. That of Checkout.com declares the same accounts.
  [
    (value) => 'accounts' in value,
    (_text, value) => (readManifest(JSON.stringify({ ...checkoutCom, ...value })).accounts ? [] : ['no accounts']),
  ],
  [
    (value) => Array.isArray(value) && value.some((rule) => 'channel' in rule),
    (text) => complaints(settingSchema('withdrawalCodes'), text),
  ],
  [
    (value) => Array.isArray(value) && value.some((rule) => 'min' in rule),
    (text) => complaints(settingSchema('depositLimits'), text),
  ],
  // The sandbox's own provider: its tests make this event (providers/sandbox).
  [(value) => String(value['type']).startsWith('payment.') && 'merchantReference' in (value['data'] ?? {}), () => []],
];

const schemaOf = (name: string): Json | undefined => openapi['components']?.['schemas']?.[name];

function settingSchema(name: string): Json | undefined {
  const change = operationOf('PATCH /operator/v1/settings');
  return change?.['requestBody']?.['content']?.['application/json']?.['schema']?.['properties']?.[name];
}

function problemOfJson({ place, text }: Fence): string[] {
  try {
    const value = JSON.parse(text) as Json;
    const reader = readers.find(([is]) => is(value));
    if (reader === undefined) return [`${place}: nobody reads this JSON`];
    return reader[1](text, value).map((problem) => `${place}: ${problem}`);
  } catch (error) {
    return [`${place}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

test('JSON is what its reader takes', () => {
  const found = codeIn('json');
  expect(found.length).toBeGreaterThan(30);
  expect(found.flatMap(problemOfJson)).toEqual([]);
});

test('YAML can be read; catalogue, bonuses and routes are applied by the tests of their commands', () => {
  const kinds = codeIn('yaml').map(({ text }) => Object.keys(parse(text) as object)[0]);
  expect(kinds.sort()).toEqual(['bonuses', 'countries', 'routes', 'scrape_configs']);
});

test('a wrong path, an unknown field and a missing one are found', () => {
  const fence = { path: 'x.md', place: 'x.md:1', language: 'http', note: '' };
  const text =
    'POST https://x.example/operator/v1/user-tokens\n{ "userId": "u", "curency": "EUR" }\n200 { "tokn": "x", … }\n';
  expect(messagesIn({ ...fence, text }).flatMap(problemOf)).toEqual([
    "x.md:1:  must have required property 'currency'",
    'x.md:1:  must NOT have additional properties',
    'x.md:1: .curency is unknown',
    'x.md:1: .tokn is unknown',
  ]);
  expect(problemOf({ place: 'x.md:1', operation: 'GET /operator/v1/nothing', body: '' })).toHaveLength(1);
  expect(problemOfJson({ ...fence, text: '{ "error": { "code": "x" } }' })).toContain(
    "x.md:1: /error must have required property 'message'",
  );
});
