/** The operator API and its webhooks as OpenAPI 3.1, from the endpoints and events of the contract (SRV-1, SRV-5). */
import {
  bonusAnswerSchema,
  bonusEngineVersion,
  bonusQuestionSchema,
  bonusTimeLimitMs,
  type Endpoint,
  operatorApiPrefix,
  operatorEndpoints,
  type PaymentStatus,
  patchOperatorSettings,
  type WebhookType,
  webhookEvents,
  webhookSchemaOf,
  webhookVersion,
} from '@opencashier/contract/operator';
import { type Doc, docOf } from './contract-docs.ts';
import { codesIn, failure } from './failures.ts';
import { type JsonSchema, jsonContent, requestSchema, responseSchema } from './json-schema.ts';
import { parametersOf } from './parameters.ts';

/** Every endpoint by its path. */
export function operatorPaths(): Record<string, object> {
  const paths: Record<string, Record<string, object>> = {};
  const docs = docOf('operator/endpoints.ts', 'operatorEndpoints');
  for (const [part, endpoints] of Object.entries(operatorEndpoints)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      const path = `${operatorApiPrefix}${endpoint.path}`;
      const doc = docs.fields?.[part]?.fields?.[name]?.fields ?? {};
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, part, doc) };
    }
  }
  return paths;
}

/** Every webhook by its type: the request that the cashier makes to the operator's backend. */
export function operatorWebhooks(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(webhookEvents).map(([type, { meaning }]) => [
      type,
      {
        post: {
          operationId: type,
          tags: ['webhooks'],
          summary: meaning,
          description: deliveryRules,
          security: [],
          'x-version': webhookVersion,
          parameters: webhookHeaders,
          requestBody: {
            required: true,
            content: jsonContent(bodyOf(type as WebhookType), exampleOfEvent(type as WebhookType)),
          },
          responses: { '2XX': { description: 'Taken. After any other answer the cashier sends it again later.' } },
        },
      },
    ]),
  );
}

/** The tags of the operator API: the parts of its endpoints, and its webhooks. */
const tagWords: Readonly<Record<keyof typeof operatorEndpoints, string>> = {
  users: 'Tokens, balances, transfers and bonuses of users.',
  coins: 'The sweepstake: coin boxes, granted coins and plays.',
  catalogue: 'The payment methods that users are offered.',
  bonuses: 'The bonuses that the operator offers with deposits.',
  texts: 'Texts of the widget that the operator replaces.',
  lookup: 'Lists and searches of payments.',
  deliveries: 'Deliveries of webhooks.',
  settings: 'Settings of the operator, and the history of their changes.',
  connections: 'The operator’s own accounts at providers.',
  routes: 'Which accounts take the deposits of a method, and why.',
  wallet: 'Calls to the operator’s own wallet whose outcome is unknown.',
  sandbox: 'Webhooks of the sandbox for a listener.',
  sandboxClock: 'The time of a sandbox, which can be moved ahead.',
  payoutFiles: 'Payouts that leave in files for a bank, and the answers of the bank.',
  coinPayouts: 'Payouts of coins that people sign with a hardware wallet or an air-gapped machine.',
  sandboxBank: 'The bank of the sandbox, which answers payout files.',
  settlements: 'Settlement files, statements, and their differences from the ledger.',
  settlementLists: 'Lists that the cashier reads from providers.',
  dayCloses: 'The signed closes of days.',
  money: 'Refunds, reviews, approvals, chargebacks and debts.',
};

export const operatorTags = [
  ...Object.entries(tagWords).map(([name, description]) => ({ name: tagOf(name), description })),
  { name: 'webhooks', description: 'Requests of the cashier to the backend of the operator.' },
];

function tagOf(part: string): string {
  return `operator: ${part}`;
}

/** What every webhook has in common. */
const deliveryRules =
  'Signed by Standard Webhooks. It arrives at least once, under the same `webhook-id`. The order is not guaranteed. ' +
  'docs/integrate.md says what to do with each type.';

