import type { WalletAnswer, WalletCall } from '@opencashier/contract/operator';
import { expect, expectTypeOf, test } from 'vitest';
import type * as sdk from '../../packages/server/src/generated/wallet.ts';
import { goOperatorApi, goWebhooks } from './go.ts';
import { readOperatorApi } from './operator-api.ts';
import { phpOperatorApi } from './php.ts';
import { pythonOperatorApi, pythonWebhooks } from './python.ts';
import { shapeOf } from './schema.ts';
import { typescriptOperatorApi, typescriptWebhooks } from './typescript.ts';

test("[SRV-1] the SDK's types of calls to a wallet are those of the contract", () => {
  // The compiler refuses these functions when the SDK's types lack what the contract demands.
  const called = (value: sdk.WalletCall): WalletCall => value;
  const answered = (value: sdk.WalletAnswer): WalletAnswer => value;
  expectTypeOf<sdk.WalletCall['type']>().toEqualTypeOf<WalletCall['type']>();
  expectTypeOf<sdk.WalletAnswer['result']>().toEqualTypeOf<WalletAnswer['result']>();
  const balance = { type: 'balance', id: 'c-1', userId: 'u-1', currency: 'EUR' } as const;
  expect(called(balance)).toBe(balance);
  const done = { result: 'done', balance: '25.00' } as const;
  expect(answered(done)).toBe(done);
});

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const page = (body: object, data: object = { amount: text }, schemas: object = {}) =>
  JSON.stringify({
    paths: {
      '/payment/v1/other': {},
      '/operator/v1/users/{userId}/moves': {
        post: {
          operationId: 'move-funds',
          summary: 'Moves money.',
          parameters: [{ name: 'userId', in: 'path', required: true, schema: text }],
          requestBody: json({ type: 'object', properties: body, required: ['from'] }),
          responses: { 200: json({ type: 'object', properties: { left: { enum: ['none', 'some'] } } }) },
        },
      },
    },
    webhooks: {
      'deposit.moved': {
        post: {
          operationId: 'deposit.moved',
          summary: 'It moved.',
          requestBody: json({
            type: 'object',
            properties: { type: { const: 'deposit.moved' }, data: { type: 'object', properties: data } },
          }),
          responses: {},
        },
      },
    },
    components: { schemas },
  });

test('a call of the reference becomes a method in every language', () => {
  const api = readOperatorApi(page({ from: text, note: { type: 'object', additionalProperties: text } }));
  expect(api.operations.map(({ id }) => id)).toEqual(['move-funds']);
  expect(typescriptOperatorApi(api)).toContain('moveFunds(request: MoveFundsRequest, options?: Options)');
  expect(typescriptOperatorApi(api)).toContain("left?: 'none' | 'some';");
  expect(typescriptWebhooks(api)).toContain("type?: 'deposit.moved';");
  expect(pythonOperatorApi(api)).toContain('def move_funds(self, request: MoveFundsRequest) -> MoveFundsResponse:');
  expect(phpOperatorApi(api)).toContain("'/operator/v1/users/{userId}/moves', [], ['note'], $request)");
  expect(goWebhooks(api)).toContain('return decodeData(w.Data, new(DepositMovedData))');
});

test('a schema that only a webhook names is declared once, after the schemas that it names', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const parts = {
    Amount: { type: 'string' },
    Sum: { type: 'object', properties: { amount: ref('Amount') } },
    Other: text,
  };
  const api = readOperatorApi(page({ from: text }, { sum: ref('Sum') }, { Sum: parts.Sum, ...parts }));
  expect(Object.keys(api.named)).toEqual(['Amount', 'Sum']);
  expect(typescriptOperatorApi(api)).toContain('export interface Sum {');
  expect(typescriptWebhooks(api)).toContain("import type { Sum } from './operator-api.ts';");
  expect(pythonWebhooks(api)).toContain('from .operator_api import Sum\n');
  expect(goOperatorApi(api)).toContain('type Sum struct {');
  expect(() => readOperatorApi(page({}, { sum: ref('Missing') }))).toThrow('The reference names Missing');
});

test('null differs from an absent value in every language', () => {
  const orNull = { anyOf: [text, { type: 'null' }] };
  const api = readOperatorApi(page({ note: orNull, from: orNull }));
  expect(typescriptOperatorApi(api)).toMatch(/note\?:\s+\| string\s+\| null \| undefined;/);
  expect(pythonOperatorApi(api)).toContain('"note": NotRequired[Union[str, None]]');
  expect(phpOperatorApi(api)).toContain('note?: string|null, from: string|null');
  expect(goOperatorApi(api)).toMatch(/Note +\*\*string +`json:"note,omitempty"`/);
  expect(goOperatorApi(api)).toMatch(/From +\*string +`json:"from"`/);
});

test('a name that two parts of a request share, and an unknown kind of schema, stop the generator', () => {
  expect(() => readOperatorApi(page({ userId: text, from: text }))).toThrow(
    'move-funds has two fields with the name userId.',
  );
  expect(() => shapeOf({ type: 'date' })).toThrow(/do not know this schema/);
});
