/** The public HTTP API for operators' backends, under `/operator/v1` (SRV-1). The secret key never reaches a browser. */
import { findCurrency } from '@opencashier/core/money/currencies';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { type Bonuses, noBonuses } from '../bonuses/bonuses.ts';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { minuteMs } from '../limits/call-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { noSpans, type Spans } from '../observability/spans.ts';
import { traceRoutes } from '../observability/traced-routes.ts';
import { bearerOf } from '../operators/identity.ts';
import type { Operator, Operators } from '../operators/operators.ts';
import type { UserTokens } from '../operators/user-tokens.ts';
import { readRequest as read } from '../requests/invalid-request.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import { type OperatorCatalogue, registerCatalogueRoutes } from './catalogue-routes.ts';
import { registerDeliveryRoutes } from './delivery-routes.ts';
import { registerLookupRoutes } from './lookup-routes.ts';
import { type MoneyDecisions, registerMoneyRoutes } from './money-routes.ts';
import { balancesOf, transactionPage } from './operator-reports.ts';
import {
  bonusQuerySchema,
  transactionQuerySchema,
  transferRequestSchema,
  userIdSchema,
  userTokenRequestSchema,
} from './operator-schemas.ts';
import { transferFunds } from './operator-transfers.ts';
import { registerSweepstakeRoutes } from './sweepstake-routes.ts';

export interface OperatorApiOptions {
  readonly operators: Operators;
  readonly tokens: UserTokens;
  readonly database: Database;
  /** What operators offer their users; absent: nothing. */
  readonly bonuses?: Bonuses | undefined;
  /** Absent: nothing can be decided here. */
  readonly payments?: MoneyDecisions | undefined;
  /** Absent: nothing can be set up here. */
  readonly catalogue?: OperatorCatalogue | undefined;
  /** Finds withdrawals by where they went; absent: not at all. */
  readonly dataKeys?: DataKeys | undefined;
  readonly limiter: Pick<RateLimiter, 'take'>;
  /** Absent: no traces. */
  readonly spans?: Spans | undefined;
}

/** Requests of one operator, over all its keys and all nodes, in a minute. */
export const operatorRequestsPerMinute = 6000;
/** Requests without a good key, of one address in a minute: who guesses gets no further. */
export const strangerRequestsPerMinute = 120;

/** Registers the routes in a scope of their own. */
export function registerOperatorApi(server: FastifyInstance, options: OperatorApiOptions): void {
  const { operators, tokens, database, bonuses = noBonuses, payments, catalogue, limiter, spans = noSpans } = options;
  void server.register(
    async (scope) => {
      const limit = async (key: string, perMinute: number): Promise<void> => {
        const wait = await limiter.take(key, perMinute, minuteMs);
        if (wait > 0) throw new DomainError('rate-limited', 'Too many requests.', { retryAfterSeconds: wait });
      };
      scope.addHook('onRequest', async (request) => {
        let isCounted = false;
        // Before the database is asked for a key that nobody here knows, so that who guesses cannot make it work.
        const countStranger = async (): Promise<void> => {
          isCounted = true;
          await limit(`operator-api of nobody ${request.ip}`, strangerRequestsPerMinute);
        };
        const operator = await operatorOf(request, operators, countStranger);
        if (operator === undefined) {
          if (!isCounted) await countStranger();
          throw new DomainError('unauthorized', 'Give the secret key of an operator as bearer token.');
        }
        request.operatorId = operator.id;
        await limit(`operator-api ${operator.id}`, operatorRequestsPerMinute);
      });
      traceRoutes(scope, spans);

      scope.post('/user-tokens', async (request, reply) => {
        const { userId, currency, country } = read(userTokenRequestSchema, request.body);
        if (!findCurrency(currency)) {
          const fields = [{ path: 'currency', message: 'An unknown currency.' }];
          throw new DomainError('invalid-request', 'The currency is not one of the cashier.', { fields });
        }
        const { operatorId = '' } = request;
        const { token, expiresAt } = await tokens.issue({ operatorId, userId, currency, country });
        return noStore(reply).send({ token, expiresAt: new Date(expiresAt).toISOString() });
      });

      scope.get('/users/:userId/balances', async (request, reply) => {
        const { userId } = read(v.strictObject({ userId: userIdSchema }), request.params);
        const { operatorId = '' } = request;
        const [balances, additional, held] = await Promise.all([
          balancesOf(database, operatorId, userId),
          balancesOf(database, operatorId, userId, 'user_additional'),
          balancesOf(database, operatorId, userId, 'user_hold'),
        ]);
        return noStore(reply).send({ userId, balances, additional, held });
      });

      scope.post('/users/:userId/transfers', async (request, reply) => {
        const { userId } = read(v.strictObject({ userId: userIdSchema }), request.params);
        const transfer = read(transferRequestSchema, request.body);
        const { operatorId = '' } = request;
        return noStore(reply).send(await transferFunds(database, operatorId, userId, transfer));
      });

      scope.get('/users/:userId/bonuses', async (request, reply) => {
        const { userId } = read(v.strictObject({ userId: userIdSchema }), request.params);
        const { currency, locale } = read(bonusQuerySchema, request.query);
        const { operatorId = '' } = request;
        const [clock] = await database.query<{ now: Date }>({ name: 'clock', text: 'select now() as now' });
        if (clock === undefined) throw new Error('The database has no clock');
        const offered = bonuses.list({
          operatorId,
          userId,
          now: clock.now.getTime(),
          ...(currency !== undefined && { currency }),
          ...(locale !== undefined && { language: locale }),
        });
        const balances = await balancesOf(database, operatorId, userId, 'bonus');
        return noStore(reply).send({ userId, bonuses: offered, balances });
      });

      if (payments !== undefined) registerMoneyRoutes(scope, database, payments);
      registerLookupRoutes(scope, database, options.dataKeys);
      registerSweepstakeRoutes(scope, database, userIdSchema);
      registerDeliveryRoutes(scope, database);
      if (catalogue !== undefined) registerCatalogueRoutes(scope, database, catalogue);

      scope.get('/transactions', async (request, reply) => {
        const query = read(transactionQuerySchema, request.query);
        const { operatorId = '' } = request;
        return noStore(reply).send(await transactionPage(database, operatorId, query));
      });
    },
    { prefix: '/operator/v1' },
  );
}

async function operatorOf(
  request: FastifyRequest,
  operators: Operators,
  countStranger: () => Promise<void>,
): Promise<Operator | undefined> {
  const secretKey = bearerOf(request.headers.authorization);
  return secretKey === undefined ? undefined : operators.bySecretKey(secretKey, countStranger);
}

function noStore(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store');
}