const webhookHeaders = [
  {
    name: 'webhook-id',
    description: 'The id of the webhook. A repeat has the same id: process each id once.',
    example: '0198c1f2-7a30-7c55-9b6b-3d5a0a6b7f01',
  },
  {
    name: 'webhook-timestamp',
    description: 'When it was sent, in seconds since 1970. Refuse an old one.',
    example: '1769854500',
  },
  {
    name: 'webhook-signature',
    description: 'The signatures over id, timestamp and body, separated by spaces. One of them must be right.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
].map((one) => ({ ...one, in: 'header', required: true, schema: { type: 'string' } }));

/** The status in the example of a webhook, if it is not `processed`. */
const statusAfter: Partial<Record<WebhookType, PaymentStatus>> = {
  'deposit.declined': 'failed',
  'deposit.cancelled': 'failed',
  'deposit.expired': 'failed',
  'deposit.under_review': 'accepted',
  'deposit.refunded': 'failed',
  'deposit.reversed': 'failed',
  'withdrawal.held': 'waiting',
  'withdrawal.confirmation_requested': 'waiting',
  'withdrawal.awaiting_approval': 'accepted',
  'withdrawal.submitted': 'accepted',
  'withdrawal.declined': 'failed',
  'withdrawal.cancelled': 'failed',
  'withdrawal.expired': 'failed',
  'withdrawal.returned': 'failed',
  'withdrawal.under_review': 'accepted',
};

/** Events with the same fields share a schema and its example, but each ends in a status of its own. */
function exampleOfEvent(type: WebhookType): (example: unknown) => unknown {
  return (example) => {
    const { data, ...rest } = example as { readonly data: object };
    return { ...rest, data: { ...data, status: statusAfter[type] ?? 'processed' } };
  };
}

function bodyOf(type: WebhookType): JsonSchema {
  const data = docOf('operator/webhooks.ts', 'webhookEvents').fields?.[type]?.fields?.['data'];
  const { words: _words, ...parts } = data ?? {};
  const status = { ...parts.fields?.['status'], example: statusAfter[type] ?? 'processed' };
  return responseSchema(webhookSchemaOf(type), {
    fields: {
      type: { words: 'The type of the event.' },
      timestamp: { words: 'When the event happened.', example: '2026-01-31T10:15:00Z' },
      data: { ...parts, fields: { ...parts.fields, status }, words: 'The payment and what happened to it.' },
    },
  });
}

/** The request that the cashier makes to an operator's own bonus engine. */
function bonusQuestion(): object {
  const doc = (name: string) => docOf('operator/bonus-engine.ts', name);
  const answer = responseSchema(bonusAnswerSchema, doc('bonusAnswerSchema'));
  return {
    '{$request.body#/bonusEngine/url}': {
      post: {
        operationId: 'bonuses-of-user',
        tags: [tagOf('bonuses')],
        summary: 'Which bonuses does this user see? Asked while the setting `bonusEngine` is on.',
        description: `Signed like a webhook. The time limit is ${bonusTimeLimitMs} ms. docs/bonuses.md says what counts without an answer.`,
        security: [],
        'x-version': bonusEngineVersion,
        parameters: webhookHeaders,
        requestBody: {
          required: true,
          content: jsonContent(requestSchema(bonusQuestionSchema, doc('bonusQuestionSchema'))),
        },
        responses: {
          200: { description: 'The bonuses of the user.', content: jsonContent(answer) },
          default: { description: 'No answer. The last answer counts, and the question is asked again later.' },
        },
      },
    },
  };
}

type Parts = Readonly<Record<string, Doc>>;

function operation({ id, summary, params, query, body, response, errors }: Endpoint, part: string, doc: Parts): object {
  return {
    operationId: id,
    tags: [tagOf(part)],
    summary,
    security: [{ operatorKey: [] }],
    parameters: [
      ...parametersOf(requestSchema(params, doc['params']), 'path'),
      ...(query === undefined ? [] : parametersOf(requestSchema(query, doc['query']), 'query')),
    ],
    ...(id === patchOperatorSettings.id && { callbacks: { bonuses: bonusQuestion() } }),
    ...(body && { requestBody: { required: true, content: jsonContent(requestSchema(body, doc['body'])) } }),
    responses: {
      200: { description: 'Done.', content: jsonContent(responseSchema(response, doc['response'])) },
      ...Object.fromEntries(
        [400, 401, 413, 429, 500, 503].map((status) => [status, { $ref: `#/components/responses/General${status}` }]),
      ),
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          failure(Number(status), codesIn(description), description),
        ]),
      ),
    },
  };
}
