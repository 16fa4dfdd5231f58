/** Texts about withdrawals. */
import { type CallFailure, depositErrorText, PROVIDER_ERROR_KEY } from '@opencashier/core/deposit/create-failure';
import { formatWireAmount } from '@opencashier/core/money/format';
import type { Texts } from '../session/services.tsx';

/** Which text an error shows, by the precedence of section 8 (ERR-4), in words about a withdrawal where there are some. */
export function withdrawalErrorText(failure: CallFailure, { has, translate }: Texts): string {
  const own = `withdrawal.error.${failure.code}`;
  if (has(own)) return translate(own);
  const text = depositErrorText(failure, has);
  if (text.kind === 'text') return text.text;
  return translate(text.key === PROVIDER_ERROR_KEY ? 'withdrawal.error.provider-error' : text.key);
}

/** An amount on its own; inside a sentence it is isolated from the words around it. */
export function amountText(amount: string, currency: string, texts: Texts, isolate = false): string {
  return formatWireAmount({ amount, currency }, texts.formatLocale, { isolate }) ?? `${amount} ${currency}`;
}
