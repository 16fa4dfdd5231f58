/** Starts the demo operator's backend. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from './app.ts';
import { createAskBonuses, createMintToken } from './cashier-client.ts';
import { ConfigError, readConfig } from './config.ts';
import { openMoneyJournal } from './money-journal.ts';
import { findUser } from './users.ts';
import { openWalletBook } from './wallet-book.ts';

try {
  const config = readConfig(process.env);
  const folder = join(config.dataFolder, 'demo');
  const knows = (userId: string): boolean => findUser(userId) !== undefined;
  const app = await createApp({
    cashierUrl: config.cashierUrl,
    partner: config.partner,
    sessionSecret: config.operatorKey,
    webhookSecret: config.webhookSecret,
    journal: await openMoneyJournal(join(folder, 'credits.ndjson')),
    wallet: config.hasOwnWallet ? await openWalletBook(join(folder, 'wallet.ndjson'), { knows }) : undefined,
    mintToken: createMintToken(config.cashierUrl, config.operatorKey),
    docsOrigin: config.docsOrigin,
    askBonuses: createAskBonuses(config.cashierUrl, config.operatorKey),
    // Built to dist/server/main.js, beside dist/page.
    pageFolder: fileURLToPath(new URL('../page', import.meta.url)),
    logLevel: process.env['LOG_LEVEL'] ?? 'info',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      app.close().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
  await app.listen({ host: config.host, port: config.port });
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

function explain(error: unknown): unknown {
  if (error instanceof ConfigError) return error.message;
  const { code, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Choose another with DEMO_PORT.`;
  return error;
}
