import { verifyWebhook, WebhookVerificationError } from '@opencashier/server';
import type { ActionFunctionArgs } from 'react-router';
import { record } from '../book.server';
import { settings } from '../site.server';

/** The only place that changes the balance. An error here answers 500, and the cashier sends the webhook again. */
export async function action({ request }: ActionFunctionArgs) {
  try {
    record(verifyWebhook(await request.arrayBuffer(), request.headers, { secrets: settings().webhookSecret }));
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.code, { status: 401 });
  }
  return new Response(null, { status: 204 });
}
