import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { GivenOrder } from './scripts/checks/given-order.mjs';

// A property test that fails prints its seed; FC_SEED=<seed> repeats exactly that run (tools/testing/property-setup.ts).
const propertySetup = './tools/testing/property-setup.ts';
const patience = './tools/testing/patience.ts';
const never = ['**/node_modules/**', '**/dist/**', 'tools/architecture/canary/**', 'e2e/**'];
const integrationTests = '*.integration.test.ts';
const integrationRooms = 'apps/server/src';
/**
 * The tests that `npm test` runs on the embedded database as well (ADR 1). They are the folders of money, whole payments of each kind,
 * and what opens, copies or archives a folder of data. Without TEST_DATABASE, as each night or for one file, every test runs there.
 */
const onBothDatabases = [
  'app.integration.test.ts',
  ...[
    'database',
    'deposits',
    'ledger',
    'operators',
    'payments',
    'sandbox-clock',
    'sweepstake',
    'webhooks',
    'withdrawals',
  ].map((room) => `${room}/**/${integrationTests}`),
  'acceptance/{balances,card-payouts,coin-payouts,crypto-deposits,deposit-flows,deposit-p2p,sepa-payouts,withdrawal-flows}.integration.test.ts',
  'settlements/settlement-import.integration.test.ts',
  'cli/{archive-command,archive-lines,backup-commands,command-line,doctor,migrate-command,running-cashier,upgrade}.integration.test.ts',
].map((path) => `${integrationRooms}/${path}`);
const testDatabase = process.env['TEST_DATABASE'];
/** On PostgreSQL each file has a database of its own on the server of DATABASE_URL. */
const notThere: Record<string, string[]> = {
  postgres: [`${integrationRooms}/database/embedded/${integrationTests}`],
  // Each asks the whole audit hundreds of times, whose statements are the same.
  embedded: [`${integrationRooms}/{ledger,payments}/tampering*.integration.test.ts`],
};
const faultTests = 'e2e/faults/**/*.fault.test.ts';
const coinFaultTests = 'e2e/faults/{bitcoin,coin,ton,tron}-payouts.fault.test.ts';

/** The published packages by their sources, so that a test needs no build. tsconfig.json has the same list. */
const alias = [
  {
    find: /^@opencashier\/server$/,
    replacement: fileURLToPath(new URL('packages/server/src/index.ts', import.meta.url)),
  },
  {
    find: /^@opencashier\/provider-kit$/,
    replacement: fileURLToPath(new URL('packages/provider-kit/src/index.ts', import.meta.url)),
  },
  {
    find: /^@opencashier\/provider-kit\/testing$/,
    replacement: fileURLToPath(new URL('packages/provider-kit/src/testing/index.ts', import.meta.url)),
  },
  {
    find: /^@opencashier\/embed$/,
    replacement: fileURLToPath(new URL('packages/embed/src/index.ts', import.meta.url)),
  },
];

/**
 * A test waits for an event, never for a fixed time, so a limit only ends a test that hangs. tools/testing/patience.ts raises the
 * limits of each file by the load of the machine; it reads TEST_LIMIT_MS.
 */
function limits(ms: number, env: Record<string, string> = {}) {
  return { testTimeout: ms, hookTimeout: ms, env: { ...env, TEST_LIMIT_MS: String(ms) } };
}

export default defineConfig({
  resolve: { alias },
  test: {
    // Two cores: the third worker only makes the other two wait.
    maxWorkers: 2,
    ...(process.env['TEST_ORDER'] === undefined ? {} : { sequence: { sequencer: GivenOrder } }),
    ...limits(60_000),
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          environment: 'node',
          include: ['**/*.test.ts'],
          exclude: [...never, `**/${integrationTests}`],
          setupFiles: [propertySetup, patience],
          // Most files take less time than their imports. So they share the imports, and must leave nothing behind.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'jsdom',
          // As above; the setup file takes from the page what a test has left there.
          isolate: false,
          include: ['**/*.test.tsx'],
          exclude: never,
          // Class names stay readable in a failure, and a test that depends on a generated one cannot be written.
          css: { modules: { classNameStrategy: 'non-scoped' } },
          setupFiles: [propertySetup, patience, './tools/testing/dom-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          environment: 'node',
          include: testDatabase === 'embedded' ? onBothDatabases : [`**/${integrationTests}`],
          exclude: [...never, ...(notThere[testDatabase ?? ''] ?? [])],
          setupFiles: [propertySetup, patience],
          // Each file has a database of its own, and some run side by side. They share imports, which cost as much as the tests.
          // So a file restores everything that it changes outside its database.
          pool: 'forks',
          isolate: false,
          ...limits(240_000, { TEST_DATABASE: testDatabase ?? 'embedded' }),
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          environment: 'node',
          include: [faultTests],
          exclude: [coinFaultTests],
          // Each file has a database, a Redis and nodes of its own; two at once would only starve each other.
          pool: 'forks',
          fileParallelism: false,
          globalSetup: 'e2e/faults/build-dying.ts',
          setupFiles: [patience],
          ...limits(240_000),
        },
      },
      {
        extends: true,
        test: {
          name: 'coin faults',
          environment: 'node',
          include: [coinFaultTests],
          pool: 'forks',
          // They wait for blocks and for leases, more than they compute.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          globalSetup: 'e2e/faults/build-dying.ts',
          setupFiles: [patience],
          ...limits(240_000),
        },
      },
    ],
  },
});
