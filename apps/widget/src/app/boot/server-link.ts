/** The client of this page and its telemetry, with what they report to the host. */
import { events, type PushBody } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import type { ClientError } from '../../api/client.ts';
import { createClient, type ManagedClient } from '../../api/create-client.ts';
import { createHttpTransport, withClosingCallOverHttp } from '../../api/http-transport.ts';
import { createSocketTransport } from '../../api/socket-transport.ts';
import type { Identity } from '../../api/transport.ts';
import type { HostChannel } from '../../host/channel.ts';
import { namedPlaces } from '../../host/channel-reports.ts';
import { createTelemetry, failureText, type Telemetry } from '../telemetry/telemetry.ts';

/** How this page reaches its server. */
export interface ServerAddress {
  readonly server: string;
  readonly clock: Clock;
  /** Called for every request and handshake, because the host may renew the token. */
  readonly identity: () => Identity;
}

export interface ServerLinkPorts {
  readonly channel: Pick<HostChannel, 'post' | 'report'>;
  readonly telemetry: Pick<Telemetry, 'note'>;
  /** The server has sent a fresh token or fresh data of the user (NET-4). */
  readonly onLogin: (login: PushBody<'login.token'>) => void;
}

/** Opens the client over the given transport. The socket connects with the first call. */
export function openClient(
  transport: 'socket' | 'http',
  address: ServerAddress,
  { channel, telemetry, onLogin }: ServerLinkPorts,
): ManagedClient {
  const http = createHttpTransport(address);
  const reportRefusal = createRefusalReport(channel.report);
  const client = createClient({
    transport: transport === 'http' ? http : withClosingCallOverHttp(createSocketTransport(address), http),
    clock: address.clock,
    onTokenExpired: () => channel.post({ messageType: 'token-expired', payload: {} }),
    onFailure(call, failure) {
      reportRefusal(failure);
      // A failed `events` call must not cause another `events` call.
      if (call !== events.name) telemetry.note(`call-failed.${call}`, failureText(failure));
    },
    onSkipped: (call, places) =>
      channel.report('invalid-response', `Items of ${call} were skipped: ${namedPlaces(places)}.`),
  });
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
  address: ServerAddress,
  channel: Pick<HostChannel, 'post'>,
  client: () => ManagedClient | undefined,
): Telemetry {
  return createTelemetry({
    clock: address.clock,
    postMetric: ({ key, value, timestamp }) =>
      channel.post({ messageType: 'metric', payload: { key, value, timestamp } }),
    send: (batch) => client()?.call(events, { events: batch }) ?? Promise.resolve(),
    // The browser closes a socket with its page, so the events would be lost; a request with `keepalive` arrives.
    sendLast: (batch) => void createHttpTransport(address).exchange(events, { events: batch }),
  });
}
