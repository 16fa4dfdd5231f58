/** One try of a web-hook: signed by the Standard Webhooks scheme, posted, never redirected (SRV-5). */
import type { Clock } from '@opencashier/core/time/clock';
import { Webhook } from 'standardwebhooks';

/** The scheme allows 15 to 30 s; a slower receiver is tried again. */
const TIMEOUT_MS = 15_000;

export interface OutgoingWebhook {
  /** The receiver's idempotency key: the same over all tries. */
  readonly id: string;
  readonly url: string;
  /** `whsec_…`, newest first; the signature names each, so that a receiver may know either while they are rotated. */
  readonly secrets: readonly string[];
  readonly body: string;
}

export type WebhookTry =
  | { readonly kind: 'answered'; readonly status: number; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly error: string; readonly durationMs: number };

/** Headers of the Standard Webhooks scheme for a body sent at `at` (ms since the epoch). */
export function signWebhook(webhook: Omit<OutgoingWebhook, 'url'>, at: number): Record<string, string> {
  const date = new Date(at);
  return {
    'webhook-id': webhook.id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': webhook.secrets
      .map((secret) => new Webhook(secret).sign(webhook.id, date, webhook.body))
      .join(' '),
  };
}

/** Posts it once. Any answer is an answer, also a redirect, which is not followed: only the registered address is called. */
export async function sendWebhook(
  webhook: OutgoingWebhook,
  options: { readonly clock: Clock; readonly allowInsecure: boolean; readonly fetch?: typeof fetch },
): Promise<WebhookTry> {
  const startedAt = options.clock.now();
  const durationMs = (): number => Math.max(0, options.clock.now() - startedAt);
  const refusal = refuse(webhook, options.allowInsecure);
  if (refusal !== undefined) return { kind: 'failed', error: refusal, durationMs: 0 };
  const abort = new AbortController();
  const cancelTimer = options.clock.setTimer(() => abort.abort(), TIMEOUT_MS);
  try {
    const response = await (options.fetch ?? fetch)(webhook.url, {
      method: 'POST',
      redirect: 'manual',
      signal: abort.signal,
      headers: { 'content-type': 'application/json', ...signWebhook(webhook, startedAt) },
      body: webhook.body,
    });
    // The body is the receiver's own affair; unread it would hold the connection.
    await response.body?.cancel();
    return { kind: 'answered', status: response.status, durationMs: durationMs() };
  } catch (error) {
    return { kind: 'failed', error: abort.signal.aborted ? 'timeout' : describe(error), durationMs: durationMs() };
  } finally {
    cancelTimer();
  }
}

function refuse({ url, secrets }: OutgoingWebhook, allowInsecure: boolean): string | undefined {
  if (secrets.length === 0) return 'no signing secret';
  if (!URL.canParse(url)) return 'not an address';
  const { protocol } = new URL(url);
  if (protocol === 'https:' || (allowInsecure && protocol === 'http:')) return undefined;
  return 'not https';
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const cause = error.cause;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}
