/** One call to the wallet as the cashier sends it: signed, with a time limit, and judged by the contract. */
import type { WalletCall } from '../generated/wallet.ts';
import { minorOf } from './amounts.ts';
import { type Otherwise, postSigned, type SignedAddress, type Surroundings } from './signed-post.ts';

/** The call as it is sent. A rule may send what the contract does not have, to see it refused. */
export type SentCall = Omit<WalletCall, 'type'> & {
  readonly type: string;
  readonly amount?: string;
  readonly [field: string]: unknown;
};

/** Final answers of the contract; everything else is an unknown outcome for the cashier. */
export type Meaning =
  | { readonly kind: 'done'; readonly balance: bigint }
  | { readonly kind: 'declined'; readonly code: string }
  | { readonly kind: 'unknown'; readonly why: string };

export interface Reply {
  readonly meaning: Meaning;
  /** Undefined: no answer arrived. */
  readonly status: number | undefined;
  /** The start of the body, for a message. */
  readonly body: string;
  /** The body without what may differ between two answers to the same call: the order and the spaces. */
  readonly same: string;
}

export interface WalletAddress extends SignedAddress {
  readonly decimals: number;
}

export interface Timing {
  readonly type: string;
  readonly ms: number;
}

/** Longer than the longest limit of the contract, so that a slow answer is seen as slow and not as missing. ms. */
const patienceMs = 30_000;
const mostBodyBytes = 16 * 1024;
/** Signs of an amount: more decimals than this cannot be in one. */
const longestAmount = 40;

/** Sends calls to one wallet and notes how long each took. Never throws for a fault of the wallet. */
export function createAsker(wallet: WalletAddress, surroundings: Surroundings, timings: Timing[]) {
  return async function ask(call: SentCall, otherwise: Otherwise = {}): Promise<Reply> {
    const post = { id: call.id, body: JSON.stringify(call), otherwise, mostBytes: mostBodyBytes, patienceMs };
    const { status, text, isTooLong, why, ms } = await postSigned(wallet, surroundings, post);
    timings.push({ type: call.type, ms });
    if (status === undefined) return unknown(`no answer: ${why}`, undefined, '');
    if (status !== 200) return unknown(`status ${status}`, status, text);
    if (isTooLong) return unknown('the answer is longer than 16 kB', status, text);
    return read(call, status, text, wallet.decimals);
  };
}

function unknown(why: string, status: number | undefined, body: string): Reply {
  return { meaning: { kind: 'unknown', why }, status, body: body.slice(0, 200), same: `${status} ${body}` };
}

function read(call: SentCall, status: number, text: string, decimals: number): Reply {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return unknown('the answer is no JSON', status, text);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    return unknown('the answer is no JSON object', status, text);
  }
  const answer = parsed as Readonly<Record<string, unknown>>;
  const meaning = meaningOf(call, answer, decimals);
  const sorted = Object.entries(answer).sort(([one], [other]) => (one < other ? -1 : 1));
  return { meaning, status, body: text.slice(0, 200), same: JSON.stringify(sorted) };
}

/**
 * The same judgement as the cashier's own. This package is published alone, so it repeats the rules: a test compares both
 * (scripts/sdk/wallet-check.test.ts).
 */
function meaningOf(call: SentCall, answer: Readonly<Record<string, unknown>>, decimals: number): Meaning {
  const no = (why: string): Meaning => ({ kind: 'unknown', why });
  const contradiction = contradictionOf(call, answer, decimals);
  if (contradiction !== undefined) return no(`the answer has another ${contradiction} than the call`);
  const { result, balance: text, transactionId, code, message } = answer;
  const balance = text === undefined ? undefined : minorOf(text, decimals);
  if (result === 'done') {
    if (balance === undefined) return no('the answer has no balance');
    if (typeof balance === 'string') return no(`the balance is no amount: ${balance}`);
    const isId = typeof transactionId === 'string' && /^[\x21-\x7e]{1,128}$/.test(transactionId);
    if (transactionId !== undefined && !isId)
      return no('transactionId must be 1 to 128 printable signs without spaces');
    if (transactionId === undefined && call.type !== 'balance') return no('the answer has no transactionId');
    return { kind: 'done', balance };
  }
  if (result !== 'declined') return no('result is neither "done" nor "declined"');
  if (typeof code !== 'string' || !/^[a-z][a-z0-9-]{0,63}$/.test(code)) {
    return no('the decline has no code such as insufficient-funds');
  }
  if (message !== undefined && (typeof message !== 'string' || message.length > 2000)) {
    return no('message must be a text of at most 2000 signs');
  }
  // The balance of a decline is only shown, so the cashier accepts one with too many decimals, and leaves it out.
  const shown = text === undefined ? undefined : minorOf(text, longestAmount);
  if (typeof shown === 'string') return no(`the balance is no amount: ${shown}`);
  if (call.type === 'credit' || call.type === 'release') return no(`a ${call.type} cannot be declined (${code})`);
  return { kind: 'declined', code };
}

function contradictionOf(
  call: SentCall,
  answer: Readonly<Record<string, unknown>>,
  decimals: number,
): string | undefined {
  const { id, userId, currency, amount } = answer;
  const differs = (given: unknown, isSame: (text: string) => boolean): boolean =>
    given !== undefined && !(typeof given === 'string' && isSame(given));
  if (differs(id, (text) => text.toLowerCase() === call.id)) return 'id';
  if (differs(userId, (text) => text === call.userId)) return 'userId';
  if (differs(currency, (text) => text === call.currency)) return 'currency';
  const { amount: asked } = call;
  if (differs(amount, (text) => asked === undefined || minorOf(text, decimals) === minorOf(asked, decimals))) {
    return 'amount';
  }
  return undefined;
}
