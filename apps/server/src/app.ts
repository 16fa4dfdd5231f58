/** Assembles the cashier from its settings; tests assemble it the same way, on a free port. */
import { readFileSync } from 'node:fs';
import { createServer as createNetServer } from 'node:net';
import { type Clock, systemClock } from '@opencashier/core/time/clock';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { Redis } from 'ioredis';
import { createJsonBonuses, noBonuses } from './bonuses/bonuses.ts';
import bonusFile from './bonuses/data/bonuses.json' with { type: 'json' };
import { createBounce } from './bounce/bounce.ts';
import { bouncePage } from './bounce/bounce-page.ts';
import { handlers } from './calls/registry.ts';
import { createCaptcha } from './captcha/create-captcha.ts';
import { bundledFiles } from './catalogue/bundled-files.ts';
import { followSettings } from './catalogue/followed-settings.ts';
import { createCatalogue } from './catalogue/json-catalogue.ts';
import { listStateIn } from './catalogue/list-state.ts';
import { readShippedCatalogue } from './catalogue/shipped-catalogue.ts';
import type { Config } from './config/config.ts';
import { openDatabase } from './database/connection/open-database.ts';
import type { Database } from './database/database.ts';
import { createDraining } from './dispatch/draining.ts';
import { ConfigError } from './errors/config-error.ts';
import { uncounted } from './http/connection-limits.ts';
import { cspReports } from './http/csp-reports.ts';
import { returnUrlOf } from './http/return-url.ts';
import { rum } from './http/rum.ts';
import { createDueWorker } from './jobs/due-worker.ts';
import { wordFiles } from './languages/word-files.ts';
import { createWords } from './languages/words.ts';
import type { Failpoint } from './lifecycle/failpoints.ts';
import { createRateLimiter, type RateLimiter, unlimited } from './limits/rate-limiter.ts';
import { createSharedRateLimiter, limiterConnection } from './limits/shared-rate-limiter.ts';
import { notedDatabase } from './observability/committed-notes.ts';
import type { Logger } from './observability/logger.ts';
import { createMetrics } from './observability/metrics.ts';
import { noSpans, type Spans } from './observability/spans.ts';
import { tracedDatabase } from './observability/traced-database.ts';
import { countUnmatched } from './operator-api/unmatched-reports.ts';
import { type CodeChannelOf, codeChannelIn } from './operators/code-policy.ts';
import { type LimitsOf, limitsOf as limitsIn } from './operators/limit-overrides.ts';
import { loadOperators } from './operators/operators.ts';
import { demoPartnerKey, seedDemoOperator } from './operators/seed-demo-operator.ts';
import { tokenSecret } from './operators/token-secret.ts';
import { createUserTokens } from './operators/user-tokens.ts';
import { createPayments } from './payment-service/create-payments.ts';
import { createCryptoProvider } from './providers/crypto/crypto.ts';
import { contractsOf, readCryptoSettings } from './providers/crypto/crypto-settings.ts';
import type { Provider } from './providers/provider.ts';
import { ratesPage } from './providers/sandbox/pages/rates-page.ts';
import { createSandboxProvider } from './providers/sandbox/sandbox.ts';
import { createStripeProvider } from './providers/stripe/stripe.ts';
import { tracedProvider } from './providers/traced-provider.ts';
import { createRates } from './rates/create-rates.ts';
import { createDataKeys, dataSecrets } from './sealing/data-keys.ts';
import { createRedemptions } from './sweepstake/create-redemptions.ts';
import { seedSandboxBoxes } from './sweepstake/seed-boxes.ts';
import { forgetOldRows } from './telemetry/retention.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
import { closeInTime } from './transports/close-in-time.ts';
import { createServer } from './transports/server.ts';

export interface App {
  readonly server: FastifyInstance;
  /** For tests that look into the books. */
  readonly database: Database;
  /** Where it can be reached from this machine. */
  readonly url: string;
  /** Listens and starts the work that repeats. */
  start(): Promise<void>;
  /**
   * Says that it is not ready, serves on for a while, finishes what is in hand, and closes everything: within `drainMs` and
   * {@link stopWithinMs}. Safe to call twice.
   * @param drainMs how long load balancers have to leave this node; absent: not at all
   */
  stop(drainMs?: number): Promise<void>;
}

export interface AppOptions {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** An open database instead of the one that the settings name; it is not closed by `stop`. */
  readonly database?: Database;
  /** For tests of crashes; nothing that production reads can set it. */
  readonly failpoint?: (name: Failpoint) => void;
}

/** A stop takes no longer than this beyond the time that it drains, whatever hangs. ms. */
export const stopWithinMs = 7_000;

