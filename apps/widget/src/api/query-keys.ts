/** Under which keys answers are kept. Whoever asks for the same thing under the same key shares one request. */

/** The methods of a country in a currency; the deposit's are what boot asks for before React is there (LIST-1). */
export function methodsQueryKey(
  direction: 'deposit' | 'withdrawal',
  { country, currency, boxId }: { readonly country: string; readonly currency: string; readonly boxId?: string },
): readonly (string | undefined)[] {
  return ['methods', direction, country, currency, boxId];
}
