/** The demo operator's backend: sign-in, user tokens, web-hooks and the balance that the page shows. */
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type AskBonuses, CashierUnavailable, type MintToken } from './cashier-client.ts';
import { createCodeInbox } from './code-inbox.ts';
import { createLiveUpdates } from './live-updates.ts';
import type { MoneyJournal } from './money-journal.ts';
import { createSessions } from './session.ts';
import { demoUsers, findUser, type User } from './users.ts';
import { addWebhook } from './webhook.ts';

export interface AppOptions {
  readonly cashierUrl: string;
  readonly partner: string;
  readonly sessionSecret: string;
  readonly webhookSecret: string;
  readonly journal: MoneyJournal;
  readonly mintToken: MintToken;
  readonly askBonuses: AskBonuses;
  /** Folder of the built page. */
  readonly pageFolder: string;
  readonly logLevel: string;
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
  // A form of another site can send plain text but not JSON: what is not JSON is refused.
  app.removeContentTypeParser('text/plain');
  const sessions = createSessions(options.sessionSecret);
  const live = createLiveUpdates();
  const codes = createCodeInbox(Date.now);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    "connect-src 'self'",
    `frame-src ${new URL(options.cashierUrl).origin}`,
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
  app.addHook('onClose', async () => options.journal.close());
  app.addHook('preClose', async () => live.close());
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'request failed');
    return reply.code(status).send({ code: status >= 500 ? 'unexpected' : 'bad-request' });
  });

  const userOf = (request: FastifyRequest): User | undefined => sessions.read(request.headers.cookie, Date.now());
  const refuse = (reply: FastifyReply) => reply.code(401).send({ code: 'signed-out' });
  const account = (user: User) => ({
    user,
    balances: options.journal.balances(user.id),
    held: options.journal.held(user.id),
    withdrawals: options.journal.withdrawals(user.id, 8),
    codes: codes
      .of(user.id)
      .map(({ withdrawalId, code, channel, expires }) => ({ withdrawalId, code, channel, expires })),
    owed: options.journal.owed(user.id),
    deposits: options.journal.deposits(user.id, 8),
  });

  app.get('/health', async () => ({ status: 'ok' }));

  app.get('/api/site', async () => ({
    cashierUrl: options.cashierUrl,
    partner: options.partner,
    users: demoUsers.map(({ id, name, currency }) => ({ id, name, currency })),
  }));

  app.post('/api/sign-in', async (request, reply) => {
    const user = findUser((request.body as { userId?: unknown } | null)?.userId);
    if (!user) return reply.code(422).send({ code: 'unknown-user' });
    return reply.header('set-cookie', sessions.begin(user, Date.now())).send(account(user));
  });

  app.post('/api/sign-out', async (_request, reply) => reply.header('set-cookie', sessions.end()).code(204).send());

  app.get('/api/account', async (request, reply) => {
    const user = userOf(request);
    return user ? reply.header('cache-control', 'no-store').send(account(user)) : refuse(reply);
  });

  app.post('/api/start-over', async (request, reply) => {
    const user = userOf(request);
    if (!user) return refuse(reply);
    await options.journal.reset(user.id, new Date().toISOString());
    live.tell(user.id);
    return account(user);
  });

  app.post('/api/cashier-token', async (request, reply) => {
    const user = userOf(request);
    if (!user) return refuse(reply);
    const {
      currency = user.currency,
      country = user.country,
      locale = 'en',
    } = (request.body ?? {}) as Record<string, unknown>;
    if (!matches(currency, /^[A-Z0-9]{2,10}$/) || !matches(country, /^[A-Z]{2}$/) || !matches(locale, localeTag)) {
      return reply.code(422).send({ code: 'bad-request' });
    }
    try {
      // The user is the signed-in one, whatever the page says.
      const token = await options.mintToken({ userId: user.id, currency, country, locale });
      return await reply.header('cache-control', 'no-store').send(token);
    } catch (error) {
      if (!(error instanceof CashierUnavailable)) throw error;
      request.log.error({ err: error }, 'no user token');
      return reply.code(502).send({ code: 'cashier-unavailable' });
    }
  });

  app.get<{ Querystring: Record<string, unknown> }>('/api/bonuses', async (request, reply) => {
    const user = userOf(request);
    if (!user) return refuse(reply);
    const { currency = user.currency, locale = 'en' } = request.query;
    if (!matches(currency, /^[A-Z0-9]{2,10}$/) || !matches(locale, localeTag))
      return reply.code(422).send({ code: 'bad-request' });
    try {
      const bonuses = await options.askBonuses({ userId: user.id, currency, locale });
      return await reply.header('cache-control', 'no-store').send({ bonuses });
    } catch (error) {
      if (!(error instanceof CashierUnavailable)) throw error;
      request.log.error({ err: error }, 'no bonuses');
      return reply.code(502).send({ code: 'cashier-unavailable' });
    }
  });

  app.get('/api/events', async (request, reply) => {
    const user = userOf(request);
    if (!user) return refuse(reply);
    const stream = live.open(user.id);
    if (!stream) return reply.code(429).send({ code: 'too-many-streams' });
    return reply.header('cache-control', 'no-store').type('text/event-stream').send(stream);
  });

  await addWebhook(app, { secret: options.webhookSecret, journal: options.journal, codes, onChange: live.tell });
  await app.register(fastifyStatic, { root: options.pageFolder, cacheControl: false });
  return app;
}

/** A language tag such as `de` or `hi-Latn-IN`. */
const localeTag = /^[\w-]{2,35}$/;

function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** The scheme is left out on purpose: behind a proxy that ends TLS this process does not know its own. */
function isFrom(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}
