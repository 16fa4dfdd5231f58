import { defineConfig } from 'vitest/config';

// A property test that fails prints its seed; FC_SEED=<seed> repeats exactly that run (tools/testing/property-setup.ts).
const propertySetup = './tools/testing/property-setup.ts';
const never = ['**/node_modules/**', '**/dist/**', 'tools/architecture/canary/**', 'e2e/**'];
const integrationTests = '**/*.integration.test.ts';
const faultTests = 'e2e/faults/**/*.fault.test.ts';

export default defineConfig({
  test: {
    // Two cores: the third worker only makes the other two wait.
    maxWorkers: 2,
    // A test waits for what it is about, never for a while; this is for machines that are busy with others.
    testTimeout: 20_000,
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
          setupFiles: [propertySetup],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          environment: 'jsdom',
          include: ['**/*.test.tsx'],
          exclude: never,
          // Class names stay readable in a failure, and a test that depends on a generated one cannot be written.
          css: { modules: { classNameStrategy: 'non-scoped' } },
          setupFiles: [propertySetup, './tools/testing/dom-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          environment: 'node',
          include: [integrationTests],
          exclude: never,
          setupFiles: [propertySetup],
          // Each file in a process of its own with a database of its own. Two embedded ones run side by side; the files that
          // share a PostgreSQL server take turns. TEST_DATABASE says which database (see below).
          pool: 'forks',
          fileParallelism: process.env['TEST_DATABASE'] !== 'postgres',
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // TEST_DATABASE=embedded (default): PGlite in the process. TEST_DATABASE=postgres: DATABASE_URL names a server
          // on which a test file creates and drops a database of its own.
          env: { TEST_DATABASE: process.env['TEST_DATABASE'] ?? 'embedded' },
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
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
