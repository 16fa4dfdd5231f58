import { writesAlike } from '@opencashier/core/locale/writes-alike';
import type { Texts } from '../session/services.tsx';

/**
 * `ERC-20, TRC-20` as the language writes a list: with its own comma, or its word for "and" or "or". A language that browsers cannot
 * write has commas alone.
 */
export function listText(
  items: readonly string[],
  { locale, formatLocale }: Pick<Texts, 'locale' | 'formatLocale'>,
  options: Intl.ListFormatOptions = { type: 'conjunction', style: 'narrow' },
): string {
  if (writesAlike(locale) !== undefined) return items.join(', ');
  return new Intl.ListFormat(formatLocale, options).format(items);
}
