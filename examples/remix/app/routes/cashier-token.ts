import { createOperatorClient } from '@opencashier/server';
import { settings, user } from '../site.server';

export async function action() {
  const { token } = await createOperatorClient(settings()).createUserToken({
    userId: user.id,
    currency: user.currency,
    country: user.country,
  });
  return new Response(token, { headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' } });
}
