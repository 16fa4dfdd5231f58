/** Receives what the cashier reports, signed by the Standard Webhooks scheme. The only thing that changes a balance here. */
import type { FastifyInstance } from 'fastify';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { parseAmount } from './amount.ts';
import type { CodeInbox, ReceivedCode } from './code-inbox.ts';
import { type DepositReport, depositEvents, type EarnedBonus } from './deposit-book.ts';
import type { MoneyJournal } from './money-journal.ts';
import { keepBodiesRaw } from './raw-body.ts';
import { type WithdrawalReport, withdrawalEvents } from './withdrawal-book.ts';

/**
 * `POST /webhooks/cashier`. Answers 401 to a wrong signature or an old time stamp, and 400 to a signed body that cannot be read.
 * Answers 204 once the webhook is stored, also to a repetition and to a type that this site does not use.
 */
export async function addWebhook(
  app: FastifyInstance,
  options: { secret: string; journal: MoneyJournal; codes: CodeInbox; onChange: (userId: string) => void },
): Promise<void> {
  const webhook = new Webhook(options.secret);
  await app.register(async (scope) => {
    keepBodiesRaw(scope);
    scope.post('/webhooks/cashier', async (request, reply) => {
      if (!Buffer.isBuffer(request.body)) return reply.code(400).send({ code: 'empty-body' });
      let event: unknown;
      try {
        event = webhook.verify(request.body, request.headers as Record<string, string>);
      } catch (error) {
        const isForged = error instanceof WebhookVerificationError;
        request.log.warn({ err: error }, 'webhook refused');
        return reply.code(isForged ? 401 : 400).send({ code: isForged ? 'bad-signature' : 'bad-body' });
      }
      const { type, data, timestamp } = (event ?? {}) as { type?: unknown; data?: unknown; timestamp?: unknown };
      if (typeof type !== 'string') return reply.code(400).send({ code: 'bad-body' });
      const webhookId = String(request.headers['webhook-id']);
      const changed = await take({ type, data, timestamp, webhookId }, options);
      if (changed === 'bad-body') return reply.code(400).send({ code: 'bad-body' });
      if (changed !== undefined) options.onChange(changed.userId);
      return reply.code(204).send();
    });
  });
}

interface SignedEvent {
  readonly type: string;
  readonly data: unknown;
  readonly timestamp: unknown;
  readonly webhookId: string;
}

/** Counts it for good. @returns whom it changed something for; undefined for a repetition and for a type of no meaning here */
async function take(
  { type, data, timestamp, webhookId }: SignedEvent,
  { journal, codes }: { journal: MoneyJournal; codes: CodeInbox },
): Promise<{ userId: string } | 'bad-body' | undefined> {
  const at = new Date().toISOString();
  const depositEvent = depositEvents.find((name) => type === `deposit.${name}`);
  if (depositEvent !== undefined) {
    const deposit = readDeposit(data);
    // Money without a user waits for a review by staff. Only a credit needs a user.
    if (deposit === undefined || (deposit.userId === '' && depositEvent === 'processed')) return 'bad-body';
    return (await journal.deposit({ webhookId, event: depositEvent, ...deposit, at })) ? deposit : undefined;
  }
  if (type === 'withdrawal.confirmation_requested') {
    const received = readCode(data, timestamp);
    if (received === undefined) return 'bad-body';
    codes.put(received.userId, received);
    return received;
  }
  const event = withdrawalEvents.find((name) => type === `withdrawal.${name}`);
  if (event === undefined) return undefined;
  const withdrawal = readWithdrawal(data);
  if (withdrawal === undefined) return 'bad-body';
  // A withdrawal that waits for its user keeps the code; every later step ends it.
  if (event !== 'held') codes.drop(withdrawal.userId, withdrawal.withdrawalId);
  return (await journal.withdrawal({ webhookId, event, ...withdrawal, at })) ? withdrawal : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 200;

const isCurrency = (value: unknown): value is string => typeof value === 'string' && /^[A-Z0-9]{2,10}$/.test(value);

function readDeposit(data: unknown): Omit<DepositReport, 'webhookId' | 'event' | 'at'> | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const {
    depositId,
    userId,
    amount,
    currency,
    paymentMethod = '',
    paidDebt,
    fee,
    box,
    bonusAmount,
    bonusSpins,
  } = data as Record<string, unknown>;
  if (!isText(depositId) || typeof userId !== 'string' || !isText(amount) || !isCurrency(currency)) return undefined;
  if (userId.length > 200 || parseAmount(amount) === undefined) return undefined;
  const coins = box === undefined ? undefined : readBox(box);
  const bonus = readBonus(bonusAmount, bonusSpins);
  if (box !== undefined && coins === undefined) return undefined;
  return {
    depositId,
    userId,
    amount,
    currency,
    paymentMethod: isText(paymentMethod) ? paymentMethod : '',
    ...(isText(paidDebt) && { paidDebt }),
    ...(isText(fee) && { fee }),
    ...(coins && { coins }),
    ...(bonus && { bonus }),
  };
}

/** A deposit below the smallest one of its bonus has earned nothing. */
function readBonus(amount: unknown, spins: unknown): EarnedBonus | undefined {
  if (isText(amount) && (parseAmount(amount) ?? 0n) > 0n) return { amount };
  return typeof spins === 'number' && Number.isSafeInteger(spins) && spins > 0 ? { spins } : undefined;
}

/** The coins of a box are what its buyer gets. */
function readBox(box: unknown): Record<string, string> | undefined {
  if (typeof box !== 'object' || box === null) return undefined;
  const { gcAmount, scAmount } = box as Record<string, unknown>;
  return isText(gcAmount) && isText(scAmount) ? { GC: gcAmount, SC: scAmount } : undefined;
}

function readWithdrawal(data: unknown): Omit<WithdrawalReport, 'webhookId' | 'event' | 'at'> | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const fields = data as Record<string, unknown>;
  const { withdrawalId, userId, amount, currency, accountType, paymentMethod = '', charged = '0.00' } = fields;
  if (!isText(withdrawalId) || !isText(userId) || !isText(amount) || !isCurrency(currency) || !isText(charged))
    return undefined;
  if (accountType !== 'main' && accountType !== 'additional') return undefined;
  if (parseAmount(amount) === undefined) return undefined;
  return {
    withdrawalId,
    userId,
    accountType,
    amount,
    currency,
    paymentMethod: isText(paymentMethod) ? paymentMethod : '',
    charged,
  };
}

function readCode(data: unknown, made: unknown): (ReceivedCode & { readonly userId: string }) | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { withdrawalId, userId, code, channel, expires } = data as Record<string, unknown>;
  if (!isText(withdrawalId) || !isText(userId) || !isText(code) || !isText(channel)) return undefined;
  if (!isText(expires) || Number.isNaN(Date.parse(expires)) || !isText(made)) return undefined;
  return { withdrawalId, userId, code, channel, expires, made };
}
