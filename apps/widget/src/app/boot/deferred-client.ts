/** The client before its code is there: calls wait for the code, and everything else is as with the client itself. */
import type { CallDefinition } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import { abortable } from '../../api/abortable.ts';
import { ClientError, type ManagedClient, networkErrorCode } from '../../api/client.ts';
import { insistInTime } from '../../api/insist.ts';
import type { SilenceWatch } from '../../api/silence.ts';

export interface DeferredClientOptions {
  readonly clock: Clock;
  /** The client continues with it. So the line about silence also appears when the code does not come. */
  readonly silence: SilenceWatch;
  /** Fetches the code and makes the client. */
  readonly load: () => Promise<ManagedClient>;
  /** Runs for every call that failed because the code did not come. */
  readonly onFailure: (call: string, failure: ClientError) => void;
  /** When to load the code without a call; a call loads it in any case. Without it: at once. */
  readonly start?: Promise<unknown> | undefined;
}

/** Makes a client that loads the real one. */
export function createDeferredClient({ clock, silence, load, onFailure, start }: DeferredClientOptions): ManagedClient {
  let client: ManagedClient | undefined;
  let loading: Promise<ManagedClient> | undefined;
  let isClosed = false;
  /** What waits for the client: pushes that somebody listens to. */
  const listeners = new Set<(made: ManagedClient) => void>();

  const take = (made: ManagedClient): ManagedClient => {
    if (isClosed) {
      made.close();
      throw new Error('The client was closed.');
    }
    client = made;
    for (const attach of listeners) attach(made);
    listeners.clear();
    return made;
  };
  const loaded = (): Promise<ManagedClient> => {
    loading ??= insistInTime(load, clock)
      .then(take)
      .catch((error: unknown) => {
        // The next call tries again.
        loading = undefined;
        throw error;
      });
    return loading;
  };
  /** Waits for the code on behalf of a call. @throws ClientError of kind network; the reason of an aborted signal */
  const waitForCode = async (call: CallDefinition, signal: AbortSignal | undefined): Promise<ManagedClient> => {
    const watched = silence.call(call);
    const attempt = watched?.attempt();
    try {
      const made = await abortable(loaded(), signal);
      attempt?.dropped();
      return made;
    } catch (cause) {
      if (signal?.aborted) {
        attempt?.dropped();
        throw cause;
      }
      attempt?.lost();
      const failure = notMade(call, cause);
      onFailure(call.name, failure);
      throw failure;
    } finally {
      watched?.ended();
    }
  };
  const preload = (): void => {
    if (isClosed) return;
    loaded().catch((error: unknown) => console.warn('The client could not be loaded.', error));
  };

  if (start === undefined) preload();
  else start.then(preload, preload);
  return {
    async call(call, request, options) {
      options?.signal?.throwIfAborted();
      const made = client ?? (await waitForCode(call, options?.signal));
      return made.call(call, request, options);
    },
    onPush(name, listen) {
      if (client !== undefined) return client.onPush(name, listen);
      let stop = (): void => void listeners.delete(attach);
      const attach = (made: ManagedClient): void => {
        stop = made.onPush(name, listen);
      };
      listeners.add(attach);
      return () => stop();
    },
    serverOffsetMs: () => client?.serverOffsetMs() ?? 0,
    silence,
    // A page that closes this early has measured nothing that is worth a file.
    lastCall: (call, request) => client?.lastCall(call, request),
    // The client reads the token with each call, so the first one will have the fresh one.
    tokenRenewed: () => client?.tokenRenewed(),
    close() {
      isClosed = true;
      client?.close();
    },
  };
}

/** The failure of a call for which there was no code. Nothing was sent, so a payment may be tried again. */
function notMade({ name }: CallDefinition, cause: unknown): ClientError {
  const message = `${name} was not made: the code of the client could not be loaded.`;
  return new ClientError({ kind: 'network', code: networkErrorCode, status: 0, message }, { cause });
}
