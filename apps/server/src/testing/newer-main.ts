/**
 * The server of a next version, for the test of an upgrade and a rollback. It is this server with one more migration. It is built into a
 * folder of its own (`vite.faults.config.ts`) and is in no released build.
 */
import { createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { createLogger } from '../observability/logger.ts';
import { newerSchema } from './newer-schema.ts';

const config = readConfig(process.env);
if (!config.isSandbox) throw new Error('A version that was never released moves no real money.');
const logger = createLogger(config.logLevel);
const app = await createApp(config, { logger, schema: newerSchema });
process.on('SIGTERM', () => void app.stop(config.drainMs).then(() => logger.flush(() => process.exit(0))));
await app.start();
