/** Closes the HTTP server within a fixed time, whoever is still connected (SRV-9). */
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyInstance } from 'fastify';
import type { Draining } from '../dispatch/draining.ts';
import type { ConnectionLimits } from '../http/connection-limits.ts';

/** How long a call in hand may go on. Then it is aborted, so that it answers with its state. ms. */
export const abortAfterMs = 3_000;
/** After this further time every connection is ended. ms. */
export const endAfterMs = 4_500;
/** A kept-alive connection is ended after its last answer. */
const sweepEveryMs = 50;

export interface CloseParts {
  readonly connections: Pick<ConnectionLimits, 'endUpgraded'>;
  readonly draining: Pick<Draining, 'abortCalls'>;
  readonly clock: Clock;
}

export async function closeInTime(
  server: FastifyInstance,
  { connections, draining, clock }: CloseParts,
): Promise<void> {
  const cancels = [
    clock.setRepeating(() => server.server.closeIdleConnections(), sweepEveryMs),
    clock.setTimer(draining.abortCalls, abortAfterMs),
    clock.setTimer(() => {
      server.server.closeAllConnections();
      connections.endUpgraded();
    }, endAfterMs),
  ];
  try {
    await server.close();
  } finally {
    for (const cancel of cancels) cancel();
  }
}
