/** The cashier's calls to this site's own wallet, newest first. */
import type { Account } from './backend.ts';
import { make } from './elements.ts';
import { moneyText } from './money-text.ts';

type WalletCall = NonNullable<Account['walletCalls']>[number];

const signs: Readonly<Record<WalletCall['type'], string>> = { debit: '−', credit: '+', release: '+' };

/** The lines of the list. */
export function walletCallLines(calls: readonly WalletCall[]): HTMLElement[] {
  if (calls.length === 0) return [make('li', { class: 'empty' }, 'None yet. Make a deposit or a withdrawal.')];
  return calls.map(({ type, reason, amount, currency, result, at }) => {
    const isDone = result === 'done';
    return make(
      'li',
      {},
      make('code', {}, type),
      make('span', { class: 'grow' }, `${reason}, ${isDone ? 'done' : 'declined'}`),
      make('time', { datetime: at }, new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' })),
      // A declined call has moved nothing.
      make(isDone ? 'b' : 'span', {}, `${isDone ? signs[type] : ''}${moneyText(amount, currency)}`),
    );
  });
}
