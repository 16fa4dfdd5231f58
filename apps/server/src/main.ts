/** The program: reads the settings, starts the cashier, stops it when told. */
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { createLogger } from './observability/logger.ts';

const hardStopMs = 10_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  const app = await createApp(config, { logger });

  let isStopping = false;
  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ reason }, 'stopping');
    setTimeout(() => {
      logger.fatal('did not stop in time');
      logger.flush(() => process.exit(1));
    }, hardStopMs).unref();
    await app.stop();
    logger.info('stopped');
    logger.flush(() => process.exit(exitCode));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal, 0));
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    // Nothing is known about the state any more: finish what is in hand and let the supervisor start anew.
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

/** One clear line for what a person can mend; the whole error for everything else. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port, address } = error as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE') return `Port ${port} of ${address} is taken: set PORT to another.`;
  if (code === 'EACCES' && port !== undefined) return `Port ${port} may not be used by this user: set PORT to another.`;
  const isPlain = [
    'ConfigError',
    'CatalogueError',
    'FolderInUseError',
    'CryptoSettingsError',
    'AccountKeyError',
    'AddressesBehindError',
  ].includes(error.name);
  return isPlain ? error.message : (error.stack ?? error.message);
}

main().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
