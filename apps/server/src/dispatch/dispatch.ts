/**
 * The one way into the calls (NET-1). HTTP and socket only carry requests here and outcomes back, so a call behaves the same
 * on both.
 */
import {
  type CallContext,
  type CallDefinition,
  type CallName,
  calls,
  type ErrorCode,
  errorCodes,
} from '@opencashier/contract/api';
import * as v from 'valibot';
import type { CallHandler, CallScope } from '../calls/handler/call.ts';
import type { Services } from '../calls/handler/services.ts';
import { callsPerMinute, minuteMs } from '../limits/call-limits.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { noSpans, type Span, type Spans } from '../observability/spans.ts';
import type { Caller } from '../operators/caller.ts';
import type { Identity } from '../operators/identity.ts';
import { invalidRequest, refuseUnstorable } from '../requests/invalid-request.ts';
import { unknownField } from '../requests/unknown-fields.ts';
import { ApiError, type ErrorAnswer, errorAnswer } from './api-error.ts';
import type { CallAbort } from './call-abort.ts';
import { withinCallTime } from './call-time.ts';
import type { Draining } from './draining.ts';

export interface DispatchInput {
  readonly transport: 'http' | 'socket';
  readonly name: string;
  /** The request as the transport received it; no schema has read it. */
  readonly request: unknown;
  readonly identity: Identity;
  readonly context: CallContext;
  /** The address of the caller, by which callers without a token are limited. */
  readonly address: string;
  readonly requestId: string;
  /** The transport aborts it when the caller disconnects, dispatch at the time limit. */
  readonly abort: CallAbort;
}

/** `status` is the HTTP status, on the socket the status of the acknowledgement. */
export type Outcome = { readonly status: 200; readonly data: unknown } | ErrorAnswer;

export type Dispatch = (input: DispatchInput) => Promise<Outcome>;

export interface DispatchOptions {
  readonly services: Services;
  readonly handlers: ReadonlyMap<string, CallHandler>;
  readonly limiter: RateLimiter;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Absent: the server never stops. */
  readonly draining?: Draining | undefined;
  /** Absent: no traces. */
  readonly spans?: Spans | undefined;
}

const isCallName = (name: string): name is CallName => Object.hasOwn(calls, name);

/** Answers every call of the contract. A call without a handler is `not-implemented`. Never throws. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { services, handlers, limiter, metrics, logger, draining, spans = noSpans } = options;

  /** @throws ApiError and whatever a handler throws */
  async function carryOut(call: CallDefinition, name: CallName, input: DispatchInput, span: Span): Promise<unknown> {
    const caller = authorise(call, input, services.clock.now());
    if (caller) span.note({ operator: caller.operatorId });
    const who = caller ? `${caller.operatorId} ${caller.userId}` : input.address;
    const taken = limiter.take(`${name} ${who}`, callsPerMinute(name), minuteMs);
    const wait = typeof taken === 'number' ? taken : await taken;
    if (wait > 0) throw new ApiError('rate-limited', 'Too many requests.', { retryAfterSeconds: wait });
    const request = readRequest(call, input.request);
    const handler = handlers.get(name);
    if (!handler) throw new ApiError('not-implemented', `This server does not implement ${name} yet.`);
    const scope: CallScope = {
      // The type promises a caller that calls without a token do not have (calls/handler/call.ts).
      caller: caller as Caller,
      context: readContext(input.context),
      get signal() {
        return input.abort.signal;
      },
      requestId: input.requestId,
    };
    const work = () => spans.step(`handle ${name}`, { call: name }, () => handler.handle(request, scope, services));
    return withinCallTime(work, {
      clock: services.clock,
      abort: input.abort,
      draining,
      late: () => timeIsUp(call),
      onLateFailure: (error) =>
        logger.error({ err: error, call: name, reference: input.requestId }, 'call failed after its time limit'),
    });
  }

  async function outcomeOf(call: CallDefinition | undefined, input: DispatchInput, span: Span): Promise<Outcome> {
    const startedAt = performance.now();
    let outcome: Outcome;
    try {
      if (!call) throw new ApiError('not-found', 'This call does not exist.');
      outcome = { status: 200, data: await carryOut(call, call.name as CallName, input, span) };
    } catch (error) {
      outcome = errorAnswer(error, input.requestId);
      if (errorCodes[outcome.error.code as ErrorCode].status >= 500) {
        const level = levelOf(outcome.error.code);
        logger[level]({ err: error, call: call?.name, reference: input.requestId }, 'call failed');
      }
    }
    const code = 'error' in outcome ? outcome.error.code : 'ok';
    span.note({ outcome: code });
    metrics.call({
      call: call?.name ?? 'unknown',
      transport: input.transport,
      code,
      seconds: (performance.now() - startedAt) / 1000,
    });
    return outcome;
  }

  return (input) => {
    const call = isCallName(input.name) ? calls[input.name] : undefined;
    const name = call?.name ?? 'unknown';
    const { transport } = input;
    // A trace always begins here. The server does not read trace headers of browsers.
    return spans.begin(`${transport} ${name}`, { transport, call: name }, { kind: 'server' }, (span) =>
      outcomeOf(call, input, span),
    );
  };
}

