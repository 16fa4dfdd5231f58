/**
 * A reporter of vitest that starts no further test after a time. Tests that run then end as usual. So the run is green if nothing failed,
 * although not all files had their turn.
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

  // Not in onInit: vitest forgets a stop that comes before the run.
  onTestRunStart() {
    this.#timer = setTimeout(
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
