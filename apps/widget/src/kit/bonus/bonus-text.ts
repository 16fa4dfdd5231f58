/** Texts about a bonus: short in a banner, in full on its page (BON-1, BON-3). The operator writes the titles. */
import type { Bonus } from '@opencashier/contract/api';
import { bonusBounds } from '@opencashier/core/bonus/bonus';
import { formatDecimal, formatMoney, formatWireAmount } from '@opencashier/core/money/format';
import { decimalFromNumber, type Money } from '@opencashier/core/money/money';
import { toNumberLocale } from '@opencashier/core/money/number-locale';
import { remainingParts } from '@opencashier/core/time/countdown';
import { listText } from '../format/list-text.ts';
import type { Texts } from '../session/services.tsx';

const inSentence = { trimWhole: true, isolate: true } as const;

/** `Up to ₹20,000, deposit from ₹500`; for free spins `50 free spins, deposit from ₹500`. */
export function bonusSummary(bonus: Bonus, texts: Texts): string {
  const { translate } = texts;
  const { currency, depositBonusData: deposit, freespinBonusData: spins } = bonus;
  const write = (amount: string) => formatWireAmount({ amount, currency }, texts.formatLocale, inSentence) ?? amount;
  if (bonus.type === 'freespin') {
    if (spins === undefined) return bonus.content.subtitle ?? '';
    return bonus.depositRequired === false
      ? translate('bonus.spins', { count: spins.count })
      : translate('bonus.spinsFrom', { count: spins.count, from: write(spins.minDeposit) });
  }
  const bounds = bonusBounds(bonus);
  if (deposit === undefined || bounds === undefined) return bonus.content.subtitle ?? '';
  const top = formatMoney(bounds.maxBonus, texts.formatLocale, inSentence);
  return translate('bonus.upTo', { top, from: write(deposit.minDeposit) });
}

export interface BonusTerm {
  readonly id: string;
  readonly name: string;
  readonly value: string;
}

/** The terms of a bonus that the operator has sent, as a list of names and values. */
export function bonusTerms(bonus: Bonus, texts: Texts): BonusTerm[] {
  const { translate, formatLocale } = texts;
  const { currency, depositBonusData: deposit, freespinBonusData: spins } = bonus;
  const terms: BonusTerm[] = [];
  const add = (id: string, value: string | undefined) => {
    if (value !== undefined && value !== '') terms.push({ id, name: translate(`bonus.term.${id}`), value });
  };
  const write = (amount: string) => formatWireAmount({ amount, currency }, formatLocale, { trimWhole: true });
  if (bonus.type === 'deposit' && deposit) {
    const bounds = bonusBounds(bonus);
    const writeMoney = (money: Money | undefined) => money && formatMoney(money, formatLocale, { trimWhole: true });
    add('percent', percentText(deposit.percent, texts));
    add('minDeposit', write(deposit.minDeposit));
    add('maxBonus', writeMoney(bounds?.maxBonus));
    add('wager', timesText(deposit.wagerMultiplier, texts));
    add('maxWithdrawal', writeMoney(bounds?.maxWithdrawal));
  }
  if (bonus.type === 'freespin' && spins) {
    add('spins', countText(spins.count, texts));
    if (bonus.depositRequired !== false) add('minDeposit', write(spins.minDeposit));
    const games = spins.gamesContent?.map(({ nameEn }) => nameEn);
    add('games', games && listText(games, texts));
    add('maxSpinWin', write(spins.maxSpinWin));
    add('wager', timesText(spins.wagerMultiplier, texts));
    add('payout', timesText(spins.payoutMultiplier, texts));
  }
  return terms;
}

export function percentText(percent: number, { formatLocale }: Texts): string {
  const options = { style: 'percent', maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(toNumberLocale(formatLocale), options).format(percent / 100);
}

export function timesText(factor: number, texts: Texts): string {
  return `×${countText(factor, texts)}`;
}

function countText(count: number, { formatLocale }: Texts): string {
  const decimal = decimalFromNumber(count);
  return decimal === undefined ? String(count) : formatDecimal(decimal, formatLocale, 0, 2);
}

/** `02:14:09`; more than a day counts as more hours. */
export function bonusTimeText(remainingMs: number): string {
  const { days, hours, minutes, seconds } = remainingParts(remainingMs);
  return [days * 24 + hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':');
}

/** An amount for use inside a sentence, in a script of either direction. */
export function moneyText(money: Money, { formatLocale }: Texts): string {
  return formatMoney(money, formatLocale, inSentence);
}
