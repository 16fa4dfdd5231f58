import type { Texts } from '../session/services.tsx';

/** Refusals whose text says nothing about a charge, because the user may have paid already. */
const ownTexts: ReadonlySet<string> = new Set(['unauthorized', 'token-expired', 'rate-limited', 'invalid-request']);

/** What the user reads after a refusal. It never says that nothing was charged. */
export function paidRefusalText(code: string, { translate }: Pick<Texts, 'translate'>): string {
  if (code === 'banking.paymentMethodRegex') return translate('field.refused');
  return translate(ownTexts.has(code) ? `common.errors.${code}` : 'complete.lost.text');
}
