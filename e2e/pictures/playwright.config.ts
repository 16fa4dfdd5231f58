/** `npm run pictures`: the pictures of README and docs, drawn again by the real cashier. They are no test of it. */
import everyTest from '../../playwright.config.ts';

export default {
  ...everyTest,
  testDir: '.',
  testIgnore: [],
  testMatch: 'pictures.ts',
  outputDir: '../../test-results',
  // One after the other: a picture of a counter should not depend on what else the machine does.
  workers: 1,
  fullyParallel: false,
};
