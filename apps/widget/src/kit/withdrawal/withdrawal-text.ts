/** Texts about withdrawals. */
import { type CallFailure, depositErrorText, PROVIDER_ERROR_KEY } from '@opencashier/core/deposit/create-failure';
import { formatWireAmount } from '@opencashier/core/money/format';
import type { Texts } from '../session/services.tsx';

/** The text of an error, by the precedence of section 8 (ERR-4). A text about withdrawals comes first, if there is one. */
export function withdrawalErrorText(failure: CallFailure, { has, translate }: Texts): string {
  const own = `withdrawal.error.${failure.code}`;
  if (has(own)) return translate(own);
  const text = depositErrorText(failure, has);
  if (text.kind === 'text') return text.text;
  return translate(text.key === PROVIDER_ERROR_KEY ? 'withdrawal.error.provider-error' : text.key);
}

/** An amount as text. Inside a sentence, isolate it from the words around it. */
export function amountText(amount: string, currency: string, texts: Texts, isolate = false): string {
  return formatWireAmount({ amount, currency }, texts.formatLocale, { isolate }) ?? `${amount} ${currency}`;
}
