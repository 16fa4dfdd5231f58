/** Handlers that exist in the sandbox alone: webhooks for a listener on an engineer's machine (SRV-5). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Clock } from '@opencashier/core/time/clock';
import type { WebhookListeners } from '../../webhooks/webhook-listeners.ts';
import type { Handlers } from '../register-endpoint.ts';

export interface SandboxTools {
  readonly listeners: WebhookListeners;
  /** Absent: the clock cannot be moved, because a real provider has its own time. */
  readonly machineClock?: Clock | undefined;
}

export function sandboxHandlers({
  listeners,
}: Pick<SandboxTools, 'listeners'>): Handlers<typeof operatorEndpoints.sandbox> {
  return {
    listenForWebhooks: ({ operatorId, body, callerGone }) => listeners.listen(operatorId, body, callerGone()),
  };
}
