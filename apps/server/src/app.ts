/** Assembles the cashier from its settings; tests assemble it the same way, on a free port. */

import type { Clock } from '@opencashier/core/time/clock';
import { pause } from '@opencashier/core/time/pause';
import type { FastifyInstance } from 'fastify';
import { type Addresses, addressesOf } from './assembly/addresses.ts';
import { type CatalogueParts, openCatalogue } from './assembly/catalogue-parts.ts';
import { type Closers, createClosers } from './assembly/closers.ts';
import { type Foundations, isClockMovable, openFoundations } from './assembly/foundations.ts';
import { type OperatorParts, openOperators } from './assembly/operator-parts.ts';
import { createPaymentParts, type PaymentParts } from './assembly/payment-parts.ts';
import { payoutFileWork } from './assembly/payout-file-parts.ts';
import { handlers } from './calls/registry.ts';
import { listStateIn } from './catalogue/list-state.ts';
import type { Config } from './config/config.ts';
import type { Database } from './database/database.ts';
import type { Schema } from './database/schema-files.ts';
import { createDraining, type Draining } from './dispatch/draining.ts';
import { uncounted } from './http/connection-limits.ts';
import { cspReports } from './http/csp-reports.ts';
import { rum } from './http/rum.ts';
import { createDueWorker } from './jobs/due-worker.ts';
import { createPartitionKeeper, type PartitionKeeper } from './jobs/keep-partitions.ts';
import { forgetOldRows } from './jobs/retention.ts';
import { comparedChains } from './monitoring/compared-chains-query.ts';
import { createSnapshot } from './monitoring/snapshot.ts';
import { unmatchedQuery } from './monitoring/unmatched-query.ts';
import type { Logger } from './observability/logger.ts';
import { createSeal } from './outbox/sealed-data.ts';
import type { Failpoint } from './payment-ports/failpoints.ts';
import type { StripeOptions } from './providers/stripe/stripe.ts';
import { foldOldChanges } from './settlements/fold-changes.ts';
import { createTelemetry } from './telemetry/telemetry.ts';
import { closeInTime } from './transports/close-in-time.ts';
import { type CashierServer, createServer } from './transports/server.ts';
import { createWebhookListeners } from './webhooks/webhook-listeners.ts';

export interface App {
  readonly server: FastifyInstance;
  /** For tests that read the database. */
  readonly database: Database;
  /** The address of the server from this machine. */
  readonly url: string;
  /** Listens and starts the workers. */
  start(): Promise<void>;
  /**
   * Reports "not ready", serves for another `drainMs`, finishes the work in hand and closes everything. Takes at most `drainMs` and
   * {@link stopWithinMs}. Safe to call twice.
   * @param drainMs the time for load balancers to leave this node; absent: none
   */
  stop(drainMs?: number): Promise<void>;
}

export interface AppOptions {
  readonly logger: Logger;
  readonly clock?: Clock;
  /** An open database instead of the one that the settings name. `stop` does not close it. */
  readonly database?: Database;
  /** For tests of crashes. No setting of production can set it. */
  readonly failpoint?: (name: Failpoint) => void;
  /** Another address of Stripe's API, for tests. */
  readonly stripeApi?: StripeOptions['api'];
  /** The schema of another build, for tests of upgrades. */
  readonly schema?: Schema;
}

/** The longest time of a stop after the time of draining, whatever hangs. ms. */
export const stopWithinMs = 7_000;

/**
 * Connections that the system holds until the server takes them. After a restart every widget comes back at once. A connection
 * without a place here is tried again after 1, 3, 7 and 15 seconds, also that of a payment. But all that wait are taken in one turn
 * of the event loop: 4,096 kept payments waiting for a second.
 */
const connectionBacklog = 1_024;

