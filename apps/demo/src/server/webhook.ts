/** Receives what the cashier reports, signed by the Standard Webhooks scheme. The only thing that changes a balance here. */
import type { FastifyInstance } from 'fastify';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { parseAmount } from './amount.ts';
import type { CreditJournal } from './credit-journal.ts';

interface DepositProcessed {
  readonly depositId: string;
  readonly userId: string;
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
}

/**
 * `POST /webhooks/cashier`: 401 for a wrong signature or an old time stamp, 400 for a signed body that makes no sense,
 * 204 once it is counted for good, also for a repetition and for a type that means nothing here.
 */
export async function addWebhook(
  app: FastifyInstance,
  options: { secret: string; journal: CreditJournal; onCredit: (userId: string) => void },
): Promise<void> {
  const webhook = new Webhook(options.secret);
  await app.register(async (scope) => {
    // The signature is over the bytes that were sent, so nothing may parse them first.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 64 * 1024 }, (_request, body, done) =>
      done(null, body),
    );
    scope.post('/webhooks/cashier', async (request, reply) => {
      if (!Buffer.isBuffer(request.body)) return reply.code(400).send({ code: 'empty-body' });
      let event: unknown;
      try {
        event = webhook.verify(request.body, request.headers as Record<string, string>);
      } catch (error) {
        const isForged = error instanceof WebhookVerificationError;
        request.log.warn({ err: error }, 'web-hook refused');
        return reply.code(isForged ? 401 : 400).send({ code: isForged ? 'bad-signature' : 'bad-body' });
      }
      const { type, data } = (event ?? {}) as { type?: unknown; data?: unknown };
      if (typeof type !== 'string') return reply.code(400).send({ code: 'bad-body' });
      if (type !== 'deposit.processed') return reply.code(204).send();
      const deposit = readDeposit(data);
      if (!deposit) return reply.code(400).send({ code: 'bad-body' });
      const isNew = await options.journal.credit({
        webhookId: String(request.headers['webhook-id']),
        ...deposit,
        at: new Date().toISOString(),
      });
      if (isNew) options.onCredit(deposit.userId);
      return reply.code(204).send();
    });
  });
}

function readDeposit(data: unknown): DepositProcessed | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { depositId, userId, amount, currency, paymentMethod = '' } = data as Record<string, unknown>;
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 200;
  if (!isText(depositId) || !isText(userId) || !isText(amount) || !isText(currency)) return undefined;
  if (parseAmount(amount) === undefined || !/^[A-Z0-9]{2,10}$/.test(currency)) return undefined;
  return { depositId, userId, amount, currency, paymentMethod: isText(paymentMethod) ? paymentMethod : '' };
}
