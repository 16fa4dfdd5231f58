/** The provider's own words for a decline, on the way to the status: kept in the history, so that a reload still shows them. */
import type { CallFailure } from '@opencashier/core/deposit/create-failure';

/** Longer words would push what has become of the money off the screen. */
const mostLetters = 300;

/** What the history keeps of a refused confirm. Undefined where the provider has no words for the person (ERR-4). */
export function declineState(refusal: CallFailure | undefined): { readonly declineReason: string } | undefined {
  if (refusal?.code !== 'banking.merchantClientError') return undefined;
  const words = refusal.message?.trim() ?? '';
  return words === '' ? undefined : { declineReason: words.slice(0, mostLetters) };
}

/** @param state what the history handed to the screen */
export function declineReasonOf(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const words: unknown = Reflect.get(state, 'declineReason');
  return typeof words === 'string' ? words : undefined;
}
