/** Handlers that exist in the sandbox alone: webhooks for a listener on an engineer's machine (SRV-5). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { WebhookListeners } from '../../webhooks/webhook-listeners.ts';
import type { Handlers } from '../register-endpoint.ts';

export interface SandboxTools {
  readonly listeners: WebhookListeners;
}

export function sandboxHandlers({ listeners }: SandboxTools): Handlers<typeof operatorEndpoints.sandbox> {
  return {
    listenForWebhooks: ({ operatorId, body, callerGone }) => listeners.listen(operatorId, body, callerGone()),
  };
}
