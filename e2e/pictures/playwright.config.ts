/** `npm run pictures`: draws the pictures of README and docs again with the real cashier. They test nothing. */
import everyTest from '../../playwright.config.ts';

export default {
  ...everyTest,
  testDir: '.',
  testIgnore: [],
  testMatch: 'pictures.ts',
  outputDir: '../../test-results',
  // One after the other, so that a picture of a countdown does not depend on the load of the machine.
  workers: 1,
  fullyParallel: false,
};
