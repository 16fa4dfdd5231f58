/** One question to an operator's wallet: signed like a webhook, with a time limit, and judged by the contract. */
import {
  type WalletCall,
  type WalletMove,
  walletAnswerSchema,
  walletTimeLimitsS,
} from '@opencashier/contract/operator';
import { decimalsOf } from '@opencashier/core/money/currencies';
import { toDecimalString } from '@opencashier/core/money/money';
import {
  type AskedCall,
  meaningOfAnswer,
  type WalletMeaning,
  withoutNegativeBalance,
} from '@opencashier/core/operator-wallet/wallet-answer';
import type { Clock } from '@opencashier/core/time/clock';
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import type { WalletCallRow } from '../operator-wallet/wallet-store.ts';
import type { PaymentsLogger } from '../payment-ports/payments-core.ts';
import { PostError, postQuestion } from '../webhooks/post-once.ts';
import { signWebhook } from '../webhooks/send-webhook.ts';
import { webhookAddressProblem } from '../webhooks/webhook-address.ts';
import type { WalletCircuit } from './wallet-circuit.ts';

export interface WalletPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: PaymentsLogger;
  /** Allows http and private addresses, as in the sandbox. */
  readonly allowInsecure: boolean;
  readonly circuit: WalletCircuit;
}

/** What a question meant. `pausedS`: nothing was sent, because the wallet fails; ask again after these seconds. */
export interface Asked {
  readonly meaning: WalletMeaning;
  readonly pausedS: number;
}

interface Wallet {
  readonly url: string | null;
  readonly secrets: readonly string[];
}

/** The body of a stored call. */
export function bodyOf(call: WalletCallRow): WalletMove {
  const { id, userId, currency, amount, type, reason, depositId, withdrawalId, debitId, isForced } = call;
  // The columns of a row are of the contract: each call is inserted by code that names its type and reason together.
  return {
    type,
    id,
    userId,
    amount: toDecimalString(amount, decimalsOf(currency)),
    currency,
    reason,
    ...(depositId !== null && { depositId }),
    ...(withdrawalId !== null && { withdrawalId }),
    ...(debitId !== null && { debitId }),
    ...(isForced && { forced: true }),
  } as WalletMove;
}

/** A question to an operator's wallet. */
interface Question {
  /** What the answer must not contradict, and whose wallet is asked. */
  readonly asked: AskedCall & { readonly operatorId: string };
  /** The same as the contract writes it. */
  readonly body: WalletCall;
}

/**
 * Asks once. Never throws for a fault of the wallet: that is an unknown outcome.
 * @param signal aborts the question, whose outcome is then unknown
 */
export async function askOnce(
  { database, clock, logger, allowInsecure, circuit }: WalletPorts,
  { asked, body: call }: Question,
  signal: AbortSignal,
): Promise<Asked> {
  const { operatorId } = asked;
  const unknown = (why: string, pausedS = 0): Asked => ({ meaning: { kind: 'unknown', why, isAlert: false }, pausedS });
  const { url, secrets } = await walletOf(database, operatorId);
  if (url === null) return unknown('no address');
  if (secrets.length === 0) return unknown('no signing secret');
  const problem = webhookAddressProblem(url, allowInsecure);
  if (problem !== undefined) return unknown(problem);
  const isBalance = call.type === 'balance';
  const pausedS = isBalance ? circuit.pauseLeft(operatorId, url) : circuit.pausedFor(operatorId, url);
  if (pausedS !== undefined) return unknown('paused after failures', pausedS);
  const body = JSON.stringify(call);
  const headers = {
    'content-type': 'application/json',
    ...signWebhook({ id: call.id, secrets, body }, clock.now()),
  };
  try {
    const post = { url, headers, body, allowInside: allowInsecure, signal };
    const answer = await postQuestion(post, clock, walletTimeLimitsS[call.type] * 1000);
    if (answer.status !== 200) {
      if (!isBalance) circuit.failed(operatorId, url);
      return unknown(`status ${answer.status}`);
    }
    circuit.answered(operatorId);
    const meaning = meaningOfAnswer(asked, readAnswer(answer.body));
    if (meaning.kind === 'unknown' && meaning.isAlert) {
      logger.error({ operator: operatorId, call: call.id, why: meaning.why }, 'the answer of a wallet cannot be used');
    }
    return { meaning, pausedS: 0 };
  } catch (error) {
    if (!(error instanceof PostError)) throw error;
    if (!signal.aborted && !isBalance) circuit.failed(operatorId, url);
    return unknown(error.reason);
  }
}

async function walletOf(database: Database, operatorId: string): Promise<Wallet> {
  const [wallet] = await database.query<Wallet>({
    name: 'wallet-address',
    text: `select wallet_url as url, case when webhook_old_secrets_until <= now() then webhook_secrets[1:1]
        else webhook_secrets end as secrets from operator where id = $1`,
    values: [operatorId],
  });
  return wallet ?? { url: null, secrets: [] };
}

function readAnswer(body: string | undefined) {
  if (body === undefined) return undefined;
  try {
    const parsed = v.safeParse(walletAnswerSchema, withoutNegativeBalance(JSON.parse(body)));
    return parsed.success ? parsed.output : undefined;
  } catch {
    // Not JSON, so not an answer of the contract. The caller reports it.
    return undefined;
  }
}
