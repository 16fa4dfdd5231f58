/** Sends a webhook of the sandbox to an address of the engineer, with the bytes that the cashier has signed. */
import { createHmac } from 'node:crypto';
import type { ListenForWebhooksResponse } from '../generated/operator-api.ts';
import { keysOf, messageSignature } from '../verify-webhook.ts';

export type ListenedWebhook = ListenForWebhooksResponse['webhooks'][number];

/** Your receiver must answer within this time. ms. */
export const forwardWithinMs = 10_000;

/**
 * The secret of a listener. It follows from the operator key, so it is the same at every start, and neither the key nor a webhook secret
 * can be found from it.
 */
export function listenSecretOf(operatorKey: string): string {
  return `whsec_${createHmac('sha256', operatorKey).update('opencashier listen').digest('base64')}`;
}

export interface Forwarded {
  /** HTTP status, or why there is no answer. */
  readonly answer: string;
  readonly isTaken: boolean;
  readonly tookMs: number;
}

/** What a test replaces. */
export interface ForwardSurroundings {
  readonly fetch: typeof globalThis.fetch;
  /** ms since 1970. */
  readonly now: () => number;
}

/**
 * Posts once. The signatures of your own webhook secrets and that of the listener stand beside each other, so either secret verifies.
 * @param address where your receiver listens
 * @param secret of {@link listenSecretOf}
 */
export async function forwardWebhook(
  { id, timestamp, signature, body }: ListenedWebhook,
  { address, secret, signal }: { readonly address: string; readonly secret: string; readonly signal: AbortSignal },
  { fetch, now }: ForwardSurroundings,
): Promise<Forwarded> {
  const own = keysOf(secret).map((key) => messageSignature(key, id, timestamp, body));
  const startedAt = now();
  const limit = AbortSignal.timeout(forwardWithinMs);
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': [...(signature === undefined ? [] : [signature]), ...own].join(' '),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    await response.body?.cancel();
    return { answer: String(response.status), isTaken: response.ok, tookMs: now() - startedAt };
  } catch (error) {
    const why = limit.aborted ? `no answer within ${forwardWithinMs / 1000} s` : causeOf(error);
    return { answer: why, isTaken: false, tookMs: now() - startedAt };
  }
}

/** The code of the system, such as ECONNREFUSED, which `fetch` hides in the cause. */
function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'no connection';
}
