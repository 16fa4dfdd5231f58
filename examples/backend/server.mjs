/**
 * A complete backend of an operator: who is signed in, user tokens, webhooks that count exactly once, and the balance.
 *
 * `opencashier create-operator` prints the partner, the key and the secret.
 */
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { CashierError, createOperatorClient, verifyWebhook, WebhookVerificationError } from '@opencashier/server';
import { openBook, toText } from './book.mjs';
import { movementOf } from './webhooks.mjs';

const longestBody = 64 * 1024;

/**
 * @param {{ cashierUrl: string, partner: string, operatorKey: string, webhookSecrets: string[], bookFile: string, fetch?: typeof fetch }} settings
 * @returns {Promise<import('node:http').Server>} not listening yet; its end closes the book
 */
export async function createBackend({ cashierUrl, partner, operatorKey, webhookSecrets, bookFile, fetch }) {
  const cashier = createOperatorClient({ cashierUrl, operatorKey, fetch });
  const book = await openBook(bookFile);
  // A real site reads the user from its session. Never take the user from the request of the page.
  const user = { id: 'u-1042', currency: 'EUR', country: 'DE' };

  const routes = {
    'GET /api/site': async () => json(200, { cashierUrl, partner, user }),
    'GET /api/balance': async () =>
      json(200, { balance: toText(book.balance(user.id, user.currency)), currency: user.currency }),
    'POST /api/cashier-token': async () => {
      const { currency, country } = user;
      const { token } = await cashier.createUserToken({ userId: user.id, currency, country });
      return { status: 200, type: 'text/plain', body: token };
    },
    'POST /webhooks/cashier': async (request) => {
      const event = verifyWebhook(await bodyOf(request), request.headers, { secrets: webhookSecrets });
      const movement = movementOf(event);
      // An error here answers 500, and the cashier sends the webhook again.
      if (movement !== undefined) await book.book(movement);
      return { status: 204 };
    },
  };

  const server = createServer(async (request, response) => {
    const { status, type = 'text/plain', body = '' } = await answer(routes, request);
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  });
  server.on('close', () => void book.close());
  return server;
}

async function answer(routes, request) {
  const route = routes[`${request.method} ${request.url?.split('?')[0]}`];
  if (route === undefined) return json(404, { code: 'not-found' });
  try {
    return await route(request);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return json(401, { code: error.code });
    console.error(error);
    // The page shows that the cashier cannot be opened. It must not take this body for a token.
    return json(error instanceof CashierError ? 502 : 500, { code: 'unavailable' });
  }
}

const json = (status, body) => ({ status, type: 'application/json', body: JSON.stringify(body) });

/** The bytes as they arrived: the signature is over them. */
async function bodyOf(request) {
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > longestBody) throw new WebhookVerificationError('bad-body', 'The body is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { CASHIER_URL, PARTNER, OPERATOR_KEY, WEBHOOK_SECRETS, PORT = '4000' } = process.env;
  const missing = Object.entries({ CASHIER_URL, PARTNER, OPERATOR_KEY, WEBHOOK_SECRETS }).filter(([, value]) => !value);
  if (missing.length > 0) throw new Error(`Set ${missing.map(([name]) => name).join(', ')}.`);
  const server = await createBackend({
    cashierUrl: CASHIER_URL,
    partner: PARTNER,
    operatorKey: OPERATOR_KEY,
    webhookSecrets: WEBHOOK_SECRETS.split(','),
    bookFile: process.env.BOOK_FILE ?? 'book.jsonl',
  });
  server.listen(Number(PORT), () => console.log(`The backend listens on http://localhost:${PORT}`));
}
