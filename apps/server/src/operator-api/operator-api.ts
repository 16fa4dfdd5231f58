/** The public HTTP API for operators' backends, under `/operator/v1` (SRV-1). The secret key never reaches a browser. */
import { operatorApiPrefix, operatorEndpoints } from '@opencashier/contract/operator';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Bonuses } from '../bonuses/bonuses.ts';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { minuteMs } from '../limits/call-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { noSpans, type Spans } from '../observability/spans.ts';
import { traceRoutes } from '../observability/traced-routes.ts';
import { bearerOf } from '../operators/identity.ts';
import type { OperatorOfKey, Operators } from '../operators/operators.ts';
import type { UserTokens } from '../operators/user-tokens.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import type { CoinSignatures } from '../providers/coin-signatures.ts';
import type { DataKeys } from '../sealing/data-keys.ts';
import { bonusHandlers } from './bonuses/bonus-handlers.ts';
import { catalogueHandlers, type OperatorCatalogue } from './catalogue/catalogue-handlers.ts';
import { coinPayoutHandlers } from './coin-payouts/coin-payout-handlers.ts';
import { coinHandlers } from './coins/coin-handlers.ts';
import { connectionHandlers, type OperatorConnections } from './connections/connection-handlers.ts';
import { dayCloseHandlers } from './day-closes/day-close-handlers.ts';
import { deliveryHandlers } from './deliveries/delivery-handlers.ts';
import { lookupHandlers } from './lookup/lookup-handlers.ts';
import { type MoneyDecisions, moneyHandlers } from './money/money-handlers.ts';
import { payoutFileHandlers, sandboxBankHandlers } from './payout-files/payout-file-handlers.ts';
import { registerEndpoints } from './register-endpoint.ts';
import { type OperatorRoutes, routeHandlers } from './routes/route-handlers.ts';
import { clockHandlers } from './sandbox/clock-handlers.ts';
import { type SandboxTools, sandboxHandlers } from './sandbox/sandbox-handlers.ts';
import { settingsHandlers } from './settings/settings-handlers.ts';
import { listHandlers } from './settlements/list-handlers.ts';
import { settlementHandlers } from './settlements/settlement-handlers.ts';
import { type OperatorTexts, textHandlers } from './texts/text-handlers.ts';
import { userHandlers } from './users/user-handlers.ts';
import { walletHandlers } from './wallet/wallet-handlers.ts';

export interface OperatorApiOptions {
  readonly operators: Operators;
  readonly tokens: UserTokens;
  readonly database: Database;
  /** The bonuses that operators offer their users. */
  readonly bonuses: Bonuses;
  /** Absent: the endpoints of decisions do not exist. */
  readonly payments?: MoneyDecisions | undefined;
  /** Absent: the endpoints of the catalogue do not exist. */
  readonly catalogue?: OperatorCatalogue | undefined;
  /** Absent: the endpoints of connections do not exist. */
  readonly connections?: OperatorConnections | undefined;
  /** Absent: the endpoints of routes do not exist. */
  readonly routes?: OperatorRoutes | undefined;
  /** Absent: the endpoints of own texts do not exist. */
  readonly texts?: OperatorTexts | undefined;
  /**
   * Needed to find withdrawals by their destination, and to sign closes of days. Absent: the search ignores destinations, and the
   * endpoints of closes do not exist.
   */
  readonly dataKeys?: DataKeys | undefined;
  /** Absent: no wallet is signed by file, and its endpoints do not exist. */
  readonly coinSignatures?: CoinSignatures | undefined;
  /** For tests of crashes. */
  readonly failpoint?: ((name: Failpoint) => void) | undefined;
  /** Whether webhooks may go to private addresses, as in the sandbox. Absent: no. */
  readonly allowInsideWebhooks?: boolean | undefined;
  /** Absent: the endpoints of the sandbox do not exist. */
  readonly sandbox?: SandboxTools | undefined;
  readonly limiter: Pick<RateLimiter, 'take'>;
  /** Absent: no traces. */
  readonly spans?: Spans | undefined;
}

/** Requests of one operator per minute, over all its keys and all nodes. */
export const operatorRequestsPerMinute = 6000;
/** Test calls and lists of one operator per minute from the providers of its connections. */
const connectionTestsPerMinute = 30;
/** Requests of one address per minute without a valid key. The limit stops those who guess keys. */
export const strangerRequestsPerMinute = 120;

