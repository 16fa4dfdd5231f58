/** The client of this page and its telemetry, with what they report to the host. */
import type { PushBody } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import type { ClientError, ManagedClient } from '../../api/client.ts';
import { createSilence } from '../../api/silence.ts';
import type { Identity } from '../../api/transport.ts';
import type { HostChannel } from '../../host/channel.ts';
import { namedPlaces } from '../../host/channel-reports.ts';
import { createDeferredTelemetry } from '../telemetry/deferred-telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createDeferredClient } from './deferred-client.ts';

/** How this page reaches its server. */
export interface ServerAddress {
  readonly server: string;
  readonly clock: Clock;
  /** Called for every request and handshake, because the host may renew the token. */
  readonly identity: () => Identity;
}

export interface ServerLinkPorts {
  readonly channel: Pick<HostChannel, 'post' | 'report'>;
  readonly telemetry: Pick<Telemetry, 'callFailed'>;
  /** The server has sent a fresh token or fresh data of the user (NET-4). */
  readonly onLogin: (login: PushBody<'login.token'>) => void;
  /** When to load the code of the client if no call has needed it before. Without it: at once. */
  readonly start?: Promise<unknown> | undefined;
}

const loadClientCode = () => import('../../api/server-client.ts');

/** Requests the code of the client early, so that the first call does not wait for it. */
export function fetchClientCode(): void {
  // The client handles a failure. This only keeps the browser from reporting it as unhandled.
  void Promise.allSettled([loadClientCode()]);
}

/** Opens the client over the given transport. Its code is loaded with the first call or before. */
export function openClient(
  transport: 'socket' | 'http',
  address: ServerAddress,
  { channel, telemetry, onLogin, start }: ServerLinkPorts,
): ManagedClient {
  const { clock } = address;
  const silence = createSilence(clock);
  const reportRefusal = createRefusalReport(channel.report);
  const onFailure = (call: string, failure: ClientError): void => {
    reportRefusal(failure);
    telemetry.callFailed(call, failure);
  };
  const load = async (): Promise<ManagedClient> => {
    const { createServerClient } = await loadClientCode();
    return createServerClient(transport, address, {
      silence,
      onTokenExpired: () => channel.post({ messageType: 'token-expired', payload: {} }),
      onFailure,
      onSkipped: (call, places) =>
        channel.report('invalid-response', `Items of ${call} were skipped: ${namedPlaces(places)}.`),
    });
  };
  const client = createDeferredClient({ clock, silence, load, onFailure, start });
  client.onPush('login.token', onLogin);
  return client;
}

/** Reports the first refusal of the token; the calls after it are refused for the same reason. */
function createRefusalReport(report: HostChannel['report']): (failure: ClientError) => void {
  let isReported = false;
  return ({ status, code, message }) => {
    if (status !== 401 || isReported) return;
    isReported = true;
    // The message is the server's reason, written for engineers.
    report('token-refused', `${code}: ${message}`);
  };
}

/** @param client answers undefined until the page has a client; events measured before then are not sent to the server */
export function createPageTelemetry(
  { clock }: Pick<ServerAddress, 'clock'>,
  channel: Pick<HostChannel, 'post'>,
  client: () => ManagedClient | undefined,
): Telemetry {
  return createDeferredTelemetry(clock, async () => {
    const page = await import('../telemetry/page-telemetry.ts');
    return page.createPageTelemetry(clock, channel, client);
  });
}
