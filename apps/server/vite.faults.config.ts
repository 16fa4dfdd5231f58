/** Builds what `e2e/faults` kills: the server with its failpoints, and their names. Never a part of `dist/`. */
import { defineConfig, mergeConfig } from 'vite';
import production from './vite.config.ts';

const faults = mergeConfig(production, { build: { outDir: '.cache/faults' } });

export default defineConfig({
  ...faults,
  build: {
    ...faults.build,
    rolldownOptions: {
      ...faults.build.rolldownOptions,
      input: { 'dying-main': 'src/testing/dying-main.ts', failpoints: 'src/payment-ports/failpoints.ts' },
    },
  },
});
