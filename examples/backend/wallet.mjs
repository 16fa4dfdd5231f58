/** What each call of the cashier does to the book, if this site keeps its users' balances itself (docs/integrate.md). */
import { Contradiction, expectSame, toMinor, toText } from './book.mjs';

/**
 * The functions for `handleWalletCall`. They throw a {@link Contradiction} for a call that cannot be true beside an earlier one. Answer
 * any status but 200 then: nothing has moved, and the cashier shows its staff the call.
 *
 * @param {Awaited<ReturnType<typeof import('./book.mjs').openBook>>} book
 * @param {(userId: string) => boolean} knows whether the site has this user
 * @param {{ digits?: number }} [unit] decimals of the book's minor unit. Absent: 2
 * @returns {import('@opencashier/server').WalletHandlers}
 */
export function createWallet(book, knows, { digits = 2 } = {}) {
  // What a user owes is below zero in the book. The cashier reads that nothing can be withdrawn. A currency without decimals has no zeros.
  const shown = (minor) => toText(minor < 0n ? 0n : minor, digits).replace(/\.0+$|(\.\d*?)0+$/, '$1');
  // The id of the call is the id of the movement here, so staff find it in both books.
  const moved = ({ id }, before, change) => ({
    change,
    answer: { balance: shown(before + change), transactionId: id },
  });
  const declined = (code, before) => ({ change: 0n, answer: { declined: code, balance: shown(before) } });
  const unitsOf = ({ amount }) => toMinor(amount, digits);

  return {
    balance: ({ userId, currency }) => ({ balance: shown(book.balance(userId, currency)) }),
    debit: (call) =>
      book.carryOut(call, (before) => {
        const amount = unitsOf(call);
        if (!knows(call.userId)) return declined('unknown-user', before);
        // A forced amount has left already. What the user does not have is owed.
        if (before < amount && !call.forced) return declined('insufficient-funds', before);
        return moved(call, before, -amount);
      }),
    credit: (call) => book.carryOut(call, (before) => moved(call, before, unitsOf(call))),
    release: (call) =>
      book.carryOut(call, (before, earlier, releaseOf) => {
        const debit = earlier(call.debitId);
        // A declined debit took nothing.
        if (debit?.type !== 'debit' || debit.change === '0')
          throw new Contradiction(`No debit with the id ${call.debitId} took an amount.`);
        expectSame(call, debit, ['userId', 'currency', 'amount'], `The debit ${call.debitId} came`);
        const other = releaseOf(call.debitId);
        if (other !== undefined)
          throw new Contradiction(`The debit ${call.debitId} came back already, by the release ${other}.`);
        return moved(call, before, unitsOf(call));
      }),
  };
}
