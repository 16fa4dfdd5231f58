/** Calls over a socket: an event per call of the contract, answered by acknowledgement. */
import { type Acknowledgement, calls, socketEventOf } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import { ApiError, errorAnswer } from '../dispatch/api-error.ts';
import { CallAbort } from '../dispatch/call-abort.ts';
import type { Dispatch, Outcome } from '../dispatch/dispatch.ts';
import { newRequestId } from '../http/http.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Logger } from '../observability/logger.ts';
import { acknowledgementOf, type CashierSocket } from './cashier-socket.ts';
import { isWithinSize } from './message-size.ts';

export interface SocketCallOptions {
  readonly dispatch: Dispatch;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  /** The address of the documentation, without a slash at its end. */
  readonly documentation: string;
  readonly logger: Logger;
}

export interface SocketCalls {
  /** Answers one event of a socket. Never rejects. */
  answer(socket: CashierSocket, event: string, args: readonly unknown[]): Promise<void>;
  /** Resolves once no call is in hand. */
  idle(): Promise<void>;
}

/** The most characters of a request. */
const messageLimit = 64 * 1024;
export const messagesPerWindow = 100;
const windowMs = 10_000;

const namesByEvent = new Map<string, string>(Object.values(calls).map((call) => [socketEventOf(call), call.name]));

export function createSocketCalls({ dispatch, limiter, clock, documentation, logger }: SocketCallOptions): SocketCalls {
  let inHand = 0;
  let onIdle: (() => void) | undefined;

  return {
    async answer(socket, event, args) {
      const last = args.at(-1);
      const acknowledge = typeof last === 'function' ? (last as (body: Acknowledgement) => void) : undefined;
      const message = acknowledge ? args.slice(0, -1) : args;
      const requestId = newRequestId();
      inHand += 1;
      try {
        const failure = failureOf(message, limiter.takeHere(`socket ${socket.id}`, messagesPerWindow, windowMs));
        const outcome = failure
          ? errorAnswer(failure, requestId)
          : await callOver(socket, dispatch, event, message[0], requestId);
        acknowledge?.(acknowledgementOf(outcome, clock.now(), documentation));
      } catch (error) {
        logger.error({ err: error, reference: requestId }, 'acknowledgement failed');
      } finally {
        inHand -= 1;
        if (inHand === 0) onIdle?.();
      }
    },
    async idle() {
      if (inHand === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    },
  };
}

/** @param waitSeconds how long the socket must wait before its next message */
function failureOf(message: readonly unknown[], waitSeconds: number): ApiError | undefined {
  if (waitSeconds > 0) return new ApiError('rate-limited', 'Too many messages.', { retryAfterSeconds: waitSeconds });
  if (isWithinSize(message, messageLimit)) return undefined;
  return new ApiError('request-too-large', 'The request is larger than the limit.');
}

async function callOver(
  socket: CashierSocket,
  dispatch: Dispatch,
  event: string,
  request: unknown,
  requestId: string,
): Promise<Outcome> {
  const abort = new CallAbort();
  const leave = () => abort.abort(new Error('The caller went away.'));
  const name = namesByEvent.get(event);
  const isReading = name !== undefined && calls[name as keyof typeof calls].idempotency.kind === 'read';
  // As over HTTP: a call that only reads ends when nobody waits for it. A payment that was begun is finished.
  if (isReading) socket.once('disconnect', leave);
  const { identity, context, address } = socket.data;
  try {
    return await dispatch({
      transport: 'socket',
      name: name ?? '',
      request,
      identity,
      context,
      address,
      requestId,
      abort,
    });
  } finally {
    if (isReading) socket.off('disconnect', leave);
  }
}
