/**
 * Ends a call early. It is an `AbortController` that makes its signal only when somebody asks for it. Most calls end without one,
 * and making a signal takes longer than reading the call's request.
 */
export class CallAbort {
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #onAbort: (() => void) | undefined;
  readonly #watch: ((abort: CallAbort) => void) | undefined;

  /** @param watch begins to look for a reason to abort, when the signal is first asked for */
  constructor(watch?: (abort: CallAbort) => void) {
    this.#watch = watch;
  }

  /** Why the call was aborted; undefined: it was not. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason === undefined) this.#watch?.(this);
      else this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Only the first abort counts. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#onAbort?.();
  }

  /** Calls `run` at the abort, as `addEventListener` would: not for an abort in the past. Undefined: calls nothing. */
  onAbort(run: (() => void) | undefined): void {
    this.#onAbort = run;
  }
}
