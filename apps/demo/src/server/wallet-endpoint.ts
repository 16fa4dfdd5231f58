/** The address of this operator's own wallet, and the game in which a user can lose money there. */
import { handleWalletCall } from '@opencashier/server';
import type { FastifyInstance } from 'fastify';
import { Contradiction } from '../../../../examples/backend/book.mjs';
import { keepBodiesRaw } from './raw-body.ts';
import type { WalletBook } from './wallet-book.ts';

/** Where the cashier finds the wallet (`opencashier set-wallet … --wallet-url`). */
export const WALLET_PATH = '/cashier-wallet';

/**
 * `POST /cashier-wallet`. The SDK verifies the signature and shapes the answer. Whatever the book cannot do for certain is an error, which
 * answers 500, and a call that contradicts an earlier one answers 409. The cashier then asks again under the same id.
 */
export async function addWalletEndpoint(
  app: FastifyInstance,
  options: { secret: string; wallet: WalletBook; onChange: (userId: string) => void },
): Promise<void> {
  const { secret, wallet, onChange } = options;
  await app.register(async (scope) => {
    keepBodiesRaw(scope);
    scope.post(WALLET_PATH, async (request, reply) => {
      if (!Buffer.isBuffer(request.body)) return reply.code(400).send({ code: 'empty-body' });
      const call = { body: request.body, headers: request.headers };
      const answer = await handleWalletCall(call, { secrets: secret, ...wallet.handlers }).catch((error: unknown) => {
        if (!(error instanceof Contradiction)) throw error;
        request.log.error({ err: error }, 'a call of the cashier contradicts an earlier one');
        return undefined;
      });
      if (answer === undefined) return reply.code(409).send({ code: 'contradiction' });
      const { status, headers, body } = answer;
      if (status === 200) onChange(String((JSON.parse(request.body.toString('utf8')) as { userId: unknown }).userId));
      return reply.code(status).headers(headers).send(body);
    });
  });
}
