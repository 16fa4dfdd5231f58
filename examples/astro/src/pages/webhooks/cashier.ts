import { WEBHOOK_SECRET } from 'astro:env/server';
import { verifyWebhook, WebhookVerificationError } from '@opencashier/server';
import type { APIRoute } from 'astro';
import { record } from '../../book';

/** The only place that changes the balance. An error here answers 500, and the cashier sends the webhook again. */
export const POST: APIRoute = async ({ request }) => {
  try {
    record(verifyWebhook(await request.arrayBuffer(), request.headers, { secrets: WEBHOOK_SECRET }));
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.code, { status: 401 });
  }
  return new Response(null, { status: 204 });
};