/** @throws ConfigError, CatalogueError, or the database's own error when it cannot be opened */
export async function createApp(config: Config, options: AppOptions): Promise<App> {
  const closers = createClosers(options.logger);
  try {
    return await assemble(config, options, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function assemble(config: Config, options: AppOptions, closers: Closers): Promise<App> {
  const addresses = await addressesOf(config);
  const foundations = await openFoundations(config, options, closers);
  const own = await openOperators(config, foundations, addresses, closers);
  const offer = await openCatalogue(config, { ...foundations, ...own }, addresses, closers, options);
  const base = { ...foundations, ...own, ...addresses, ...offer };
  // Payments push through the socket, and the socket serves calls that need payments. So payments get the socket later.
  let push: CashierServer['socket']['push'] = () => undefined;
  const parts = createPaymentParts(config, {
    ...base,
    pusher: { push: (...pushed) => push(...pushed) },
    failpoint: options.failpoint,
  });
  const { payments } = parts;
  closers.add(() => payments.stop());
  const { database, clock, machineClock, onClockMove, logger } = foundations;
  const partitions = createPartitionKeeper(database, { clock: machineClock, logger });
  const snapshot = createSnapshot(database, { clock, logger, extra: [unmatchedQuery, comparedChains(offer.chains)] });
  const payoutFiles = payoutFileWork(base, options.failpoint);
  const workers = [
    createDueWorker(forgetOldRows(database), { clock, logger }),
    createDueWorker(foldOldChanges(database), { clock, logger }),
    createDueWorker(partitions.work, { clock, logger }),
    createDueWorker(snapshot.work, { clock, logger }),
    createDueWorker(payoutFiles.files, { clock, logger }),
    createDueWorker(payoutFiles.messages, { clock, logger }),
  ];
  for (const worker of workers) closers.add(() => worker.stop());
  onClockMove(() => {
    payments.lookAgain();
    for (const worker of workers) worker.wake();
  });
  foundations.metrics.addSources({
    gauges: [...snapshot.gauges, ...offer.packaged.gauges],
    partitionMonthsAhead: partitions.monthsAhead,
    poolUse: () => database.poolUse?.(),
  });
  const draining = createDraining();
  const { server, socket, connections } = createCashierServer(config, {
    ...base,
    parts,
    draining,
    partitions,
    failpoint: options.failpoint,
  });
  push = socket.push;
  const closeServer = () => closeInTime(server, { connections, draining, clock });
  closers.add(closeServer);
  let stopped: Promise<void> | undefined;

  return {
    server,
    database,
    url: addresses.url,
    async start() {
      await Promise.all([...offer.providers.values()].map((provider) => provider.beforeStart?.()));
      await server.listen({ port: addresses.port, host: config.host, backlog: connectionBacklog });
      payments.startWorkers();
      for (const worker of workers) worker.start();
    },
    stop(drainMs = 0) {
      draining.begin();
      const ends = [payments, ...workers].map((worker) => worker.stop());
      stopped ??= Promise.all([pause(clock, drainMs).then(closeServer), ...ends]).then(() => closers.closeAll());
      return stopped;
    },
  };
}

interface ServedParts extends Foundations, OperatorParts, Addresses, CatalogueParts {
  readonly parts: PaymentParts;
  readonly draining: Draining;
  readonly partitions: PartitionKeeper;
  readonly failpoint: AppOptions['failpoint'];
}

function createCashierServer(config: Config, served: ServedParts): CashierServer {
  const { database, clock, machineClock, logger, metrics, operators, limiter, publicUrl, parts } = served;
  const { payments, rates, redemptions, bounce } = parts;
  const { product } = config;
  const telemetry = createTelemetry({ database, clock, metrics });
  const plugins = [
    ...served.plugins,
    ...parts.plugins,
    rum({ product, publicUrl, operators, telemetry, limiter, clock }),
    cspReports({ product, publicUrl, metrics, limiter, logger, clock }),
  ];
  return createServer({
    services: {
      clock,
      database,
      dataKeys: served.dataKeys,
      catalogue: served.catalogue,
      listStateOf: listStateIn(database),
      limitsOf: served.limitsOf,
      payments,
      walletBalanceOf: payments.walletBalanceOf,
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
    shippedCatalogue: served.shipped,
    providerConnections: served.providerConnections,
    operatorRoutes: served.operatorRoutes,
    coinSignatures: served.coinSignatures,
    ownTexts: served.ownTexts,
    bonuses: parts.bonuses,
    operators,
    tokens: served.tokens,
    limiter,
    clock,
    logger,
    redis: served.redis,
    plugins,
    publicUrl,
    documentation: config.documentation,
    product,
    widgetDir: config.widgetDir,
    isDebugAllowed: config.isSandbox,
    allowInsideWebhooks: config.isSandbox,
    sandboxTools: config.isSandbox
      ? {
          listeners: createWebhookListeners({ database, clock: machineClock, seal: createSeal(served.secret) }),
          machineClock: isClockMovable(config) ? machineClock : undefined,
        }
      : undefined,
    trustedProxies: config.trustedProxies,
    videoOrigins: config.videoOrigins,
    draining: served.draining,
    metricsToken: config.metricsToken,
    hasPartitions: served.partitions.isCovered,
    failpoint: served.failpoint,
    ...(!config.hasRateLimits && { connectionCounts: uncounted }),
    spans: served.spans,
  });
}
