/**
 * Sweepstake coins in this operator's books. The cashier's ledger keeps coins in every mode (docs/sweepstake.md), so no call of the cashier
 * is about a coin, and a wallet of the operator's own does not know them. Webhooks report them: `deposit.processed` of a coin box with the
 * coins that its buyer got, and the webhooks of a redemption.
 */
import type { MoneyJournal } from './money-journal.ts';
import type { WalletBook } from './wallet-book.ts';

const coins = ['GC', 'SC'];

/** What the page shows of a user's money and coins. Decimal strings by currency. */
interface Books {
  readonly balances: Readonly<Record<string, string>>;
  readonly held: Readonly<Record<string, string>>;
  readonly owed: Readonly<Record<string, string>>;
}

/**
 * @param wallet this site's own wallet, whose calls have moved the money: the amounts of webhooks are ignored then, but not the coins.
 *     Absent: the webhooks report everything
 */
export function booksOf(
  { journal, wallet }: { readonly journal: MoneyJournal; readonly wallet?: WalletBook | undefined },
  userId: string,
): Books {
  const reported = { balances: journal.balances(userId), held: journal.held(userId), owed: journal.owed(userId) };
  if (wallet === undefined) return reported;
  return {
    balances: { ...wallet.balances(userId), ...coinsOf(reported.balances) },
    held: coinsOf(reported.held),
    owed: { ...wallet.owed(userId), ...coinsOf(reported.owed) },
  };
}

function coinsOf(amounts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).filter(([currency]) => coins.includes(currency)));
}
