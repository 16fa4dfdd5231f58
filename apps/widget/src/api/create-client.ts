/** The client over a transport: retries, renewal of the token, and reading of answers by the contract's schemas. */
import { type CallDefinition, isSuccessStatus, pushes } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import { lost, refused } from './call-failure.ts';
import { ClientError, type ManagedClient } from './client.ts';
import { readWithoutOddItems } from './odd-items.ts';
import { exchangeWithRetries, type Outcome } from './retry.ts';
import { createSilence, type SilenceWatch } from './silence.ts';
import { createTokenRenewal, renewalTimeoutMs, type TokenRenewal, wrongTokenTimeoutMs } from './token-renewal.ts';
import type { Exchange, Transport } from './transport.ts';

export interface ClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Over what calls are made while the page closes. Without it: over the transport. */
  readonly lasting?: Pick<Transport, 'exchange'>;
  /** Whether the server is silent, where that is watched before there is a client. */
  readonly silence?: SilenceWatch;
  /** Asks the host for a fresh token. */
  readonly onTokenExpired: () => void;
  /** Runs for every failed call (ERR-3), with the call's name. */
  readonly onFailure?: (call: string, failure: ClientError) => void;
  /** Runs when items of a list could not be read, with their places in the answer. */
  readonly onSkipped?: (call: string, places: readonly string[]) => void;
}

type OnSkipped = ClientOptions['onSkipped'];

export function createClient(options: ClientOptions): ManagedClient {
  const { transport, clock, lasting = transport, silence = createSilence(clock), onTokenExpired, onFailure } = options;
  let offsetMs = 0;
  const renewal = createTokenRenewal(clock, onTokenExpired);

  const noteServerTime = (exchange: Exchange & { kind: 'answer' }, askedAt: number): void => {
    if (exchange.serverTimeMs === undefined) return;
    // The server wrote the time between our request and its answer; the middle is the best guess.
    offsetMs = Math.round(exchange.serverTimeMs - (askedAt + clock.now()) / 2);
  };
  const ports = { transport, clock, silence, onAnswer: noteServerTime };

  const perform = async (call: CallDefinition, request: unknown, signal?: AbortSignal): Promise<unknown> => {
    const send = () => exchangeWithRetries(ports, call, request, signal);
    const outcome = await withFreshToken(send, renewal, signal);
    return readOutcome(call, outcome, transport.name, options.onSkipped);
  };

  return {
    async call(call, request, { signal } = {}) {
      signal?.throwIfAborted();
      try {
        // The response schema of this very call has read the value.
        return (await perform(call, request, signal)) as v.InferOutput<typeof call.response>;
      } catch (error) {
        if (error instanceof ClientError) onFailure?.(call.name, error);
        throw error;
      }
    },
    onPush(name, listen) {
      return transport.onPush(name, (body) => {
        const parsed = v.safeParse(pushes[name].body, body);
        // A push is only a hint. When it cannot be read, nothing is lost, because the screen polls.
        if (parsed.success) listen(parsed.output as Parameters<typeof listen>[0]);
      });
    },
    serverOffsetMs: () => offsetMs,
    silence,
    lastCall: (call, request) => void lasting.exchange(call, request),
    tokenRenewed() {
      transport.renew();
      renewal.renewed();
    },
    close() {
      renewal.end();
      transport.close();
    },
  };
}

/** Sends a call, and once more when the server refused its token and a fresh one has come (HOST-11). */
async function withFreshToken(
  send: () => Promise<Outcome>,
  renewal: TokenRenewal,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const generation = renewal.generation();
  const first = await send();
  if (first.exchange.kind !== 'answer' || first.exchange.status !== 401) return first;
  const timeoutMs = first.exchange.error?.code === 'token-expired' ? renewalTimeoutMs : wrongTokenTimeoutMs;
  const isRenewed = renewal.generation() !== generation || (await renewal.wait(timeoutMs, signal));
  if (!isRenewed) return first;
  const { exchange, mayHaveRun } = await send();
  return { exchange, mayHaveRun: first.mayHaveRun || mayHaveRun };
}

/** Reads an answer by the contract's schema. @throws ClientError for everything but a success that can be read */
function readOutcome(
  call: CallDefinition,
  { exchange, mayHaveRun }: Outcome,
  transport: Transport['name'],
  onSkipped: OnSkipped,
): unknown {
  if (exchange.kind === 'lost') throw lost(call, exchange, mayHaveRun);
  if (!isSuccessStatus(exchange.status, transport)) throw refused(call, exchange, mayHaveRun);
  const parsed = v.safeParse(call.response, exchange.data);
  if (parsed.success) return parsed.output;
  const list = call.skipsOddItems ? readWithoutOddItems(call.response, exchange.data) : undefined;
  if (list !== undefined) {
    onSkipped?.(call.name, list.skipped);
    return list.output;
  }
  throw new ClientError({
    kind: 'unknown',
    code: 'invalid-response',
    status: exchange.status,
    message: `The answer of ${call.name} does not have the documented shape at ${v.getDotPath(parsed.issues[0]) ?? 'its top'}.`,
  });
}
