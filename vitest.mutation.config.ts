import { defineConfig } from 'vitest/config';

/** The tests that judge a mutant: those of rules that need neither a database nor a page. See `stryker.config.json`. */
export default defineConfig({
  test: {
    include: ['packages/core/src/**/*.test.ts', 'apps/server/src/payments/**/*.test.ts'],
    exclude: ['**/*.integration.test.ts'],
    setupFiles: ['./tools/testing/property-setup.ts'],
    testTimeout: 60_000,
  },
});
