/**
 * This operator's own wallet: the only balance of its users, if the cashier's mode is `operator` (docs/integrate.md). The wallet itself is
 * the one of `examples/backend`, which any operator can copy. This file adds the game and what the page shows.
 */
import { randomUUID } from 'node:crypto';
import type { WalletHandlers } from '@opencashier/server';
import { openBook, toMinor } from '../../../../examples/backend/book.mjs';
import { createWallet } from '../../../../examples/backend/wallet.mjs';
import { decimals, formatAmount } from './amount.ts';

export interface ShownCall {
  readonly id: string;
  readonly type: 'debit' | 'credit' | 'release';
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
  const book = await openBook(file);
  return {
    handlers: createWallet(book, options.knows, { digits: decimals }),
    lose: (userId, currency, amount) => {
      const units = toMinor(amount, decimals);
      return book.book({
        id: `game-${randomUUID()}`,
        userId,
        currency,
        change: (_earlier, before) => (before < units ? undefined : -units),
      });
    },
    balances: (userId) => written(book.balances(userId), (units) => (units > 0n ? units : 0n)),
    owed: (userId) => written(book.balances(userId), (units) => (units < 0n ? -units : 0n)),
    calls: (userId, limit) =>
      book
        .movements(userId)
        .flatMap(({ id, type, reason = '', amount = '', currency, answer, at }): ShownCall[] => {
          if (type === undefined || answer === undefined) return [];
          return [{ id, type, reason, amount, currency, result: 'declined' in answer ? 'declined' : 'done', at }];
        })
        .slice(-limit)
        .reverse(),
    close: () => book.close(),
  };
}

function written(balances: ReadonlyMap<string, bigint>, part: (units: bigint) => bigint): Record<string, string> {
  return Object.fromEntries([...balances].map(([currency, units]) => [currency, formatAmount(part(units))]));
}
