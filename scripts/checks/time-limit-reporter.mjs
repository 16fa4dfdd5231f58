/**
 * A reporter of vitest that ends a run at a time. Vitest then ends the tests that run, and calls them skipped, as those that had no turn.
 * The run is green if nothing has failed.
 */
export default class TimeLimitReporter {
  #until;
  #vitest;
  #timer;
  #isOver = false;

  /** @param {{ until?: number }} [options] milliseconds since 1970. Vitest gives an empty object. */
  constructor({ until = Number(process.env['TESTS_UNTIL']) } = {}) {
    this.#until = until;
  }

  onInit(vitest) {
    this.#vitest = vitest;
  }

  // With the first file: vitest forgets a stop that comes before.
  onTestModuleQueued() {
    this.#timer ??= setTimeout(
      () => {
        this.#isOver = true;
        void this.#vitest.cancelCurrentRun('time limit');
      },
      Math.max(0, this.#until - Date.now()),
    );
  }

  /** Vitest has set the exit code of a run that was ended from outside. */
  onTestRunEnd(modules, errors) {
    clearTimeout(this.#timer);
    if (this.#isOver && errors.length === 0 && modules.every((module) => module.ok())) process.exitCode = 0;
  }
}
