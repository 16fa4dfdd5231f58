/** What the rules share: the test user, calls under new ids, and the words of a broken rule. */
import { randomUUID } from 'node:crypto';
import { textOf } from './amounts.ts';
import type { createAsker, Reply, SentCall } from './ask-wallet.ts';
import { RuleBroken, type RuleOf } from './rules.ts';
import type { Otherwise } from './signed-post.ts';

export interface CheckedUser {
  readonly userId: string;
  readonly currency: string;
  readonly decimals: number;
  /** What the rules move, in minor units. */
  readonly amount: bigint;
}

export type Bench = ReturnType<typeof createBench>;
/** One rule of the wallet's contract. */
export type Rule = RuleOf<Bench>;

/** @param ask sends a call, as made by `createAsker` */
export function createBench(
  ask: ReturnType<typeof createAsker>,
  { userId, currency, decimals, amount }: CheckedUser,
  secrets: readonly string[],
) {
  const text = (minor: bigint): string => `${textOf(minor, decimals)} ${currency}`;
  const shared = () => ({ id: randomUUID(), userId, currency });
  const balanceCall = (more: object = {}): SentCall => ({ type: 'balance', ...shared(), ...more });
  const move = (type: 'debit' | 'credit' | 'release', minor: bigint, more: object = {}): SentCall => ({
    type,
    ...shared(),
    amount: textOf(minor, decimals),
    ...(type === 'credit'
      ? { reason: 'deposit', depositId: randomUUID() }
      : { reason: 'withdrawal', withdrawalId: randomUUID() }),
    ...more,
  });
  /** The balance now, in minor units. */
  const balance = async (): Promise<bigint> => {
    const { meaning } = await ask(balanceCall());
    if (meaning.kind === 'done') return meaning.balance;
    throw new RuleBroken(`The balance is not known: ${meaning.kind === 'unknown' ? meaning.why : meaning.code}.`);
  };
  /** Sends a call that must be done, and answers the balance that it names. */
  const done = async (call: SentCall, otherwise?: Otherwise): Promise<bigint> => {
    const { meaning, body } = await ask(call, otherwise);
    if (meaning.kind === 'done') return meaning.balance;
    const why = meaning.kind === 'declined' ? `it was declined with ${meaning.code}` : meaning.why;
    throw new RuleBroken(`A ${call.type} of the cashier was not done: ${why}.${body === '' ? '' : ` Answer: ${body}`}`);
  };
  /** Requires a balance, as the wallet answers it now. */
  const expectBalance = async (expected: bigint, after: string): Promise<void> => {
    const now = await balance();
    if (now !== expected) throw new RuleBroken(`${after}: the balance is ${text(now)} and must be ${text(expected)}.`);
  };
  /** Makes sure that the user has at least this much. */
  const fund = async (minor: bigint): Promise<bigint> => {
    const before = await balance();
    if (before >= minor) return before;
    await done(move('credit', minor - before));
    return minor;
  };
  return { ask, amount, secrets, text, balanceCall, move, balance, done, expectBalance, fund };
}

/** An answer in words, for a cause. */
export function wordsOf({ meaning, status, body }: Reply): string {
  if (meaning.kind === 'done') return 'it was done';
  if (meaning.kind === 'declined') return `it was declined with ${meaning.code}`;
  const start = status === undefined || body === '' ? '' : ` (${body})`;
  return `${meaning.why}${start}`;
}
