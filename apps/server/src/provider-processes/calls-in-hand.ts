/** The calls that a process has, whose they are, and what each owner may take of the process. */
import type { SuspectKey } from '@opencashier/core/connections/crash-quarantine';
import { type Caller, isOfCallback, keyOf } from './caller.ts';
import { FairPlaces } from './fair-places.ts';

/** Calls in progress of all operators together. More would only wait in the process. */
const MOST_CALLS = 200;
/** Callbacks in progress besides. */
const MOST_CALLBACKS = 40;
/** Bytes of calls that a process has not read yet, and those of callbacks besides. */
const MOST_UNREAD_BYTES = 8 * 1024 * 1024;
const MOST_UNREAD_CALLBACK_BYTES = 4 * 1024 * 1024;
/** Calls whose late answer is expected, and owners who had calls lately. The oldest are forgotten. */
const MOST_REMEMBERED = 1_000;
/** What a call has begun can still crash the process so long after its answer. ms. */
const AFTER_ANSWER_MS = 1_000;
/** A call without an answer in time can still block the process. It is found to hang within 20 seconds. ms. */
const AFTER_GIVING_UP_MS = 30_000;

export interface PendingCall {
  readonly caller: Caller;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  /** Gives back what the call holds. */
  readonly forget: () => void;
}

export class CallsInHand<Call extends PendingCall> {
  readonly #calls = new Map<number, Call>();
  readonly #places = { calls: new FairPlaces(MOST_CALLS), callbacks: new FairPlaces(MOST_CALLBACKS) };
  #unread = newUnread();
  readonly #givenUp = new Set<number>();
  /** Until when a crash may come from a call that has ended, by its owner. Milliseconds since the epoch. */
  readonly #lately = new Map<SuspectKey, number>();
  readonly #now: () => number;
  #ids = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @returns gives the place back; undefined: the owner has its share */
  enter({ operatorId }: Caller, method: string): (() => void) | undefined {
    return this.#places[isOfCallback(method) ? 'callbacks' : 'calls'].take(operatorId);
  }

  /** @returns says that the process has read the bytes; undefined: the owner has its share of unread bytes */
  write({ operatorId }: Caller, method: string, bytes: number): (() => void) | undefined {
    return this.#unread[isOfCallback(method) ? 'callbacks' : 'calls'].take(operatorId, bytes);
  }

  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  add(id: number, call: Call): void {
    this.#calls.set(id, call);
  }

  find(id: number): Call | undefined {
    return this.#calls.get(id);
  }

  /** The call is answered. */
  answered(id: number): Call | undefined {
    return this.#end(id, AFTER_ANSWER_MS);
  }

  /** Nobody waits for the call any more. */
  givenUp(id: number): Call | undefined {
    const call = this.#end(id, AFTER_GIVING_UP_MS);
    if (call === undefined) return undefined;
    this.#givenUp.add(id);
    forgetOldest(this.#givenUp);
    return call;
  }

  /**
   * What an answer is that no call waits for. `late`: nobody waits any more. `repeated`: the call had an answer. `unknown`: there was no
   * such call.
   */
  kindOfStray(id: unknown): 'late' | 'repeated' | 'unknown' {
    if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1 || id > this.#ids) return 'unknown';
    return this.#givenUp.delete(id) ? 'late' : 'repeated';
  }

  /** The process has ended. @returns its calls, and whose calls may have ended it */
  lose(): { readonly calls: readonly Call[]; readonly suspects: readonly SuspectKey[] } {
    const now = this.#now();
    const calls = [...this.#calls.values()];
    const lately = [...this.#lately].flatMap(([key, until]) => (until >= now ? [key] : []));
    for (const { forget } of calls) forget();
    this.#calls.clear();
    this.#givenUp.clear();
    this.#lately.clear();
    this.#unread = newUnread();
    return { calls, suspects: [...new Set([...calls.map(({ caller }) => keyOf(caller)), ...lately])] };
  }

  isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  #end(id: number, suspectForMs: number): Call | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    call.forget();
    const key = keyOf(call.caller);
    const until = Math.max(this.#now() + suspectForMs, this.#lately.get(key) ?? 0);
    this.#lately.delete(key);
    this.#lately.set(key, until);
    forgetOldest(this.#lately);
    return call;
  }
}

function newUnread() {
  return { calls: new FairPlaces(MOST_UNREAD_BYTES), callbacks: new FairPlaces(MOST_UNREAD_CALLBACK_BYTES) };
}

function forgetOldest(remembered: Set<unknown> | Map<unknown, unknown>): void {
  const [oldest] = remembered.keys();
  if (remembered.size > MOST_REMEMBERED) remembered.delete(oldest);
}
