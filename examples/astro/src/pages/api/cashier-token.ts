import { CASHIER_URL, OPERATOR_KEY } from 'astro:env/server';
import { createOperatorClient } from '@opencashier/server';
import { user } from '../../session';

export async function POST() {
  const { token } = await createOperatorClient({
    cashierUrl: CASHIER_URL,
    operatorKey: OPERATOR_KEY,
  }).createUserToken({ userId: user.id, currency: user.currency, country: user.country });
  return new Response(token, { headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' } });
}
