/**
 * Spans of what the server does (SRV-9): who wants traces gets them from `open-telemetry`, everybody else `noSpans`, which only
 * calls through. What a span may say is a closed list of ids and words of our own; bodies, addresses, tokens, errors' messages
 * and data of users have no way in.
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
  /** A word of our own: a code of the contract, a state, the kind of an answer. */
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
  /** The payment that it is all about: every beginning with the same one joins one trace, on whichever node. */
  readonly payment?: string | undefined;
  /** A W3C `traceparent` of somebody who has proved to be an operator's backend. */
  readonly traceparent?: string | undefined;
}

export interface Spans {
  /** A beginning: a request, a job, a stage of a payment. It links to the span in which it happens, if there is one. */
  begin<Result>(
    name: string,
    facts: SpanFacts,
    options: Beginning,
    work: (span: Span) => Promise<Result>,
  ): Promise<Result>;
  /** A part of what has begun; outside of any beginning it is not recorded. */
  step<Result>(name: string, facts: SpanFacts, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** Sends what is left, for a moment at most. */
  stop(): Promise<void>;
}

/** The span in which code runs; `Spans` that record keep it. */
export const currentSpan = new AsyncLocalStorage<object>();

/** Starts work that is nobody's part, such as a loop that happens to be woken by a request. Costs nothing while traces are off. */
export function apart<Result>(work: () => Result): Result {
  return currentSpan.exit(work);
}

const noSpan: Span = { note: () => undefined };

/** Traces are off. */
export const noSpans: Spans = {
  begin: (_name, _facts, _options, work) => work(noSpan),
  step: (_name, _facts, work) => work(noSpan),
  stop: async () => undefined,
};
