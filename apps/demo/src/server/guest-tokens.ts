/**
 * Tokens of guests for the live demo of the documentation, which is another site. Any page could ask for one without a browser, so
 * a token is only ever that of a guest of the sandbox.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MintToken } from './cashier-client.ts';
import { findUser } from './users.ts';

export interface GuestTokenOptions {
  readonly cashierUrl: string;
  readonly partner: string;
  readonly mintToken: MintToken;
  /** The one origin whose pages may read the answer, such as `https://docs.example.com`. */
  readonly docsOrigin: string;
  /** Sends what the cashier answered, or 502 when it did not answer. */
  readonly answer: (request: FastifyRequest, reply: FastifyReply, ask: () => Promise<unknown>) => Promise<FastifyReply>;
}

export function addGuestTokens(app: FastifyInstance, options: GuestTokenOptions): void {
  const path = '/open/guest-token';
  const { cashierUrl, partner, mintToken, docsOrigin, answer } = options;
  const headers = {
    'access-control-allow-origin': docsOrigin,
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'origin',
  };
  app.options(path, async (_request, reply) =>
    reply
      .code(204)
      .headers({
        ...headers,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        // Chromium asks before a public page may reach a program on this machine.
        'access-control-allow-private-network': 'true',
      })
      .send(),
  );
  app.post(path, async (request, reply) => {
    reply.headers(headers);
    if (request.headers.origin !== docsOrigin) return reply.code(403).send({ code: 'foreign-origin' });
    const user = findUser((request.body as { userId?: unknown } | null)?.userId);
    if (!user?.id.startsWith('guest-')) return reply.code(422).send({ code: 'unknown-user' });
    const { id: userId, currency, country } = user;
    return answer(request, reply, async () => {
      const { token } = await mintToken({ userId, currency, country, locale: 'en' });
      return { cashierUrl, partner, userId, currency, country, token };
    });
  });
}
