/** What has happened to the balance, newest first: money that was added, and money on its way out. */
import type { Account } from './backend.ts';
import { make } from './elements.ts';
import { moneyText } from './money-text.ts';

type Withdrawal = Account['withdrawals'][number];
type Deposit = Account['deposits'][number];

const depositWords: Readonly<Record<Deposit['status'], string>> = {
  added: 'Added',
  'taken-back': 'Reversed',
  'not-paid': 'Not paid',
  'in-review': 'Under review',
};

/** What a deposit did to the balance: nothing before it is added. */
const signs: Readonly<Record<Deposit['status'], string>> = {
  added: '+',
  'taken-back': '−',
  'not-paid': '',
  'in-review': '',
};

const words: Readonly<Record<Withdrawal['status'], string>> = {
  held: 'On hold for a withdrawal',
  sent: 'Withdrawal on its way',
  paid: 'Withdrawn',
  back: 'Withdrawal returned',
  'not-made': 'Withdrawal not made',
};

/** The lines of the list. */
export function activityLines(account: Account | undefined): HTMLElement[] {
  const added = (account?.deposits ?? []).map((deposit) => ({
    at: deposit.at,
    text: `${depositWords[deposit.status]}${deposit.paymentMethod && ` by ${deposit.paymentMethod}`}${bonusWords(deposit)}`,
    money: movedBy(deposit),
  }));
  const taken = (account?.withdrawals ?? []).map((withdrawal) => ({
    at: withdrawal.at,
    text: `${words[withdrawal.status]}${withdrawal.paymentMethod && ` by ${withdrawal.paymentMethod}`}`,
    // What is back, or was never held, has taken nothing in the end.
    money: `${withdrawal.status === 'back' || withdrawal.status === 'not-made' ? '' : '−'}${moneyText(withdrawal.amount, withdrawal.currency)}`,
  }));
  const lines = [...added, ...taken].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  if (lines.length === 0)
    return [make('li', { class: 'empty' }, 'Nothing yet. Your deposits and withdrawals will appear here.')];
  return lines.map(({ at, text, money }) =>
    make(
      'li',
      {},
      make('span', { class: 'grow' }, text),
      make('time', { datetime: at }, new Date(at).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit' })),
      make('b', {}, money),
    ),
  );
}

/** What a deposit moved, such as `+$25.00`, or the coins of a box. */
export function movedBy(deposit: Deposit): string {
  return assetsOf(deposit)
    .map(([asset, sum]) => `${signs[deposit.status]}${moneyText(sum, asset)}`)
    .join(', ');
}

/** Amounts by currency or coin: the buyer of a box gets coins, and not its price. */
function assetsOf({ amount, currency, coins }: Deposit): (readonly [asset: string, amount: string])[] {
  return coins === undefined ? [[currency, amount]] : Object.entries(coins);
}

function bonusWords({ bonus, currency, status }: Deposit): string {
  if (bonus === undefined || status !== 'added') return '';
  if ('spins' in bonus) return `, with ${bonus.spins} free spins`;
  return `, with a bonus of ${moneyText(bonus.amount, currency)}`;
}

/** The sentence that reports a change to the user; undefined without a change worth reporting. */
export function newsOf(before: Account | undefined, next: Account): string | undefined {
  const deposit = next.deposits.find(
    ({ depositId, status }) => before?.deposits.find((known) => known.depositId === depositId)?.status !== status,
  );
  if (deposit) return depositNews(deposit);
  const code = next.codes.find((received) => !before?.codes.some((known) => known.code === received.code));
  if (code) return `We sent your code by ${channelWord(code.channel)}. You can see it in the developer drawer.`;
  const moved = next.withdrawals.find(
    ({ withdrawalId, status }) =>
      before?.withdrawals.find((known) => known.withdrawalId === withdrawalId)?.status !== status,
  );
  return moved && withdrawalNews(moved);
}

function depositNews(deposit: Deposit): string {
  const money = assetsOf(deposit)
    .map(([asset, sum]) => moneyText(sum, asset))
    .join(' and ');
  switch (deposit.status) {
    case 'added':
      return `${money} ${deposit.coins ? 'were' : 'was'} added to your balance.`;
    case 'taken-back':
      return `The payment provider reversed ${money}.`;
    case 'not-paid':
      return `${money} was not paid. Nothing was added to your balance.`;
    case 'in-review':
      return `We are reviewing your payment of ${money}.`;
  }
}

function withdrawalNews({ status, amount, currency }: Withdrawal): string {
  const money = moneyText(amount, currency);
  switch (status) {
    case 'held':
      return `${money} is on hold for your withdrawal.`;
    case 'sent':
      return `${money} is on its way to you.`;
    case 'paid':
      return `${money} was paid out.`;
    case 'back':
      return `${money} was returned to your balance.`;
    case 'not-made':
      return `The withdrawal of ${money} was not made. Your balance has not changed.`;
  }
}

export function channelWord(channel: string): string {
  return { sms: 'SMS', email: 'email', app: 'app' }[channel] ?? channel;
}
