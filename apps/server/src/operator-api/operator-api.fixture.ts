/** The operator API over the payments of a test, called without a port. */

import { type FastifyInstance, fastify } from 'fastify';
import * as v from 'valibot';
import { afterEach, beforeEach, expect } from 'vitest';
import { createBonuses } from '../bonuses/bonuses.ts';
import type { Database } from '../database/database.ts';
import { errorAnswer } from '../dispatch/api-error.ts';
import { sendOutcome } from '../http/http.ts';
import { unlimited } from '../limits/rate-limiter.ts';
import type { Operator, Operators } from '../operators/operators.ts';
import type { UserTokens } from '../operators/user-tokens.ts';
import { type Bench, SECRET } from '../payments/testing/payments.fixture.ts';
import { withPayments } from '../payments/testing/with-payments.fixture.ts';
import type { CoinSignatures } from '../providers/coin-signatures.ts';
import { createDataKeys } from '../sealing/data-keys.ts';
import type { MoneyDecisions } from './money/money-handlers.ts';
import { registerOperatorApi } from './operator-api.ts';

export interface Asked {
  readonly status: number;
  readonly code: string;
  readonly body: Record<string, unknown>;
}

export interface OperatorApi {
  /** Sends a request of the operator `op`, or of `operatorId`. */
  ask(path: string, body?: object, operatorId?: string, method?: 'PUT'): Promise<Asked>;
  close(): Promise<void>;
}

const operatorOf = (id: string): Operator => ({ id, partnerKey: id, name: id, allowedOrigins: [] });
/** The secret key is the operator's id, and behind a `#` the id of the key. */
const operators: Operators = {
  byId: operatorOf,
  byPartnerKey: operatorOf,
  async bySecretKey(key) {
    const [id = '', keyId] = key.split('#');
    return { ...operatorOf(id), keyId };
  },
};
const noTokens: UserTokens = {
  issue: () => Promise.reject(new Error('no tokens here')),
  identify: () => Promise.reject(new Error('no tokens here')),
};

export async function openOperatorApi(
  database: Database,
  payments: MoneyDecisions,
  coinSignatures?: CoinSignatures,
): Promise<OperatorApi> {
  const dataKeys = createDataKeys([SECRET]);
  const server: FastifyInstance = fastify({ routerOptions: { maxParamLength: 200 } });
  server.decorateRequest('operatorId', undefined);
  server.decorateRequest('keyId', undefined);
  server.setErrorHandler((error: Error, request, reply) => sendOutcome(reply, errorAnswer(error, request.id), 0));
  const bonuses = createBonuses(database, () => undefined);
  registerOperatorApi(server, {
    operators,
    tokens: noTokens,
    database,
    bonuses,
    payments,
    coinSignatures,
    dataKeys,
    limiter: unlimited,
  });
  await server.ready();
  return {
    async ask(path, body, operatorId = 'op', method) {
      const response = await server.inject({
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        url: `/operator/v1${path}`,
        headers: { authorization: `Bearer ${operatorId}` },
        ...(body !== undefined && { payload: body }),
      });
      const answer = response.json<Record<string, unknown>>();
      const { code = 'ok' } = (answer['error'] ?? {}) as { code?: string };
      return { status: response.statusCode, code, body: answer };
    },
    close: () => server.close(),
  };
}

interface Made {
  readonly database: Database;
  readonly bench: Bench;
  readonly api: OperatorApi;
}

/**
 * Like {@link withPayments}, with a webhook address and a second operator. Before each test it opens the operator API over the
 * payments of that test.
 * @param take gets them before the file's own `beforeEach` runs
 */
export function withOperatorApi(take: (made: Made) => void): void {
  let payments: Pick<Made, 'database' | 'bench'>;
  let api: OperatorApi;
  withPayments(
    (made) => {
      payments = made;
    },
    { hasWebhook: true },
  );
  beforeEach(async () => {
    const { database, bench } = payments;
    await database.query({
      text: `insert into operator (id, partner_key, name) values ('other', 'other', 'Other') on conflict do nothing`,
    });
    api = await openOperatorApi(database, bench.payments);
    take({ database, bench, api });
  });
  afterEach(() => api.close());
}

/** Reads a whole list page by page. Every page except the last must have exactly `limit` rows, and none may have more. */
export async function everyPage<Page extends { readonly nextCursor?: string | undefined }, Row>(
  api: OperatorApi,
  path: string,
  schema: v.GenericSchema<unknown, Page>,
  { limit, rowsOf }: { readonly limit: number; readonly rowsOf: (page: Page) => readonly Row[] },
): Promise<Row[]> {
  const asked = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  const seen: Row[] = [];
  for (let next = ''; ; ) {
    const page = v.parse(schema, (await api.ask(`${asked}${next}`)).body);
    const rows = rowsOf(page);
    seen.push(...rows);
    if (page.nextCursor === undefined) {
      expect(rows.length).toBeLessThanOrEqual(limit);
      return seen;
    }
    expect(rows).toHaveLength(limit);
    next = `&cursor=${page.nextCursor}`;
  }
}
