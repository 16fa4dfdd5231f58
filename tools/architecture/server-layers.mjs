/**
 * The layers of the server, lowest first. Each folder of apps/server/src belongs to one layer, and imports from its own layer
 * or from a lower one (docs/architecture-of-the-server.md).
 */
export const serverRoot = 'apps/server/src';

export const serverLayers = [
  {
    name: 'foundations',
    comment: 'Technical parts know no rule of money.',
    folders: [
      'errors',
      'languages',
      'database',
      'observability',
      'jobs',
      'limits',
      'requests',
      'sealing',
      'outbox',
      'providers',
      'provider-processes',
      'sandbox-clock',
    ],
  },
  {
    name: 'domain',
    comment: 'The rules of money know no call, no page and no transport.',
    folders: [
      'ledger',
      'operators',
      'catalogue',
      'routing',
      'connections',
      'own-texts',
      'bonuses',
      'rates',
      'sweepstake',
      'provider-events',
      'payment-ports',
      'reviews',
      'operator-wallet',
      'deposits',
      'payments',
      'confirmation-codes',
      'payout-accounts',
      'payout-refunds',
      'withdrawals',
    ],
  },
  {
    name: 'messages',
    comment: 'What goes out to addresses of operators knows neither its cause nor the meaning of an answer.',
    folders: ['webhooks', 'signed-questions'],
  },
  {
    name: 'application',
    comment: 'Handlers of requests and repeated work do not know by which transport a request came.',
    folders: [
      'reconciliation',
      'wallet-calls',
      'bonus-engine',
      'payment-service',
      'pages',
      'bounce',
      'captcha',
      'telemetry',
      'settlements',
      'day-closes',
      'payout-files',
      'backup',
      'calls',
      'operator-api',
      'monitoring',
    ],
  },
  {
    name: 'transports',
    comment: 'A transport carries requests to the application; app.ts decides which.',
    folders: ['dispatch', 'http', 'socket', 'host-doctor', 'transports'],
  },
  {
    name: 'composition',
    comment: 'The programs read the settings and put everything together.',
    folders: ['config', 'assembly', 'cli'],
  },
];

/** The folder of the server that a file lies in; `undefined` outside the server and for the programs at its root. */
export function serverFolderOf(path) {
  return /^(?:\.\.\/)*apps\/server\/src\/([^/]+)\//.exec(path)?.[1];
}
