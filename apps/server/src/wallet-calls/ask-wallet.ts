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
import * as v from 'valibot';
import type { Database } from '../database/database.ts';
import type { WalletCallRow } from '../operator-wallet/wallet-store.ts';
import { signingSecrets } from '../operators/signing-secrets.ts';
import type { PaymentsLogger } from '../payment-ports/payments-core.ts';
import { askSigned, type SignedPorts } from '../signed-questions/ask-signed.ts';

export interface WalletPorts extends SignedPorts {
  readonly database: Database;
  readonly logger: PaymentsLogger;
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
  { database, logger, ...ports }: WalletPorts,
  { asked, body: call }: Question,
  signal: AbortSignal,
): Promise<Asked> {
  const { operatorId } = asked;
  const unknown = (why: string, pausedS = 0): Asked => ({ meaning: { kind: 'unknown', why, isAlert: false }, pausedS });
  const answer = await askSigned(
    ports,
    {
      operatorId,
      ...(await walletOf(database, operatorId)),
      id: call.id,
      body: JSON.stringify(call),
      withinMs: walletTimeLimitsS[call.type] * 1000,
      isCounted: call.type !== 'balance',
      // Without `isUsable`: a wallet that answers with status 200 runs, and may have carried out the call. Staff are alerted below.
    },
    signal,
  );
  if (answer.kind === 'none') return unknown(answer.why, answer.pausedS);
  const meaning = meaningOfAnswer(asked, readAnswer(answer.body));
  if (meaning.kind === 'unknown' && meaning.isAlert) {
    logger.error({ operator: operatorId, call: call.id, why: meaning.why }, 'the answer of a wallet cannot be used');
  }
  return { meaning, pausedS: 0 };
}

async function walletOf(database: Database, operatorId: string): Promise<Wallet> {
  const [wallet] = await database.query<Wallet>({
    name: 'wallet-address',
    text: `select wallet_url as url, ${signingSecrets} as secrets from operator where id = $1`,
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
