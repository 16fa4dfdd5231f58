/** Texts about a method: its title and its limits. */
import type { PaymentGroup, PaymentMethod } from '@opencashier/contract/api';
import { limitsHint, methodLimits } from '@opencashier/core/limits/limits';
import { findCurrency } from '@opencashier/core/money/currencies';
import { formatWireAmount } from '@opencashier/core/money/format';
import type { Session, Texts } from '../session/services.tsx';

/** An amount may be inside a right-to-left sentence, so it is isolated from the words around it. */
const inSentence = { trimWhole: true, isolate: true } as const;

export function methodTitle(method: Pick<PaymentMethod, 'text' | 'name'>, texts: Texts): string {
  return texts.pick(method.text) || method.name;
}

export function groupTitle(group: Pick<PaymentGroup, 'label' | 'name'>, texts: Texts): string {
  return texts.pick(group.label) || group.name;
}

/** The coin of a method, by its first icon, if the table of currencies has it. */
export function methodCoin({ iconIds }: Pick<PaymentMethod, 'iconIds'>): string | undefined {
  const coin = findCurrency(iconIds[0] ?? '');
  return coin?.kind === 'crypto' ? coin.code : undefined;
}

/** The detail below a method's title: `more`, after the code of its coin unless the title names it. */
export function coinDetail(
  method: Pick<PaymentMethod, 'text' | 'name' | 'iconIds'>,
  more: string | undefined,
  texts: Texts,
): string | undefined {
  const code = methodCoin(method);
  if (!code || methodTitle(method, texts).includes(code)) return more;
  return more ? `${code} · ${more}` : code;
}

interface Bounds {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The limits of a method, formatted. */
export function methodBounds(
  method: Pick<PaymentMethod, 'amount_rules'>,
  session: Pick<Session, 'country' | 'currency'>,
  texts: Texts,
): Bounds {
  const { country, currency } = session;
  const hint = limitsHint(methodLimits({ currency, country, rule: method.amount_rules[currency] }));
  const write = (amount: string | undefined) =>
    amount === undefined ? undefined : formatWireAmount({ amount, currency }, texts.formatLocale, inSentence);
  return { from: write(hint?.from), to: write(hint?.to) };
}

/** `from ₹300`, or nothing where there is no minimum. */
export function fromText(bounds: Bounds, texts: Texts): string | undefined {
  return bounds.from === undefined ? undefined : texts.translate('list.from', { amount: bounds.from });
}

/** The text of a key from the server. Undefined for an unknown key, because a key is never shown. */
export function serverText(key: string | undefined, texts: Texts): string | undefined {
  return key !== undefined && texts.has(key) ? texts.translate(key) : undefined;
}