/** A provider that declines a payment works correctly, so its answer is no error. A fault of a provider has a log line of its own. */
export function levelOf(code: string): 'debug' | 'info' | 'error' {
  if (code === 'not-implemented') return 'debug';
  return code === 'provider-error' ? 'info' : 'error';
}

/** The caller, or `undefined` on a call that needs none. @throws ApiError unauthorized, token-expired */
function authorise(call: CallDefinition, input: DispatchInput, now: number): Caller | undefined {
  const { identity, context } = input;
  if (identity.kind === 'user') {
    if (identity.expiresAt <= now) {
      if (call.auth === 'none') return undefined;
      throw new ApiError('token-expired', 'The user token has expired. Request a new one.');
    }
    const { caller } = identity;
    const isOther =
      (context.userId !== '' && context.userId !== caller.userId) ||
      (context.partnerKey !== '' && context.partnerKey !== caller.partnerKey);
    if (isOther) throw new ApiError('unauthorized', 'The user token belongs to another user or operator.');
    return caller;
  }
  if (call.auth === 'none') return undefined;
  if (identity.kind === 'refused' && identity.code === 'token-expired') {
    throw new ApiError('token-expired', 'The user token has expired. Request a new one.');
  }
  throw new ApiError('unauthorized', 'This call needs a valid user token.');
}

/** @throws ApiError invalid-request, naming the fields */
function readRequest(call: CallDefinition, request: unknown): unknown {
  const parsed = v.safeParse(call.request, request ?? {});
  if (!parsed.success) throw invalidRequest(parsed.issues, call.request);
  const unknown = unknownField(call.request, request);
  if (unknown !== undefined) {
    throw new ApiError('invalid-request', 'The request has an unknown field.', {
      fields: [{ path: unknown, message: 'This field is unknown. Remove it.' }],
    });
  }
  refuseUnstorable(parsed.output);
  return parsed.output;
}

const languageTag = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** A context that is not valid never fails a call. An unknown language becomes English. */
function readContext(context: CallContext): CallContext {
  return languageTag.test(context.language) ? context : { ...context, language: 'en' };
}

/** A call that may have created something has an unknown outcome. Any other call can simply be repeated. */
function timeIsUp(call: CallDefinition): ApiError {
  return call.idempotency.kind === 'key'
    ? new ApiError('unknown-outcome', 'The outcome was not known in time. It is being checked. Do not pay again.')
    : new ApiError('temporarily-unavailable', 'The server did not answer in time. Try again.', {
        retryAfterSeconds: 5,
      });
}
