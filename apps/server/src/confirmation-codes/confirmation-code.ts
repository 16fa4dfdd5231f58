/**
 * Codes that confirm a withdrawal (WD-2). The server makes a code and stores a keyed hash. The operator gets the code
 * in a sealed webhook and sends it to the user. Attempts are counted per withdrawal, so a new code adds no attempts.
 */

import { createHmac, hkdfSync, randomInt, timingSafeEqual } from 'node:crypto';
import type { ConfirmationChannel, WithdrawalConfirmation } from '@opencashier/contract/api';
import type { WithdrawalWebhookData } from '@opencashier/contract/operator';
import type { WithdrawalState } from '@opencashier/core/withdrawal/withdrawal-lifecycle';
import type { Queryable, Transaction } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { queueWebhook } from '../outbox/queue-webhook.ts';
import { createSeal } from '../outbox/sealed-data.ts';
import type { PaymentsCore } from '../payment-ports/payments-core.ts';
import { countWrongCode, lockWrongCodes, WRONG_CODES_A_DAY, wrongCodesToday } from './wrong-codes.ts';

const LENGTH = 6;
const LIFETIME_S = 600;
/** Seconds between two codes of one withdrawal. */
const COOL_DOWN_S = 60;

interface CodeRow {
  readonly channel: ConfirmationChannel;
  readonly codeHash: Buffer;
  readonly wrongHash: Buffer | null;
  readonly expiresAt: Date;
  readonly isExpired: boolean;
  readonly resendAt: Date;
  readonly isCoolDownOver: boolean;
  readonly attemptsLeft: number;
  readonly sendsLeft: number;
  readonly serverTime: Date;
}

const columns = `channel, code_hash as "codeHash", wrong_hash as "wrongHash", expires_at as "expiresAt",
  expires_at <= now() as "isExpired", sent_at + make_interval(secs => ${COOL_DOWN_S}) as "resendAt",
  sent_at + make_interval(secs => ${COOL_DOWN_S}) <= now() as "isCoolDownOver", attempts_left as "attemptsLeft",
  sends_left as "sendsLeft", now() as "serverTime"`;

type CodeCore = Pick<PaymentsCore, 'secret'>;

/** The part of a withdrawal that its code depends on. */
export interface WithdrawalToConfirm {
  readonly id: string;
  readonly operatorId: string;
  readonly userId: string;
  readonly state: WithdrawalState;
  readonly expiresAt: Date;
}

/**
 * Makes the first code of a withdrawal whose amount was just held.
 * @throws DomainError rate-limited after too many wrong codes in a day; method-unavailable if the operator gets no
 * webhooks
 */
export async function requestCode(
  core: CodeCore,
  transaction: Transaction,
  row: WithdrawalToConfirm,
  channel: ConfirmationChannel,
  webhookData: WithdrawalWebhookData,
): Promise<void> {
  await requireWrongCodesBelowLimit(transaction, row);
  const code = makeCode();
  const [made] = await transaction.query<CodeRow>({
    name: 'withdrawal-code-insert',
    text: `insert into withdrawal_code (operator_id, withdrawal_id, channel, code_hash, expires_at)
      values ($6, $1, $2, $3, least(now() + make_interval(secs => $4), $5)) returning ${columns}`,
    values: [row.id, channel, hashOf(core, row, code), LIFETIME_S, row.expiresAt, row.operatorId],
  });
  if (made === undefined) throw new Error('The code was not stored');
  await queueCodeWebhook(core, transaction, row, { made, code, webhookData });
}

/** The state of a withdrawal's code; undefined when no code is needed, or no longer. */
export async function confirmationOf(
  queryable: Queryable,
  row: WithdrawalToConfirm,
): Promise<WithdrawalConfirmation | undefined> {
  if (row.state !== 'held') return undefined;
  const found = await findCode(queryable, row);
  return found && viewOf(found, row);
}

/**
 * Sends a new code for a locked, held withdrawal. Sends nothing while the last code is fresh, or when all codes are
 * used up.
 * @returns undefined when no code is needed
 */
export async function sendAnotherCode(
  core: CodeCore,
  transaction: Transaction,
  row: WithdrawalToConfirm,
  webhookData: WithdrawalWebhookData,
): Promise<WithdrawalConfirmation | undefined> {
  const found = await findCode(transaction, row);
  if (found === undefined) return undefined;
  if (!found.isCoolDownOver || found.sendsLeft === 0) return viewOf(found, row);
  const code = makeCode();
  const [renewed] = await transaction.query<CodeRow>({
    name: 'withdrawal-code-renew',
    text: `update withdrawal_code set code_hash = $2, wrong_hash = null, sent_at = now(), sends_left = sends_left - 1,
        expires_at = least(now() + make_interval(secs => $3), $4)
      where operator_id = $5 and withdrawal_id = $1 returning ${columns}`,
    values: [row.id, hashOf(core, row, code), LIFETIME_S, row.expiresAt, row.operatorId],
  });
  if (renewed === undefined) throw new Error('The code of a withdrawal was deleted');
  await queueCodeWebhook(core, transaction, row, { made: renewed, code, webhookData });
  return viewOf(renewed, row);
}

