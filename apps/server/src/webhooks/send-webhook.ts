/** One attempt to deliver a webhook, signed by the Standard Webhooks scheme (SRV-5). */
import type { Clock } from '@opencashier/core/time/clock';
import { messageSignature, signingKeyOf } from '../sealing/message-signature.ts';
import { PostError, postOnce } from './post-once.ts';
import { webhookAddressProblem } from './webhook-address.ts';

export interface OutgoingWebhook {
  /** The receiver's idempotency key: the same in all attempts. */
  readonly id: string;
  readonly url: string;
  /** `whsec_…`, newest first. Each one signs, so that during a rotation a receiver may know the old or the new one. */
  readonly secrets: readonly string[];
  readonly body: string;
}

export type WebhookTry =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly error: string; readonly durationMs: number }
  /** The signal aborted the request. The webhook may or may not have arrived. It does not count as an attempt. */
  | { readonly kind: 'aborted' };

export interface SendOptions {
  readonly clock: Clock;
  readonly allowInsecure: boolean;
  readonly post?: typeof postOnce;
}

/** Headers of the Standard Webhooks scheme for a body that is sent at `at` (ms since the epoch). */
export function signWebhook(webhook: Omit<OutgoingWebhook, 'url'>, at: number): Record<string, string> {
  const timestamp = Math.floor(at / 1000);
  return {
    'webhook-id': webhook.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': webhook.secrets
      .map((secret) => messageSignature(signingKeyOf(secret), webhook.id, timestamp, webhook.body))
      .join(' '),
  };
}

/** Posts a webhook once. A redirect is an answer and is not followed, so that only the registered address is called. */
export async function sendWebhook(
  webhook: OutgoingWebhook,
  options: SendOptions,
  signal: AbortSignal,
): Promise<WebhookTry> {
  const startedAt = options.clock.now();
  const durationMs = (): number => Math.max(0, options.clock.now() - startedAt);
  const refusal = refuse(webhook, options.allowInsecure);
  if (refusal !== undefined) return { kind: 'failed', error: refusal, durationMs: 0 };
  const headers = { 'content-type': 'application/json', ...signWebhook(webhook, startedAt) };
  const { url, body } = webhook;
  try {
    const status = await (options.post ?? postOnce)(
      { url, headers, body, allowInside: options.allowInsecure, signal },
      options.clock,
    );
    return { kind: 'answered', status, durationMs: durationMs() };
  } catch (error) {
    if (signal.aborted) return { kind: 'aborted' };
    return { kind: 'failed', error: error instanceof PostError ? error.reason : 'failed', durationMs: durationMs() };
  }
}

function refuse({ url, secrets }: OutgoingWebhook, allowInsecure: boolean): string | undefined {
  return secrets.length === 0 ? 'no signing secret' : webhookAddressProblem(url, allowInsecure);
}
