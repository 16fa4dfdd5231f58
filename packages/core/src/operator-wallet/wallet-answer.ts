/** What the answer of an operator's wallet means for the money. */
import type { WalletAnswer, WalletCallType } from '@opencashier/contract/operator';
import { decimalsOf } from '../money/currencies.ts';
import { parseDecimal } from '../money/money.ts';

/** The parts of a call that its answer must not contradict. */
export interface AskedCall {
  readonly type: WalletCallType;
  readonly id: string;
  readonly userId: string;
  readonly currency: string;
  /** Minor units; absent in a `balance` call. */
  readonly amount?: bigint;
}

/**
 * `done` and `declined` are certain. After `unknown` the call is repeated under the same id, because the wallet may or may not have
 * executed it.
 */
export type WalletMeaning =
  | { readonly kind: 'done'; readonly balance: bigint; readonly transactionId?: string }
  | { readonly kind: 'declined'; readonly code: string; readonly message?: string; readonly balance?: bigint }
  | {
      readonly kind: 'unknown';
      readonly why: string;
      /** True: no time-out explains the answer, so people must look at the wallet. */
      readonly isAlert: boolean;
    };

/**
 * Reads a balance below zero as zero: the user can withdraw nothing. A forced debit or a small credit ends with such a balance. The money
 * has moved, so the sign of the balance must not make the outcome unknown for ever.
 * @param body the parsed body of an answer; anything else than an object stays as it is
 */
export function withoutNegativeBalance(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('balance' in body)) return body;
  const { balance } = body;
  return typeof balance === 'string' && NEGATIVE.test(balance) ? { ...body, balance: '0' } : body;
}

const NEGATIVE = /^-(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?$/;

/**
 * The meaning of an answer with HTTP status 200.
 * @param answer undefined: the body is not an answer of the contract
 */
export function meaningOfAnswer(call: AskedCall, answer: WalletAnswer | undefined): WalletMeaning {
  if (answer === undefined) return alert('not an answer of the contract');
  const contradiction = contradictionOf(call, answer);
  if (contradiction !== undefined) return alert(`the answer has another ${contradiction} than the call`);
  if (answer.result === 'declined') return meaningOfDecline(call, answer);
  const balance = balanceOf(call, answer.balance);
  if (balance === undefined) return alert('the balance is no amount of the currency');
  // Without an id nobody could find the movement in the operator's book.
  if (call.type !== 'balance' && answer.transactionId === undefined) return alert('the answer has no transactionId');
  return {
    kind: 'done',
    balance,
    ...(answer.transactionId !== undefined && { transactionId: answer.transactionId }),
  };
}

function meaningOfDecline(
  call: AskedCall,
  { code, message, balance: text }: Extract<WalletAnswer, { result: 'declined' }>,
): WalletMeaning {
  // The money of these calls belongs to the user already, so a "no" would make it disappear.
  if (call.type === 'credit' || call.type === 'release') return alert(`a ${call.type} cannot be declined: ${code}`);
  const balance = text === undefined ? undefined : balanceOf(call, text);
  return {
    kind: 'declined',
    code,
    ...(message !== undefined && { message }),
    ...(balance !== undefined && { balance }),
  };
}

function contradictionOf(call: AskedCall, answer: WalletAnswer): 'id' | 'userId' | 'currency' | 'amount' | undefined {
  if (answer.id !== undefined && answer.id.toLowerCase() !== call.id) return 'id';
  if (answer.userId !== undefined && answer.userId !== call.userId) return 'userId';
  if (answer.currency !== undefined && answer.currency !== call.currency) return 'currency';
  if (answer.amount !== undefined && call.amount !== undefined && balanceOf(call, answer.amount) !== call.amount) {
    return 'amount';
  }
  return undefined;
}

/** Minor units; undefined: no amount of the call's currency. */
function balanceOf({ currency }: AskedCall, text: string): bigint | undefined {
  const parsed = parseDecimal(text, decimalsOf(currency));
  return parsed.ok ? parsed.minor : undefined;
}

function alert(why: string): WalletMeaning {
  return { kind: 'unknown', why, isAlert: true };
}
