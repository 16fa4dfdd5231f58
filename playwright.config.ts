import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/machine/chromium.mjs';

const chromium = findChromium();
const isWholeProof = process.env['CI'] !== undefined;

export default defineConfig({
  testDir: 'e2e',
  // The fault tests are vitest's: they need no browser.
  testIgnore: 'faults/**',
  outputDir: 'test-results',
  // One picture for every machine: letters are blocks in them (e2e/visual/gallery.spec.ts).
  snapshotPathTemplate: '{testDir}/visual/pictures/{arg}{ext}',
  // A test that passes only when repeated is a bug of the test or of the cashier. `npm test` names each, and fails at the second.
  retries: isWholeProof ? 1 : 0,
  workers: 2,
  fullyParallel: true,
  forbidOnly: isWholeProof,
  // For machines that are busy with others: what is awaited ends a wait, never a limit.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  globalTimeout: 40 * 60_000,
  reporter: [['list']],
  use: {
    // To record each step costs a third of the time; `npx playwright test --trace on -g "…"` does it for what has failed.
    trace: 'off',
    screenshot: 'only-on-failure',
    // What slides cannot be hit by a click into a frame inside it; the tests of motion ask for it themselves.
    contextOptions: { reducedMotion: 'reduce' },
    locale: 'en-US',
    timezoneId: 'UTC',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
