/**
 * The server of the fault tests: the real server, which kills itself at a failpoint that its parent process names. It is built into
 * a folder of its own (`vite.faults.config.ts`) and is in no released build.
 */
import { createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { createLogger } from '../observability/logger.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';

/** A message of the parent process. */
type Order = { readonly start: true } | { readonly dieAt: Failpoint };

const config = readConfig(process.env);
if (!config.isSandbox) throw new Error('A server that kills itself moves no real money.');
if (process.send === undefined) throw new Error('A server that kills itself is started by its test alone.');

/** The stand-in for Stripe that the test runs. Absent: nothing is asked at Stripe. */
const { FAULT_STRIPE_AT: standIn } = process.env;
const stripe = standIn === undefined ? undefined : new URL(standIn);

let deadly: Failpoint | undefined;

function failpoint(name: Failpoint): void {
  // As in a power cut, no handler runs, no buffer is written and no connection is closed.
  if (name === deadly) process.kill(process.pid, 'SIGKILL');
}

const logger = createLogger(config.logLevel);

async function start(): Promise<void> {
  const app = await createApp(config, {
    logger,
    failpoint,
    ...(stripe && { stripeApi: { protocol: 'http', host: stripe.hostname, port: Number(stripe.port) } }),
  });
  const stop = () => void app.stop().then(() => logger.flush(() => process.exit(0)));
  process.on('SIGTERM', stop);
  await app.start();
}

// The parent process has ended, so nobody else can end this one.
process.on('disconnect', () => process.exit(0));

// Waits here with all modules loaded, so that it starts quickly when the server before it dies.
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
