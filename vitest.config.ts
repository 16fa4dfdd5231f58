import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// A property test that fails prints its seed; FC_SEED=<seed> repeats exactly that run (tools/testing/property-setup.ts).
const propertySetup = './tools/testing/property-setup.ts';
const patience = './tools/testing/patience.ts';
const never = ['**/node_modules/**', '**/dist/**', 'tools/architecture/canary/**', 'e2e/**'];
const integrationTests = '**/*.integration.test.ts';
const integrationRooms = 'apps/server/src';
/** TEST_DATABASE names the database of the integration tests. `npm test` runs one after the other (ADR 1). */
const notOn: Record<string, string[]> = {
  // DATABASE_URL names a server, on which each file creates and drops a database of its own. All files run there but the test
  // of the embedded database itself.
  postgres: [`${integrationRooms}/database/embedded/embedded-database.integration.test.ts`],
  // PGlite in the process. It starts again for each file, which costs more than most files' tests. So folders without
  // statements of their own are left out: providers' formats, pages, limits of calls, logs.
  embedded: [
    ...['providers', 'transports', 'calls', 'captcha', 'bounce', 'catalogue', 'rates', 'telemetry'].map(
      (room) => `${integrationRooms}/${room}/**`,
    ),
    // Each of its tests fills a ledger of several months: two minutes here. The test of the archive command runs on both.
    `${integrationRooms}/cli/archive-{ledger,random-ledger}.integration.test.ts`,
    // Programs of measurement, development and Kubernetes: one run is enough.
    `${integrationRooms}/config/**`,
    'scripts/**',
  ],
  // Not set, as when somebody runs one file or `vitest run --project integration`: every file on PGlite.
};
const testDatabase = process.env['TEST_DATABASE'];
const faultTests = 'e2e/faults/**/*.fault.test.ts';

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
          exclude: [...never, integrationTests],
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
          include: [integrationTests],
          exclude: [...never, ...(notOn[testDatabase ?? ''] ?? [])],
          setupFiles: [propertySetup, patience],
          // Each file has a database of its own, and two run side by side. They share imports, which cost as much as the tests.
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
          // Each file has a database, a Redis and nodes of its own; two at once would only starve each other.
          pool: 'forks',
          fileParallelism: false,
          setupFiles: [patience],
          ...limits(240_000),
        },
      },
    ],
  },
});
