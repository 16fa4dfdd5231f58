/** `npm run locales screens`: finds the picture that shows each text, and draws the pictures for translators. It tests nothing. */
import everyTest from '../../playwright.config.ts';

export default {
  ...everyTest,
  testDir: '.',
  testIgnore: [],
  testMatch: 'text-screens.ts',
  outputDir: '../../test-results',
  workers: 1,
};
