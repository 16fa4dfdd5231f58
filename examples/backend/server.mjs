/**
 * A complete backend of an operator: who is signed in, user tokens, webhooks that count exactly once, and the balance.
 *
 * `opencashier create-operator` prints the partner, the key and the secret. With WALLET=operator the balance here is the only one: the
 * cashier calls `/wallet` for each movement, and webhooks are news alone.
 */
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import {
  CashierError,
  createOperatorClient,
  handleBonusCall,
  handleWalletCall,
  verifyWebhook,
  WebhookVerificationError,
} from '@opencashier/server';
import { createBonusEngine } from './bonuses.mjs';
import { Contradiction, openBook, toText } from './book.mjs';
import { createWallet } from './wallet.mjs';
import { movementOf } from './webhooks.mjs';

const longestBody = 64 * 1024;

/**
 * @param {object} settings
 * @param {string} settings.cashierUrl
 * @param {string} settings.partner
 * @param {string} settings.operatorKey
 * @param {string[]} settings.webhookSecrets
 * @param {string} settings.bookFile
 * @param {boolean} [settings.keepsWallet] the operator's wallet mode is `operator`
 * @param {typeof fetch} [settings.fetch]
 * @returns {Promise<import('node:http').Server>} not listening yet; its end closes the book
 */
export async function createBackend(settings) {
  const { cashierUrl, partner, operatorKey, webhookSecrets, bookFile, keepsWallet = false, fetch } = settings;
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
      // The calls to the wallet have moved the money already.
      const movement = keepsWallet ? undefined : movementOf(event);
      // An error here answers 500, and the cashier sends the webhook again.
      if (movement !== undefined) await book.book(movement);
      return { status: 204 };
    },
  };
  const engine = createBonusEngine(book.knows);
  routes['POST /bonuses'] = async (request) => {
    const call = { body: await bodyOf(request), headers: request.headers };
    const { status, body } = await handleBonusCall(call, { secrets: webhookSecrets, bonuses: engine });
    return { status, type: 'application/json', body };
  };
  if (keepsWallet) {
    const wallet = createWallet(book, (userId) => userId === user.id);
    routes['POST /wallet'] = async (request) => {
      const call = { body: await bodyOf(request), headers: request.headers };
      const { status, body } = await handleWalletCall(call, { secrets: webhookSecrets, ...wallet });
      return { status, type: 'application/json', body };
    };
  }

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
    if (error instanceof Contradiction) return json(409, { code: 'contradiction', message: error.message });
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
  const { CASHIER_URL, PARTNER, OPERATOR_KEY, WEBHOOK_SECRETS, PORT = '4000', WALLET } = process.env;
  const missing = Object.entries({ CASHIER_URL, PARTNER, OPERATOR_KEY, WEBHOOK_SECRETS }).filter(([, value]) => !value);
  if (missing.length > 0) throw new Error(`Set ${missing.map(([name]) => name).join(', ')}.`);
  const server = await createBackend({
    cashierUrl: CASHIER_URL,
    partner: PARTNER,
    operatorKey: OPERATOR_KEY,
    webhookSecrets: WEBHOOK_SECRETS.split(','),
    bookFile: process.env.BOOK_FILE ?? 'book.jsonl',
    keepsWallet: WALLET === 'operator',
  });
  server.listen(Number(PORT), () => console.log(`The backend listens on http://localhost:${PORT}`));
}
