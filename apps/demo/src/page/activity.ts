/** What has happened to the balance, newest first: money that was added, and money on its way out. */
import type { Account } from './backend.ts';
import { make } from './elements.ts';
import { moneyText } from './money-text.ts';

type Withdrawal = Account['withdrawals'][number];
type Deposit = Account['deposits'][number];

const depositWords: Readonly<Record<Deposit['status'], string>> = {
  added: 'Added',
  'taken-back': 'Taken back',
  'not-paid': 'Not paid',
  'in-review': 'In review',
};

/** What a deposit did to the balance: nothing before it is added. */
const signs: Readonly<Record<Deposit['status'], string>> = {
  added: '+',
  'taken-back': '−',
  'not-paid': '',
  'in-review': '',
};

const words: Readonly<Record<Withdrawal['status'], string>> = {
  held: 'Held for a withdrawal',
  sent: 'Withdrawal on its way',
  paid: 'Withdrawn',
  back: 'Withdrawal given back',
};

/** The lines of the list. */
export function activityLines(account: Account | undefined): HTMLElement[] {
  const added = (account?.deposits ?? []).map(({ amount, currency, paymentMethod, status, at }) => ({
    at,
    text: `${depositWords[status]}${paymentMethod && ` by ${paymentMethod}`}`,
    money: `${signs[status]}${moneyText(amount, currency)}`,
  }));
  const taken = (account?.withdrawals ?? []).map((withdrawal) => ({
    at: withdrawal.at,
    text: `${words[withdrawal.status]}${withdrawal.paymentMethod && ` by ${withdrawal.paymentMethod}`}`,
    // What is back has taken nothing in the end.
    money: `${withdrawal.status === 'back' ? '' : '−'}${moneyText(withdrawal.amount, withdrawal.currency)}`,
  }));
  const lines = [...added, ...taken].sort((one, other) => (one.at < other.at ? 1 : -1));
  if (lines.length === 0) return [make('li', { class: 'empty' }, 'Nothing yet. What you add shows here.')];
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

/** The sentence that reports a change to the user; undefined without a change worth reporting. */
export function newsOf(before: Account | undefined, next: Account): string | undefined {
  const deposit = next.deposits.find(
    ({ depositId, status }) => before?.deposits.find((known) => known.depositId === depositId)?.status !== status,
  );
  if (deposit) return depositNews(deposit);
  const code = next.codes.find((received) => !before?.codes.some((known) => known.code === received.code));
  if (code) return `Your code has come by ${channelWord(code.channel)}. Here it is in the developer drawer.`;
  const moved = next.withdrawals.find(
    ({ withdrawalId, status }) =>
      before?.withdrawals.find((known) => known.withdrawalId === withdrawalId)?.status !== status,
  );
  return moved && withdrawalNews(moved);
}

function depositNews({ status, amount, currency }: Deposit): string {
  const money = moneyText(amount, currency);
  switch (status) {
    case 'added':
      return `${money} added.`;
    case 'taken-back':
      return `${money} taken back by the payment provider.`;
    case 'not-paid':
      return `${money} not paid. Nothing was added.`;
    case 'in-review':
      return `${money} is in review by our team.`;
  }
}

function withdrawalNews({ status, amount, currency }: Withdrawal): string {
  const money = moneyText(amount, currency);
  switch (status) {
    case 'held':
      return `${money} held for your withdrawal.`;
    case 'sent':
      return `${money} on its way to you.`;
    case 'paid':
      return `${money} paid out.`;
    case 'back':
      return `${money} back on your balance.`;
  }
}

export function channelWord(channel: string): string {
  return { sms: 'SMS', email: 'e-mail', app: 'app' }[channel] ?? channel;
}
