/** Answers the calls of the cashier to an operator's own wallet. */
import type { WalletAnswer, WalletCall } from './generated/wallet.ts';
import { type CallResponse, type IncomingCall, readSignedCall, respond } from './signed-call.ts';
import type { VerifyOptions } from './verify-webhook.ts';

type CallOf<Type extends WalletCall['type']> = Extract<WalletCall, { type: Type }>;

/** The user's balance after the call, as a decimal text in the currency of the call, such as `25.00`. Below zero, answer `0.00`. */
export interface WalletDone {
  readonly balance: string;
  /** Your own id of the movement, for reconciliation. */
  readonly transactionId?: string | undefined;
}

/** A debit that the wallet refuses for certain. Nothing was taken. */
export interface WalletDeclined {
  readonly declined: 'insufficient-funds' | 'blocked' | 'limit' | 'unknown-user' | 'other' | (string & {});
  /** For the user, in the user's language; shown with `blocked`, `limit` and `other`. */
  readonly message?: string | undefined;
  readonly balance?: string | undefined;
}

/**
 * What your wallet does. Each function carries out a call `id` once, and answers a repeat as it answered the first time. A function that
 * does not know the outcome throws. The cashier then repeats the call.
 */
export interface WalletHandlers {
  balance(call: CallOf<'balance'>): Promise<WalletDone> | WalletDone;
  debit(call: CallOf<'debit'>): Promise<WalletDone | WalletDeclined> | WalletDone | WalletDeclined;
  credit(call: CallOf<'credit'>): Promise<WalletDone> | WalletDone;
  release(call: CallOf<'release'>): Promise<WalletDone> | WalletDone;
}

export type WalletResponse = CallResponse;

/**
 * Verifies a call, hands it to its function and shapes the answer. A call that is not the cashier's gets 401, and one that cannot be read
 * gets 400.
 *
 * @throws what a function throws, or TypeError for a secret that is none or a balance that is no decimal text: answer 500 then
 */
export async function handleWalletCall(
  incoming: IncomingCall,
  { balance, debit, credit, release, ...options }: WalletHandlers & VerifyOptions,
): Promise<WalletResponse> {
  const read = readSignedCall<WalletCall>(incoming, options);
  if ('refusal' in read) return read.refusal;
  const { call } = read;
  switch (call.type) {
    case 'balance':
      return respond(200, answerOf(call, await balance(call)));
    case 'debit':
      return respond(200, answerOf(call, await debit(call)));
    case 'credit':
      return respond(200, answerOf(call, await credit(call)));
    case 'release':
      return respond(200, answerOf(call, await release(call)));
    default:
      // A later version of the cashier may have other calls. It must not take silence for a yes.
      return respond(400, { code: 'unknown-type' });
  }
}

function answerOf(call: WalletCall, outcome: WalletDone | WalletDeclined): WalletAnswer {
  const { id, userId, currency } = call;
  const echo = { id, userId, currency, ...('amount' in call && { amount: call.amount }) };
  const balance = outcome.balance === undefined ? undefined : shownBalance(outcome.balance);
  if ('declined' in outcome) {
    const { declined: code, message } = outcome;
    return {
      result: 'declined',
      code,
      ...(message !== undefined && { message }),
      ...(balance !== undefined && { balance }),
      ...echo,
    };
  }
  const { transactionId } = outcome;
  return {
    result: 'done',
    balance: shownBalance(outcome.balance),
    ...(transactionId !== undefined && { transactionId }),
    ...echo,
  };
}

/**
 * The balance as the contract has it, where a balance below zero is `0`. A forced debit may take a wallet below zero.
 * @throws TypeError for a number, which would be a float, and for other text
 */
function shownBalance(balance: unknown): string {
  if (typeof balance !== 'string' || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(balance)) {
    throw new TypeError('balance must be a decimal text such as "25.00".');
  }
  return balance.startsWith('-') ? '0' : balance;
}
