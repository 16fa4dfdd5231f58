/** How a call of the contract is answered: each call has one {@link CallHandler}, and `dispatch` runs them all. */
import type { CallContext, CallDefinition, ParsedRequestOf, ResponseOf } from '@opencashier/contract/api';
import type { Caller } from '../../operators/caller.ts';
import type { Services } from './services.ts';

/** What a handler knows about a request besides its body. */
export interface CallScope {
  /** Present on calls with `auth: 'user'`. A call with `auth: 'none'` gets `undefined` when the request had no token. */
  readonly caller: Caller;
  readonly context: CallContext;
  /** Aborted at the time limit. On a call that only reads, also when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Correlates log lines and the `reference` of an error. */
  readonly requestId: string;
}

export interface CallHandler<Call extends CallDefinition = CallDefinition> {
  readonly call: Call;
  handle(request: ParsedRequestOf<Call>, scope: CallScope, services: Services): Promise<ResponseOf<Call>>;
}

/** Ties a handler to its call, so that request and answer are typed by the contract. */
export function answer<Call extends CallDefinition>(
  call: Call,
  handle: CallHandler<Call>['handle'],
): CallHandler<Call> {
  return { call, handle };
}
