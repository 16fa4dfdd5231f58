/** The demo operator's backend: sign-in, user tokens, webhooks and the balance that the page shows. */
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type AskBonuses, CashierUnavailable, type MintToken } from './cashier-client.ts';
import { createCodeInbox } from './code-inbox.ts';
import { booksOf } from './coins.ts';
import { addGuestTokens } from './guest-tokens.ts';
import { createLiveUpdates } from './live-updates.ts';
import type { MoneyJournal } from './money-journal.ts';
import { createSessions } from './session.ts';
import { demoUsers, findUser, type User } from './users.ts';
import type { WalletBook } from './wallet-book.ts';
import { addWalletEndpoint } from './wallet-endpoint.ts';
import { addWebhook } from './webhook.ts';

export interface AppOptions {
  readonly cashierUrl: string;
  readonly partner: string;
  readonly sessionSecret: string;
  readonly webhookSecret: string;
  readonly journal: MoneyJournal;
  /** This site's own wallet, which the cashier calls. Absent: the cashier keeps the balances, and webhooks report them. */
  readonly wallet?: WalletBook | undefined;
  readonly mintToken: MintToken;
  readonly askBonuses: AskBonuses;
  /** The origin of the documentation, whose live demo gets tokens of guests. Absent: nobody else does. */
  readonly docsOrigin?: string | undefined;
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly logLevel: string;
}

/** What the routes share. */
interface Site {
  readonly options: AppOptions;
  readonly sessions: ReturnType<typeof createSessions>;
  readonly live: ReturnType<typeof createLiveUpdates>;
  readonly codes: ReturnType<typeof createCodeInbox>;
}

export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = Fastify({
    logger: {
      level: options.logLevel,
      // No headers, no addresses of people, no query.
      serializers: { req: ({ method, url }: FastifyRequest) => ({ method, path: url.split('?')[0] }) },
    },
    bodyLimit: 16 * 1024,
    forceCloseConnections: true,
  });
  // A form of another site can send plain text but not JSON, so only JSON is accepted.
  app.removeContentTypeParser('text/plain');
  const site: Site = {
    options,
    sessions: createSessions(options.sessionSecret),
    live: createLiveUpdates(),
    codes: createCodeInbox(Date.now),
  };
  guardRequests(app, options.cashierUrl);
  app.addHook('onClose', async () => {
    await options.journal.close();
    await options.wallet?.close();
  });
  app.addHook('preClose', async () => site.live.close());
  app.get('/health', async () => ({ status: 'ok' }));
  addSignIn(app, site);
  addAccount(app, site);
  addCashierCalls(app, site);
  const { docsOrigin } = options;
  if (docsOrigin !== undefined) addGuestTokens(app, { ...options, docsOrigin, answer: answerOfCashier });
  await addWebhook(app, {
    secret: options.webhookSecret,
    journal: options.journal,
    codes: site.codes,
    onChange: site.live.tell,
  });
  if (options.wallet) {
    const { wallet, webhookSecret: secret } = options;
    await addWalletEndpoint(app, { secret, wallet, onChange: site.live.tell });
    addGame(app, site, wallet);
  }
  await app.register(fastifyStatic, { root: options.pageFolder, cacheControl: false });
  return app;
}

