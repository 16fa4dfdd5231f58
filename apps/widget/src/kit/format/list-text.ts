/** `ERC-20, TRC-20` as the language writes a list: with its own comma or its word for "and". */
export function listText(items: readonly string[], formatLocale: string): string {
  return new Intl.ListFormat(formatLocale, { type: 'conjunction', style: 'narrow' }).format(items);
}
