/** The program: reads the settings, starts the cashier, and stops it on a signal. */
import { createApp, stopWithinMs } from './app.ts';
import { readConfig } from './config/config.ts';
import { createLogger } from './observability/logger.ts';
import { checkStart, explainStart } from './start-checks.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  await checkStart(config);
  const logger = createLogger(config.logLevel);
  const app = await createApp(config, { logger });

  let isStopping = false;
  const stop = async (reason: string, exitCode: number, drainMs = 0): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ reason }, 'stopping');
    setTimeout(() => {
      logger.fatal('did not stop in time');
      logger.flush(() => process.exit(1));
    }, drainMs + stopWithinMs).unref();
    await app.stop(drainMs);
    logger.info('stopped');
    logger.flush(() => process.exit(exitCode));
  };
  // SIGINT comes from a keyboard, where there is no load balancer to wait for.
  process.on('SIGINT', () => void stop('SIGINT', 0));
  process.on('SIGTERM', () => void stop('SIGTERM', 0, config.drainMs));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    // The state of the process is unknown now. It finishes its work in hand, and the supervisor starts a new process.
    process.on(event, (error) => {
      logger.fatal({ err: error }, event);
      void stop(event, 1);
    });
  }

  try {
    await app.start();
  } catch (error) {
    await app.stop();
    throw error;
  }
  logger.info({ url: app.url, database: app.database.kind }, 'listening');
}

main().catch((error: unknown) => {
  console.error(explainStart(error));
  process.exit(1);
});
