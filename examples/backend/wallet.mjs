/** What each call of the cashier does to the book, if this site keeps its users' balances itself (docs/integrate.md). */
import { toMinor, toText } from './book.mjs';

/**
 * The functions for `handleWalletCall`.
 *
 * @param {Awaited<ReturnType<typeof import('./book.mjs').openBook>>} book
 * @param {(userId: string) => boolean} knows whether the site has this user
 * @returns {import('@opencashier/server').WalletHandlers}
 */
export function createWallet(book, knows) {
  // What a user owes is below zero in the book. The cashier reads that nothing can be withdrawn.
  const shown = (minor) => toText(minor < 0n ? 0n : minor);
  // The id of the call is the id of the movement here, so staff find it in both books.
  const moved = ({ id }, before, change) => ({
    change,
    answer: { balance: shown(before + change), transactionId: id },
  });
  const declined = (code, before) => ({ change: 0n, answer: { declined: code, balance: shown(before) } });

  return {
    balance: ({ userId, currency }) => ({ balance: shown(book.balance(userId, currency)) }),
    debit: (call) =>
      book.carryOut(call, (before) => {
        const amount = toMinor(call.amount);
        if (!knows(call.userId)) return declined('unknown-user', before);
        // A forced amount has left already. What the user does not have is owed.
        if (before < amount && !call.forced) return declined('insufficient-funds', before);
        return moved(call, before, -amount);
      }),
    credit: (call) => book.carryOut(call, (before) => moved(call, before, toMinor(call.amount))),
    release: (call) =>
      book.carryOut(call, (before, earlier) => {
        // An error answers 500. The cashier asks again, and its staff see that something is wrong. A declined debit took nothing.
        if (!earlier(call.debitId)) throw new Error(`No debit with the id ${call.debitId} took an amount.`);
        return moved(call, before, toMinor(call.amount));
      }),
  };
}
