/** The operators' API over payments of a test's own, asked without a port. */
import { type FastifyInstance, fastify } from 'fastify';
import { expect } from 'vitest';
import type { Database } from '../database/database.ts';
import { openTestDatabase } from '../database/test-database.ts';
import { auditLedger } from '../ledger/ledger-audit.ts';
import { type Bench, createBench, seedOperator } from '../payments/payments.fixture.ts';
import { failureOf } from '../transports/dispatch.ts';
import { sendOutcome } from '../transports/http.ts';
import { unlimited } from '../transports/rate-limiter.ts';
import type { MoneyDecisions } from './money-routes.ts';
import { registerOperatorApi } from './operator-api.ts';
import type { Operator, Operators } from './operators.ts';
import type { UserTokens } from './user-tokens.ts';

export interface Asked {
  readonly status: number;
  readonly code: string;
  readonly body: Record<string, unknown>;
}

export interface OperatorApi {
  /** As the operator `op`, or another one that is named. */
  ask(path: string, body?: object, operatorId?: string, method?: 'PUT'): Promise<Asked>;
  close(): Promise<void>;
}

const operatorOf = (id: string): Operator => ({ id, partnerKey: id, name: id, allowedOrigins: [] });
/** The secret key is the operator's id. */
const operators: Operators = {
  byId: operatorOf,
  byPartnerKey: operatorOf,
  bySecretKey: async (key) => operatorOf(key),
};
const noTokens: UserTokens = {
  issue: () => Promise.reject(new Error('no tokens here')),
  identify: () => Promise.reject(new Error('no tokens here')),
};

export async function openOperatorApi(database: Database, payments: MoneyDecisions): Promise<OperatorApi> {
  const server: FastifyInstance = fastify({ routerOptions: { maxParamLength: 200 } });
  server.decorateRequest('operatorId', undefined);
  server.setErrorHandler((error: Error, request, reply) => sendOutcome(reply, failureOf(error, request.id), 0));
  registerOperatorApi(server, { operators, tokens: noTokens, database, payments, limiter: unlimited });
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

export interface OperatorBench {
  readonly database: Database;
  readonly bench: Bench;
  readonly api: OperatorApi;
  /** The books must be sound by then. */
  close(): Promise<void>;
}

/** A database of its own with the operator `op` and another one, payments, and the operators' API over them. */
export async function openOperatorBench(): Promise<OperatorBench> {
  const { database, drop } = await openTestDatabase();
  await seedOperator(database, { url: 'https://operator.example/hook', secrets: [] });
  await database.query({ text: `insert into operator (id, partner_key, name) values ('other', 'other', 'Other')` });
  const bench = createBench(database);
  const api = await openOperatorApi(database, bench.payments);
  return {
    database,
    bench,
    api,
    async close() {
      expect((await auditLedger(database)).isSound).toBe(true);
      await api.close();
      await drop();
    },
  };
}
