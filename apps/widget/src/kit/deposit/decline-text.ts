import { type CallFailure, depositErrorText } from '@opencashier/core/deposit/create-failure';
import type { Texts } from '../session/services.tsx';

/** Why a payment was declined and what the payer can change; general advice for an unknown cause. */
export function declineText(cause: string | undefined, { translate, has }: Texts): string {
  const advice = `decline.${cause}`;
  return translate('decline.withAdvice', {
    reason: translate('transaction.reason.declined'),
    advice: translate(has(advice) ? advice : 'decline.unknown'),
  });
}

/** The message about a failed call (ERR-4). */
export function failureText(failure: CallFailure, texts: Texts): string {
  const cause = failure.params?.['declineCause'];
  if (failure.code === 'provider-error' && cause !== undefined) return declineText(cause, texts);
  const text = depositErrorText(failure, texts.has);
  return text.kind === 'key' ? texts.translate(text.key) : text.text;
}
