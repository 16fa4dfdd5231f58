/**
 * Spans of the server's work (SRV-9). `open-telemetry` records them; without traces `noSpans` only runs the work. The facts of a
 * span are a closed list of our own ids and codes. Bodies, addresses, tokens, messages of errors and data of users never get in.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface SpanFacts {
  readonly transport?: 'http' | 'socket';
  /** A call's name in the contract. */
  readonly call?: string;
  /** A route's pattern, never an address. */
  readonly route?: string;
  readonly operator?: string;
  /** Our own id of a deposit or a withdrawal. */
  readonly payment?: string;
  readonly method?: string;
  readonly provider?: string;
  /** The name of a prepared statement. */
  readonly statement?: string;
  /** One of our codes: a code of the contract, a state, the kind of an answer. */
  readonly outcome?: string;
  readonly attempt?: number;
}

/** A span that is open. */
export interface Span {
  /** Adds facts that were not known at the start. */
  note(facts: SpanFacts): void;
}

export interface Beginning {
  readonly kind?: 'server' | 'internal';
  /** The payment that the work is about. All work with the same payment joins one trace, at whichever node. */
  readonly payment?: string | undefined;
  /** A W3C `traceparent` from an operator's backend that has authenticated. */
  readonly traceparent?: string | undefined;
}

export interface Spans {
  /** Starts a span of its own: a request, a job, a stage of a payment. It links to the span in which it happens, if there is one. */
  begin<Result>(
    name: string,
    facts: SpanFacts,
    options: Beginning,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result>;
  /** Starts a span inside the current span. Without a current span nothing is recorded. */
  step<Result>(name: string, facts: SpanFacts, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** Sends the remaining spans, within a short time. */
  stop(): Promise<void>;
}

/** The span in which code runs. Recording `Spans` set it. */
export const currentSpan = new AsyncLocalStorage<object>();

/** Starts work outside the current span, such as a loop that a request wakes. Costs nothing while traces are off. */
export function apart<Result>(work: () => Result): Result {
  return currentSpan.exit(work);
}

const noSpan: Span = { note: () => undefined };

/** For a server without traces. */
export const noSpans: Spans = {
  begin: (_name, _facts, _options, work) => work(noSpan),
  step: (_name, _facts, work) => work(noSpan),
  stop: async () => undefined,
};
