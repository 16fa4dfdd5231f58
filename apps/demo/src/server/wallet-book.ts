/**
 * This operator's own wallet: the only balance of its users, if the cashier's mode is `operator` (docs/integrate.md). The cashier calls it
 * for each movement, and each id is carried out once. A line with the movement and its answer is on the disk before the answer is sent.
 */
import type { WalletCall, WalletDeclined, WalletDone, WalletHandlers } from '@opencashier/server';
import { formatAmount, parseAmount, shortAmount } from './amount.ts';
import { openLines } from './durable-lines.ts';

type Move = Exclude<WalletCall, { type: 'balance' }>;

interface Moved {
  readonly userId: string;
  readonly currency: string;
  /** Units of `parseAmount`, as text; below zero if the user has less. */
  readonly change: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A call of the cashier, carried out once. */
interface Call extends Moved {
  readonly kind: 'call';
  readonly id: string;
  readonly type: Move['type'];
  readonly reason: string;
  readonly amount: string;
  readonly answer: WalletDone | WalletDeclined;
}

/** A lost round of a game. */
interface Round extends Moved {
  readonly kind: 'round';
}

export interface ShownCall {
  readonly id: string;
  readonly type: Move['type'];
  readonly reason: string;
  /** Decimal string. */
  readonly amount: string;
  readonly currency: string;
  readonly result: 'done' | 'declined';
  readonly at: string;
}

export interface WalletBook {
  readonly handlers: WalletHandlers;
  /** The user loses an amount in a game. @returns false if the balance does not cover it */
  lose(userId: string, currency: string, amount: string): Promise<boolean>;
  /** Decimal strings by currency; what is below zero is `0.00`. */
  balances(userId: string): Record<string, string>;
  /** Decimal strings by currency: what forced debits took below zero. */
  owed(userId: string): Record<string, string>;
  /** Newest first, at most `limit`. */
  calls(userId: string, limit: number): ShownCall[];
  close(): Promise<void>;
}

/**
 * @param file one JSON line for each movement
 * @param options.knows whether this site has the user
 */
export async function openWalletBook(
  file: string,
  options: { readonly knows: (userId: string) => boolean },
): Promise<WalletBook> {
  const lines = await openLines<Call | Round>(file);
  const calls = new Map<string, Call>();
  const users = new Map<string, Map<string, bigint>>();
  const balancesOf = (userId: string): Map<string, bigint> => users.get(userId) ?? new Map();
  const balanceOf = (userId: string, currency: string): bigint => balancesOf(userId).get(currency) ?? 0n;
  const apply = (entry: Call | Round): void => {
    const own = balancesOf(entry.userId);
    users.set(entry.userId, own.set(entry.currency, (own.get(entry.currency) ?? 0n) + BigInt(entry.change)));
    if (entry.kind === 'call') calls.set(entry.id, entry);
  };
  for (const entry of lines.entries) apply(entry);
  const write = async (entry: Call | Round): Promise<void> => {
    await lines.append(entry);
    apply(entry);
  };

  /** Carries a call out once. A repeat gets the first answer, also if that was a decline. */
  const once = <Answer extends WalletDone | WalletDeclined>(
    { id, type, reason, userId, currency, amount }: Move,
    decide: (before: bigint, units: bigint) => { readonly change: bigint; readonly answer: Answer },
  ): Promise<Answer> =>
    lines.inTurn(async () => {
      const earlier = calls.get(id);
      if (earlier !== undefined) return earlier.answer as Answer;
      const units = parseAmount(amount);
      if (units === undefined) throw new TypeError(`Call ${id} has no amount`);
      const { change, answer } = decide(balanceOf(userId, currency), units);
      const at = new Date().toISOString();
      await write({ kind: 'call', id, type, reason, userId, currency, amount, change: String(change), answer, at });
      return answer;
    });
  const add = (move: Move): Promise<WalletDone> =>
    once(move, (before, units) => ({ change: units, answer: done(move, before + units) }));

  return {
    handlers: {
      balance: ({ userId, currency }) => ({ balance: shown(balanceOf(userId, currency)) }),
      debit: (call) =>
        once<WalletDone | WalletDeclined>(call, (before, units) => {
          if (!options.knows(call.userId)) return { change: 0n, answer: { declined: 'unknown-user' } };
          // A forced amount has left already, so the user owes what is missing.
          if (before < units && call.forced !== true) {
            return { change: 0n, answer: { declined: 'insufficient-funds', balance: shown(before) } };
          }
          return { change: -units, answer: done(call, before - units) };
        }),
      credit: add,
      release(call) {
        const debit = calls.get(call.debitId);
        if (debit === undefined || debit.change === '0') throw new Error(`No debit has the id ${call.debitId}`);
        return add(call);
      },
    },
    lose: (userId, currency, amount) =>
      lines.inTurn(async () => {
        const units = parseAmount(amount);
        if (units === undefined || balanceOf(userId, currency) < units) return false;
        await write({ kind: 'round', userId, currency, change: String(-units), at: new Date().toISOString() });
        return true;
      }),
    balances: (userId) => written(balancesOf(userId), (units) => (units > 0n ? units : 0n)),
    owed: (userId) => written(balancesOf(userId), (units) => (units < 0n ? -units : 0n)),
    calls: (userId, limit) =>
      [...calls.values()]
        .filter((call) => call.userId === userId)
        .slice(-limit)
        .reverse()
        .map(({ id, type, reason, amount, currency, answer, at }) => {
          return { id, type, reason, amount, currency, result: 'declined' in answer ? 'declined' : 'done', at };
        }),
    close: () => lines.close(),
  };
}

/** The id of the call is the id of the movement here, so staff find it in both books. */
function done({ id }: Move, after: bigint): WalletDone {
  return { balance: shown(after), transactionId: id };
}

const shown = (units: bigint): string => shortAmount(units > 0n ? units : 0n);

function written(balances: ReadonlyMap<string, bigint>, part: (units: bigint) => bigint): Record<string, string> {
  return Object.fromEntries([...balances].map(([currency, units]) => [currency, formatAmount(part(units))]));
}