/** Security headers, the refusal of calls from other sites, and errors without details. */
function guardRequests(app: FastifyInstance, cashierUrl: string): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    "connect-src 'self'",
    `frame-src ${new URL(cashierUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
    const { origin, host } = request.headers;
    if (request.url.startsWith('/api/') && origin !== undefined && !isFrom(origin, host)) {
      return reply.code(403).send({ code: 'foreign-origin' });
    }
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'request failed');
    return reply.code(status).send({ code: status >= 500 ? 'unexpected' : 'bad-request' });
  });
}

function addSignIn(app: FastifyInstance, site: Site): void {
  const { options, sessions } = site;
  app.get('/api/site', async () => ({
    cashierUrl: options.cashierUrl,
    partner: options.partner,
    wallet: options.wallet === undefined ? 'cashier' : 'operator',
    users: demoUsers.map(({ id, name, currency }) => ({ id, name, currency })),
  }));

  app.post('/api/sign-in', async (request, reply) => {
    const user = findUser((request.body as { userId?: unknown } | null)?.userId);
    if (!user) return reply.code(422).send({ code: 'unknown-user' });
    return reply.header('set-cookie', sessions.begin(user, Date.now())).send(accountOf(site, user));
  });

  app.post('/api/sign-out', async (_request, reply) => reply.header('set-cookie', sessions.end()).code(204).send());
}

/** The signed-in user's balances, payments and codes, and the stream that says when they change. */
function addAccount(app: FastifyInstance, site: Site): void {
  const { options, live } = site;
  app.get('/api/account', async (request, reply) => {
    const user = userOf(site, request);
    return user ? reply.header('cache-control', 'no-store').send(accountOf(site, user)) : refuse(reply);
  });

  app.post('/api/start-over', async (request, reply) => {
    const user = userOf(site, request);
    if (!user) return refuse(reply);
    await options.journal.reset(user.id, new Date().toISOString());
    for (const [currency, amount] of Object.entries(options.wallet?.balances(user.id) ?? {})) {
      await options.wallet?.lose(user.id, currency, amount);
    }
    live.tell(user.id);
    return accountOf(site, user);
  });

  app.get('/api/events', async (request, reply) => {
    const user = userOf(site, request);
    if (!user) return refuse(reply);
    const stream = live.open(user.id);
    if (!stream) return reply.code(429).send({ code: 'too-many-streams' });
    return reply.header('cache-control', 'no-store').type('text/event-stream').send(stream);
  });
}

/** A game that every user loses: what is lost here cannot be withdrawn at the cashier. */
function addGame(app: FastifyInstance, site: Site, wallet: WalletBook): void {
  app.post('/api/play', async (request, reply) => {
    const user = userOf(site, request);
    if (!user) return refuse(reply);
    const { currency = user.currency } = (request.body ?? {}) as Record<string, unknown>;
    if (!matches(currency, currencyCode)) return reply.code(422).send({ code: 'bad-request' });
    if (!(await wallet.lose(user.id, currency, STAKE))) return reply.code(409).send({ code: 'insufficient-funds' });
    site.live.tell(user.id);
    return accountOf(site, user);
  });
}

/** What the page asks the cashier for through this backend, which alone holds the operator's key. */
function addCashierCalls(app: FastifyInstance, site: Site): void {
  const { options } = site;
  app.post('/api/cashier-token', async (request, reply) => {
    const user = userOf(site, request);
    if (!user) return refuse(reply);
    const {
      currency = user.currency,
      country = user.country,
      locale = 'en',
    } = (request.body ?? {}) as Record<string, unknown>;
    if (!matches(currency, currencyCode) || !matches(country, /^[A-Z]{2}$/) || !matches(locale, localeTag)) {
      return reply.code(422).send({ code: 'bad-request' });
    }
    // The user is the signed-in one, whatever the page says.
    return answerOfCashier(request, reply, () => options.mintToken({ userId: user.id, currency, country, locale }));
  });

  app.get<{ Querystring: Record<string, unknown> }>('/api/bonuses', async (request, reply) => {
    const user = userOf(site, request);
    if (!user) return refuse(reply);
    const { currency = user.currency, locale = 'en' } = request.query;
    if (!matches(currency, currencyCode) || !matches(locale, localeTag)) {
      return reply.code(422).send({ code: 'bad-request' });
    }
    return answerOfCashier(request, reply, async () => ({
      bonuses: await options.askBonuses({ userId: user.id, currency, locale }),
    }));
  });
}

/** Sends what the cashier answered to `ask`, or 502 when it did not answer. */
async function answerOfCashier(
  request: FastifyRequest,
  reply: FastifyReply,
  ask: () => Promise<unknown>,
): Promise<FastifyReply> {
  try {
    const answer = await ask();
    return await reply.header('cache-control', 'no-store').send(answer);
  } catch (error) {
    if (!(error instanceof CashierUnavailable)) throw error;
    request.log.error({ err: error }, 'the cashier did not answer');
    return reply.code(502).send({ code: 'cashier-unavailable' });
  }
}

const userOf = ({ sessions }: Site, request: FastifyRequest): User | undefined =>
  sessions.read(request.headers.cookie, Date.now());

const refuse = (reply: FastifyReply): FastifyReply => reply.code(401).send({ code: 'signed-out' });

/** The price of a round, in every currency. */
const STAKE = '5.00';

const accountOf = ({ options: { journal, wallet }, codes }: Site, user: User) => ({
  user,
  ...booksOf({ journal, wallet }, user.id),
  withdrawals: journal.withdrawals(user.id, 8),
  codes: codes
    .of(user.id)
    .map(({ withdrawalId, code, channel, expires }) => ({ withdrawalId, code, channel, expires })),
  ...(wallet && { walletCalls: wallet.calls(user.id, 8) }),
  deposits: journal.deposits(user.id, 8),
});

const currencyCode = /^[A-Z0-9]{2,10}$/;

/** A language tag such as `de` or `hi-Latn-IN`. */
const localeTag = /^[\w-]{2,35}$/;

function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** Compares the host alone: behind a proxy that ends TLS this process does not know its own scheme. */
function isFrom(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
