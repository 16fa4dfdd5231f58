/** The end of a call before its answer: its caller has left, its time is up, or its node stops. */

/** Like an `AbortController`, but cheap: few calls ever ask for the signal, and making one costs more than reading a request. */
export class CallAbort {
  readonly #controller = new AbortController();
  #listener: ((reason: unknown) => void) | undefined;
  #isAborted = false;

  /** For work that can end early. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Only the first abort counts. */
  abort(reason: Error): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#controller.abort(reason);
    this.#listener?.(reason);
  }

  /** Listens for a later abort, in place of an earlier listener. */
  onAbort(listener: ((reason: unknown) => void) | undefined): void {
    this.#listener = listener;
  }
}
