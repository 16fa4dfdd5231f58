/** Makes every property test repeatable: fast-check prints the seed of a failure, and FC_SEED=<seed> runs it again. */
import fc from 'fast-check';

const seed = process.env['FC_SEED'];
const runs = process.env['FC_RUNS'];

fc.configureGlobal({
  ...(seed === undefined ? {} : { seed: Number(seed) }),
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
});