/**
 * `good`: the code is right, or no code is needed. `spent`: no attempt is left for the withdrawal or for the user's
 * day.
 */
export type CodeVerdict =
  | { readonly kind: 'good' | 'missing' | 'expired' | 'spent' }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number };

/** Checks a code for a locked, held withdrawal (WD-2), and counts a wrong code. */
export async function judgeCode(
  core: CodeCore,
  transaction: Transaction,
  row: WithdrawalToConfirm,
  entered: string | undefined,
): Promise<CodeVerdict> {
  const found = await findCode(transaction, row);
  if (found === undefined) return { kind: 'good' };
  const code = entered?.replace(/[\s-]/g, '');
  if (code === undefined || code === '') return { kind: 'missing' };
  if (found.isExpired) return { kind: 'expired' };
  const wrongToday = await lockWrongCodes(transaction, row);
  // A right code is refused too: after so many wrong codes it may be a lucky guess.
  if (wrongToday >= WRONG_CODES_A_DAY) return { kind: 'spent' };
  const hash = hashOf(core, row, code);
  if (timingSafeEqual(hash, found.codeHash)) return { kind: 'good' };
  // A retry of the same request after a lost answer does not count again.
  if (found.wrongHash?.equals(hash)) return { kind: 'wrong', attemptsLeft: found.attemptsLeft };
  const [counted] = await transaction.query<CodeRow>({
    name: 'withdrawal-code-wrong',
    text: `update withdrawal_code set attempts_left = attempts_left - 1, wrong_hash = $3
      where operator_id = $1 and withdrawal_id = $2 returning ${columns}`,
    values: [row.operatorId, row.id, hash],
  });
  if (counted === undefined) throw new Error('The code of a withdrawal was deleted');
  await countWrongCode(transaction, row);
  const attemptsLeft = Math.min(counted.attemptsLeft, WRONG_CODES_A_DAY - wrongToday - 1);
  return attemptsLeft === 0 ? { kind: 'spent' } : { kind: 'wrong', attemptsLeft };
}

async function requireWrongCodesBelowLimit(transaction: Transaction, row: WithdrawalToConfirm): Promise<void> {
  if ((await wrongCodesToday(transaction, row)) < WRONG_CODES_A_DAY) return;
  throw new DomainError('rate-limited', 'Too many wrong codes today', { retryAfterSeconds: 3600 });
}

async function findCode(queryable: Queryable, { operatorId, id }: WithdrawalToConfirm): Promise<CodeRow | undefined> {
  const [found] = await queryable.query<CodeRow>({
    name: 'withdrawal-code',
    text: `select ${columns} from withdrawal_code where operator_id = $1 and withdrawal_id = $2`,
    values: [operatorId, id],
  });
  return found;
}

function viewOf(code: CodeRow, row: WithdrawalToConfirm): WithdrawalConfirmation {
  const canResend = code.sendsLeft > 0 && code.resendAt < row.expiresAt;
  return {
    kind: 'code',
    channel: code.channel,
    length: LENGTH,
    attemptsLeft: code.attemptsLeft,
    expires: code.expiresAt.toISOString(),
    ...(canResend && { resendAt: code.resendAt.toISOString() }),
    serverTime: code.serverTime.toISOString(),
  };
}

function makeCode(): string {
  return String(randomInt(10 ** LENGTH)).padStart(LENGTH, '0');
}

/**
 * The hash is keyed, and the key is not in the database. Without a key, an attacker could try all million codes in a
 * moment.
 */
function hashOf({ secret }: CodeCore, { id }: WithdrawalToConfirm, code: string): Buffer {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'withdrawal code', 32));
  return createHmac('sha256', key).update(`${id} ${code}`).digest();
}

async function queueCodeWebhook(
  core: CodeCore,
  transaction: Transaction,
  row: WithdrawalToConfirm,
  { made, code, webhookData }: { made: CodeRow; code: string; webhookData: WithdrawalWebhookData },
): Promise<void> {
  const isQueued = await queueWebhook(transaction, {
    operatorId: row.operatorId,
    type: 'withdrawal.confirmation_requested',
    at: made.serverTime.toISOString(),
    data: { ...webhookData, channel: made.channel, expires: made.expiresAt.toISOString() },
    secret: { sealed: createSeal(core.secret).close({ code }), uselessAt: made.expiresAt },
  });
  if (!isQueued)
    throw new DomainError('method-unavailable', 'The operator has no webhook address, so no code can reach the user');
}