function pause(clock: Clock, ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => clock.setTimer(resolve, ms));
}

/** @throws ConfigError, CatalogueError, and whatever the database says when it cannot be opened */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const { logger } = options;
  const clock = options.clock ?? systemClock;
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const url = `http://${reachableHost(config.host)}:${port}`;
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;

  // Whatever was opened is closed in the opposite order, also when the start fails half-way.
  const closers: (() => Promise<unknown> | unknown)[] = [];
  const stopAll = async () => {
    for (const close of closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        logger.error({ err: error }, 'closing failed');
      }
    }
  };

  try {
    const { databaseUrl, dataDir } = config;
    const bonuses = config.isSandbox ? createJsonBonuses(bonusFile, createWords(wordFiles)) : noBonuses;
    const opened = options.database ?? (await openDatabase({ databaseUrl, dataDir, logger, clock }));
    if (!options.database) closers.push(() => opened.close());
    const spans = await createSpans(config, logger);
    closers.push(() => spans.stop());
    const database = notedDatabase(spans === noSpans ? opened : tracedDatabase(opened, spans), logger);
    if (config.demoOperator) await seedDemoOperator(database, config.demoOperator);
    if (config.demoOperator && config.isSandbox) await seedSandboxBoxes(database, demoPartnerKey);
    const operators = await loadOperators(database, clock, (error) => {
      logger.warn({ err: error }, 'operators could not be read again');
    });
    closers.push(() => operators.stop());
    const secret = tokenSecret(config.tokenSecret, dataDir);
    const dataKeys = createDataKeys(dataSecrets(config.dataKeys, secret));
    const tokens = await createUserTokens(secret, publicUrl, operators, clock);

    const { providers, plugins, tokenContracts } = createProviders(config, { publicUrl, url, database, clock, logger });
    if (spans !== noSpans) for (const [name, one] of providers) providers.set(name, tracedProvider(one, spans));
    const shipped = readShippedCatalogue(bundledFiles, (name, network) => {
      const provider = providers.get(name);
      return provider !== undefined && (network === undefined || provider.hasNetwork?.(network) !== false);
    });
    const settings = await followSettings(database, clock, (error) => {
      logger.warn({ err: error }, 'catalogue settings could not be read again');
    });
    closers.push(() => settings.stop());
    const catalogue = createCatalogue(shipped, settings);
    // Payments push through the socket, and the socket serves calls that need payments: the later one is bound late.
    let push: (operatorId: string, userId: string, name: string, body: unknown) => void = () => undefined;
    const redis = config.redisUrl === undefined ? undefined : connectRedis(config.redisUrl, logger);
    if (redis) closers.push(() => redis.quit());
    const limiter = createLimiter(config, redis, { clock, logger, onClose: (close) => closers.push(close) });
    const limitsOf: LimitsOf = (caller, method, currency) =>
      limitsIn(operators.byId(caller.operatorId)?.limitOverrides ?? [], caller.userId, method, currency);
    const { rates, sandboxRates } = createRates(config, { clock, database, logger });
    if (sandboxRates !== undefined) plugins.push(ratesPage(sandboxRates));
    const codeChannelOf: CodeChannelOf = (caller, withdrawal) =>
      codeChannelIn(operators.byId(caller.operatorId)?.codeRules ?? [], withdrawal);
    const redemptions = createRedemptions({ rates, clock, secret });
    const captcha = createCaptcha(config, { publicUrl, url, operators, database, limiter, clock, logger });
    plugins.push(...captcha.plugins);
    const bounce = createBounce({ database, publicUrl, product: config.product });
    plugins.push(bouncePage({ bounce, operators, publicUrl, product: config.product }));
    const payments = createPayments({
      database,
      clock,
      catalogue,
      bonuses,
      redemptions,
      limitsOf,
      secret,
      dataKeys,
      codeChannelOf,
      captcha: captcha.gate,
      providers,
      tokenContracts,
      logger,
      pusher: { push: (operatorId, userId, name, body) => push(operatorId, userId, name, body) },
      returnUrlOf: (operatorId, wanted) => returnUrlOf(operators, publicUrl, config.product, operatorId, wanted),
      allowInsecureWebhooks: config.isSandbox,
      spans,
      ...(options.failpoint !== undefined && { failpoint: options.failpoint }),
    });
    closers.push(() => payments.stop());
    const draining = createDraining();

    const metrics = createMetrics({ unmatchedReports: () => countUnmatched(database) });
    const telemetry = createTelemetry({ database, clock, metrics });
    plugins.push(rum({ product: config.product, publicUrl, operators, telemetry, limiter, clock }));
    plugins.push(cspReports({ product: config.product, publicUrl, metrics, limiter, logger, clock }));
    const retention = createDueWorker(forgetOldRows(database), { clock, logger });
    closers.push(() => retention.stop());
    const { server, socket, connections } = createServer({
      services: {
        clock,
        database,
        dataKeys,
        catalogue,
        listStateOf: listStateIn(database),
        limitsOf,
        payments,
        withdrawals: payments.withdrawals,
        rates,
        redemptions,
        bounce,
        metrics,
        telemetry,
      },
      handlers,
      callbacks: payments,
      decisions: payments,
      shippedCatalogue: shipped,
      bonuses,
      operators,
      tokens,
      limiter,
      clock,
      logger,
      redis,
      plugins,
      publicUrl,
      product: config.product,
      widgetDir: config.widgetDir,
      isDebugAllowed: config.isSandbox,
      trustedProxies: config.trustedProxies,
      videoOrigins: config.videoOrigins,
      draining,
      metricsToken: config.metricsToken,
      ...(!config.hasRateLimits && { connectionCounts: uncounted }),
      spans,
    });
    push = socket.push;
    const closeServer = () => closeInTime(server, { connections, draining, clock });
    closers.push(closeServer);
    let stopped: Promise<void> | undefined;

    return {
      server,
      database,
      url,
      async start() {
        await Promise.all([...providers.values()].map((provider) => provider.beforeStart?.()));
        await server.listen({ port, host: config.host });
        payments.startWorkers();
        retention.start();
      },
      stop(drainMs = 0) {
        draining.begin();
        stopped ??= Promise.all([pause(clock, drainMs).then(closeServer), payments.stop(), retention.stop()]).then(
          stopAll,
        );
        return stopped;
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

interface ProviderParts {
  readonly publicUrl: string;
  readonly url: string;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The providers that the settings allow, by name, and the pages that some of them have. */
function createProviders(config: Config, parts: ProviderParts) {
  const providers = new Map<string, Provider>();
  const plugins: FastifyPluginAsync[] = [];
  let tokenContracts: readonly string[] = [];
  if (config.isSandbox) {
    // Not a matter of reading: the command line does without it.
    if (config.sandboxProviderSecret === undefined) {
      throw new ConfigError(['SANDBOX_PROVIDER_SECRET must be set where SANDBOX is on.']);
    }
    const sandbox = createSandboxProvider({
      isAllowed: true,
      publicUrl: config.sandboxUrl ?? parts.publicUrl,
      callbackUrl: `${parts.url}/providers/sandbox/callbacks`,
      secret: config.sandboxProviderSecret,
      database: parts.database,
      clock: parts.clock,
      log: parts.logger,
    });
    providers.set(sandbox.provider.name, sandbox.provider);
    plugins.push(sandbox.pages);
  }
  if (config.stripe !== undefined) {
    const stripe = createStripeProvider({ ...config.stripe, clock: parts.clock });
    providers.set(stripe.name, stripe);
  }
  if (config.cryptoFile !== undefined) {
    const settings = readCryptoSettings(readFileSync(config.cryptoFile, 'utf8'), config.chainKeys);
    const crypto = createCryptoProvider({ ...parts, settings, log: parts.logger });
    providers.set(crypto.name, crypto);
    tokenContracts = contractsOf(settings);
  }
  return { providers, plugins, tokenContracts };
}

/** The SDK of traces is not even read where nobody wants any. */
async function createSpans({ tracing }: Config, logger: Logger): Promise<Spans> {
  if (tracing === undefined) return noSpans;
  const { openTelemetrySpans } = await import('./observability/open-telemetry.ts');
  return openTelemetrySpans(tracing, logger);
}

function connectRedis(redisUrl: string, logger: Logger): Redis {
  // Without a limit of tries a command waits for the connection to come back instead of failing.
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', (error) => logger.warn({ err: error }, 'redis'));
  return redis;
}

function createLimiter(
  { hasRateLimits }: Pick<Config, 'hasRateLimits'>,
  redis: Redis | undefined,
  parts: { readonly clock: Clock; readonly logger: Logger; readonly onClose: (close: () => void) => void },
): RateLimiter {
  if (!hasRateLimits) return unlimited;
  if (redis === undefined) return createRateLimiter(parts.clock);
  const connection = limiterConnection(redis, parts.logger);
  parts.onClose(() => connection.disconnect());
  return createSharedRateLimiter(connection, parts);
}

/** 0.0.0.0 and :: mean every address of this machine and are themselves no address to ask. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** A port that nobody uses now: its number is needed before the server listens, for the addresses that it gives out. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createNetServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