/** Registers the routes in their own scope, so that its hooks do not run for other routes. */
export function registerOperatorApi(server: FastifyInstance, options: OperatorApiOptions): void {
  const { operators, tokens, database, bonuses, payments, catalogue, limiter, spans = noSpans } = options;
  void server.register(
    async (scope) => {
      const limit = async (key: string, perMinute: number): Promise<void> => {
        const wait = await limiter.take(key, perMinute, minuteMs);
        if (wait > 0) throw new DomainError('rate-limited', 'Too many requests.', { retryAfterSeconds: wait });
      };
      scope.addHook('onRequest', async (request) => {
        let isCounted = false;
        // Runs before an unknown key is looked up in the database, so that those who guess keys cannot overload it.
        const countStranger = async (): Promise<void> => {
          isCounted = true;
          await limit(`operator-api of nobody ${request.ip}`, strangerRequestsPerMinute);
        };
        const operator = await operatorOf(request, operators, countStranger);
        if (operator === undefined) {
          if (!isCounted) await countStranger();
          throw new DomainError('unauthorized', 'Send the secret key of an operator as the bearer token.');
        }
        request.operatorId = operator.id;
        request.keyId = operator.keyId;
        await limit(`operator-api ${operator.id}`, operatorRequestsPerMinute);
      });
      traceRoutes(scope, spans);

      registerEndpoints(
        scope,
        operatorEndpoints.users,
        userHandlers({ database, shipped: catalogue?.shipped }, tokens, bonuses),
      );
      registerEndpoints(
        scope,
        operatorEndpoints.settings,
        settingsHandlers(database, {
          allowInside: options.allowInsideWebhooks === true,
          shipped: catalogue?.shipped,
          refresh: async () => operators.refresh?.(),
        }),
      );
      registerEndpoints(scope, operatorEndpoints.bonuses, bonusHandlers(database));
      registerEndpoints(scope, operatorEndpoints.coins, coinHandlers(database));
      registerEndpoints(scope, operatorEndpoints.lookup, lookupHandlers(database, options.dataKeys));
      registerEndpoints(scope, operatorEndpoints.deliveries, deliveryHandlers(database));
      registerEndpoints(scope, operatorEndpoints.wallet, walletHandlers(database));
      registerEndpoints(scope, operatorEndpoints.settlements, settlementHandlers(database));
      if (options.dataKeys !== undefined) {
        registerEndpoints(scope, operatorEndpoints.dayCloses, dayCloseHandlers(database, options.dataKeys));
        const ports = { database, dataKeys: options.dataKeys, failpoint: options.failpoint };
        registerEndpoints(scope, operatorEndpoints.payoutFiles, payoutFileHandlers(ports));
        if (options.sandbox !== undefined) {
          registerEndpoints(scope, operatorEndpoints.sandboxBank, sandboxBankHandlers(ports));
        }
      }
      if (options.coinSignatures !== undefined) {
        const handlers = coinPayoutHandlers(database, options.coinSignatures);
        registerEndpoints(scope, operatorEndpoints.coinPayouts, handlers);
      }
      if (options.sandbox !== undefined) {
        const { listeners, machineClock } = options.sandbox;
        registerEndpoints(scope, operatorEndpoints.sandbox, sandboxHandlers(options.sandbox));
        if (machineClock !== undefined) {
          registerEndpoints(scope, operatorEndpoints.sandboxClock, clockHandlers(database, machineClock));
        }
        // The server cannot close while requests wait.
        scope.addHook('preClose', async () => listeners.stop());
      }
      if (payments !== undefined) {
        registerEndpoints(scope, operatorEndpoints.money, moneyHandlers(database, payments));
      }
      if (catalogue !== undefined) {
        registerEndpoints(scope, operatorEndpoints.catalogue, catalogueHandlers(database, catalogue));
      }
      if (options.connections !== undefined) {
        // Each is a request to a provider's company.
        const limitTests = (operatorId: string) => limit(`connection tests ${operatorId}`, connectionTestsPerMinute);
        registerEndpoints(scope, operatorEndpoints.connections, connectionHandlers(options.connections, limitTests));
        registerEndpoints(scope, operatorEndpoints.settlementLists, listHandlers(options.connections, limitTests));
      }
      if (options.routes !== undefined) {
        registerEndpoints(scope, operatorEndpoints.routes, routeHandlers(options.routes));
      }
      if (options.texts !== undefined) {
        registerEndpoints(scope, operatorEndpoints.texts, textHandlers(database, options.texts));
      }
    },
    { prefix: operatorApiPrefix },
  );
}

async function operatorOf(
  request: FastifyRequest,
  operators: Operators,
  countStranger: () => Promise<void>,
): Promise<OperatorOfKey | undefined> {
  const secretKey = bearerOf(request.headers.authorization);
  return secretKey === undefined ? undefined : operators.bySecretKey(secretKey, countStranger);
}
