/**
 * The server of the fault tests: the real one, which kills itself at the failpoint that its parent names over the channel between
 * the two. It is built into a folder of its own (`vite.faults.config.ts`) and is in no build that is given out.
 */
import { createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import type { Failpoint } from '../lifecycle/failpoints.ts';
import { createLogger } from '../observability/logger.ts';

/** What the parent may say. */
type Order = { readonly start: true } | { readonly dieAt: Failpoint };

const config = readConfig(process.env);
if (!config.isSandbox) throw new Error('A server that kills itself moves no real money.');
if (process.send === undefined) throw new Error('A server that kills itself is started by its test alone.');

let deadly: Failpoint | undefined;

function failpoint(name: Failpoint): void {
  // No handler runs, no buffer is written, no connection is closed: as in a power cut.
  if (name === deadly) process.kill(process.pid, 'SIGKILL');
}

const logger = createLogger(config.logLevel);

async function start(): Promise<void> {
  const app = await createApp(config, { logger, failpoint });
  const stop = () => void app.stop().then(() => logger.flush(() => process.exit(0)));
  process.on('SIGTERM', stop);
  await app.start();
}

// Whoever could end it is gone, be it at work or waiting.
process.on('disconnect', () => process.exit(0));

// Loaded and waiting: what takes longest of a start is over when the one before dies.
process.on('message', (order: Order) => {
  if ('start' in order) {
    start().catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
    return;
  }
  deadly = order.dieAt;
  process.send?.({ armed: deadly });
});
