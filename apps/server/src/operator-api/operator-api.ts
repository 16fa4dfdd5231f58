/** The public HTTP API for operators' backends, under `/operator/v1` (SRV-1). The secret key never reaches a browser. */
import { operatorApiPrefix, operatorEndpoints } from '@opencashier/contract/operator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
import type { DataKeys } from '../sealing/data-keys.ts';
import { catalogueHandlers, type OperatorCatalogue } from './catalogue/catalogue-handlers.ts';
import { coinHandlers } from './coins/coin-handlers.ts';
import { deliveryHandlers } from './deliveries/delivery-handlers.ts';
import { lookupHandlers } from './lookup/lookup-handlers.ts';
import { type MoneyDecisions, moneyHandlers } from './money/money-handlers.ts';
import { registerEndpoints } from './register-endpoint.ts';
import { userHandlers } from './users/user-handlers.ts';

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

      registerEndpoints(scope, operatorEndpoints.users, userHandlers(database, tokens, bonuses));
      registerEndpoints(scope, operatorEndpoints.coins, coinHandlers(database));
      registerEndpoints(scope, operatorEndpoints.lookup, lookupHandlers(database, options.dataKeys));
      registerEndpoints(scope, operatorEndpoints.deliveries, deliveryHandlers(database));
      if (payments !== undefined) {
        registerEndpoints(scope, operatorEndpoints.money, moneyHandlers(database, payments));
      }
      if (catalogue !== undefined) {
        registerEndpoints(scope, operatorEndpoints.catalogue, catalogueHandlers(database, catalogue));
      }
    },
    { prefix: operatorApiPrefix },
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
