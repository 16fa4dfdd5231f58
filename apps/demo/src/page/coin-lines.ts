/** How coins came into this site's books: by webhooks, also when the site has a wallet of its own. Newest first. */
import { movedBy } from './activity.ts';
import type { Account } from './backend.ts';
import { make } from './elements.ts';
import { moneyText } from './money-text.ts';

/** Whether a code is that of a sweepstake coin, which the cashier's ledger keeps in every mode. */
export function isCoin(currency: string): boolean {
  return currency === 'GC' || currency === 'SC';
}

const redemptionWords: Readonly<Record<Account['withdrawals'][number]['status'], string>> = {
  held: 'on hold',
  sent: 'on its way',
  paid: 'paid out',
  back: 'returned',
  'not-made': 'not made',
};

/** The lines of the list. */
export function coinLines(account: Account | undefined): HTMLElement[] {
  const boxes = (account?.deposits ?? [])
    .filter(({ coins }) => coins !== undefined)
    .map((deposit) => ({
      at: deposit.at,
      webhook: deposit.status === 'taken-back' ? 'deposit.reversed' : 'deposit.processed',
      what: 'coin box',
      moved: movedBy(deposit),
    }));
  const redeemed = (account?.withdrawals ?? [])
    .filter(({ currency }) => isCoin(currency))
    .map(({ at, status, amount, currency }) => ({
      at,
      webhook: 'withdrawal.…',
      what: `redemption, ${redemptionWords[status]}`,
      moved: `${status === 'back' || status === 'not-made' ? '' : '−'}${moneyText(amount, currency)}`,
    }));
  const lines = [...boxes, ...redeemed].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (lines.length === 0) return [make('li', { class: 'empty' }, 'None yet. Buy a coin box.')];
  return lines.map(({ at, webhook, what, moved }) =>
    make(
      'li',
      {},
      make('code', {}, webhook),
      make('span', { class: 'grow' }, what),
      make('time', { datetime: at }, new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' })),
      make('b', {}, moved),
    ),
  );
}
