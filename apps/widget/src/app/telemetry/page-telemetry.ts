import { events } from '@opencashier/contract/api';
import type { Clock } from '@opencashier/core/time/clock';
import type { ManagedClient } from '../../api/client.ts';
import type { HostChannel } from '../../host/channel.ts';
import { createTelemetry, type Telemetry } from './telemetry.ts';

/**
 * The telemetry of this page: to the host at once, to the server in batches.
 * @param client answers undefined until the page has a client; events measured before then are not sent to the server
 */
export function createPageTelemetry(
  clock: Clock,
  channel: Pick<HostChannel, 'post'>,
  client: () => ManagedClient | undefined,
): Telemetry {
  return createTelemetry({
    clock,
    postMetric: ({ key, value, timestamp }) =>
      channel.post({ messageType: 'metric', payload: { key, value, timestamp } }),
    send: (batch) => client()?.call(events, { events: batch }) ?? Promise.resolve(),
    sendLast: (batch) => client()?.lastCall(events, { events: batch }),
  });
}
