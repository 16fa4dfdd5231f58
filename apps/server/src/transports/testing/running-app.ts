/** The whole server as `main.ts` assembles it, over a database of the test's own, with clients of both transports. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '@opencashier/core/time/clock';
import { type App, createApp } from '../../app.ts';
import { readConfig } from '../../config/config.ts';
import type { Database } from '../../database/database.ts';
import { openTestDatabase } from '../../database/testing/test-database.ts';
import { createLogger } from '../../observability/logger.ts';
import type { StripeOptions } from '../../providers/stripe/stripe.ts';
import { httpClient, socketClient, type TestClient, widgetFixture } from './running-server.ts';

export const appOperatorKey = `sk_demo_${'k'.repeat(40)}`;

export interface RunningApp {
  readonly app: App;
  readonly url: string;
  readonly database: Database;
  /** The log, as lines of JSON. */
  readonly log: string[];
  readonly clients: Readonly<Record<'http' | 'socket', TestClient>>;
  /** A new user token, as the operator's backend requests it. */
  tokenOf(userId: string, account?: { currency?: string; country?: string }): Promise<string>;
  stop(): Promise<void>;
}

const ofEveryNode = {
  PORT: '0',
  SANDBOX: '1',
  RATE_LIMITS: '0',
  SANDBOX_PROVIDER_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  WIDGET_DIR: widgetFixture,
};

/** Another node with the database of an app that runs already. The caller stops it first. */
export async function startOtherNode(
  { database }: Pick<RunningApp, 'database'>,
  environment: Record<string, string>,
  clock: Clock,
  stripeApi?: StripeOptions['api'],
): Promise<App> {
  const config = readConfig({ ...ofEveryNode, ...environment });
  const app = await createApp(config, {
    logger: createLogger('silent'),
    database,
    clock,
    ...(stripeApi && { stripeApi }),
  });
  await app.start();
  return app;
}

/** @param environment settings besides those of a sandbox with one operator */
export async function startApp(
  environment: Record<string, string> = {},
  clock?: Clock,
  stripeApi?: StripeOptions['api'],
): Promise<RunningApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cashier-app-'));
  const store = await openTestDatabase();
  const log: string[] = [];
  const config = readConfig({
    ...ofEveryNode,
    DATA_DIR: dataDir,
    SEED_DEMO_OPERATOR_KEY: appOperatorKey,
    SEED_DEMO_ORIGIN: 'https://play.example',
    ...environment,
  });
  const app = await createApp(config, {
    logger: createLogger('debug', { write: (line: string) => void log.push(line) }),
    database: store.database,
    ...(clock && { clock }),
    ...(stripeApi && { stripeApi }),
  });
  await app.start();
  const clients = { http: httpClient(app.url), socket: socketClient(app.url) };
  return {
    app,
    url: app.url,
    database: store.database,
    log,
    clients,
    async tokenOf(userId, { currency = 'USD', country = 'IN' } = {}) {
      const response = await fetch(`${app.url}/operator/v1/user-tokens`, {
        method: 'POST',
        body: JSON.stringify({ userId, currency, country }),
        headers: { authorization: `Bearer ${appOperatorKey}`, 'content-type': 'application/json' },
      });
      if (!response.ok) throw new Error(`No token: ${response.status}`);
      return ((await response.json()) as { token: string }).token;
    },
    async stop() {
      for (const client of Object.values(clients)) client.close();
      await app.stop();
      await store.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
