/**
 * Makes every property test repeatable: fast-check prints the seed of a failure, and FC_SEED=<seed> runs it again.
 *
 * With PROPERTY_MS=<milliseconds> a property makes no more runs after this time of the processor. `npm run check` sets it, `npm test` does not.
 */
import fc from 'fast-check';

const seed = process.env['FC_SEED'];
const runs = process.env['FC_RUNS'];

fc.configureGlobal({
  ...(seed === undefined ? {} : { seed: Number(seed) }),
  ...(runs === undefined ? {} : { numRuns: Number(runs) }),
});

const mostMs = Number(process.env['PROPERTY_MS']);
/** Fewer say too little about a property. */
const fewestRuns = 10;

// Files of a process share fast-check, so the plugin is installed once.
const installed = Symbol.for('opencashier.property-time');
if (mostMs > 0 && !Reflect.has(globalThis, installed)) {
  Reflect.set(globalThis, installed, true);
  fc.installGlobalPlugin(() => {
    // Time of the processor: a busy machine must not make fewer runs.
    const start = process.cpuUsage();
    const isOver = (): boolean => {
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000 > mostMs;
    };
    let runs = 0;
    let hasFailed = false;
    return {
      decorateRun: (run) => (value) => {
        // After a failure the runs look for its smallest example, so each of them counts.
        if (!hasFailed && runs >= fewestRuns && isOver()) return null;
        runs += 1;
        const note = <Outcome>(outcome: Outcome): Outcome => {
          hasFailed ||= outcome !== null;
          return outcome;
        };
        const outcome = run(value);
        return outcome instanceof Promise ? outcome.then(note) : note(outcome);
      },
    };
  });
}
