/** The payees' bank of the sandbox: the name chooses the verdict, as docs/payouts.md lists. */

const ENDINGS: readonly (readonly [ending: string, verdict: 'close-match' | 'no-match' | 'not-possible'])[] = [
  ['close', 'close-match'],
  ['other', 'no-match'],
  ['silent', 'not-possible'],
];

/** @param name the name as the user typed it */
export function sandboxPayeeVerdict(name: string): 'match' | 'close-match' | 'no-match' | 'not-possible' {
  const last = name.trim().toLowerCase().split(' ').at(-1);
  return ENDINGS.find(([ending]) => ending === last)?.[1] ?? 'match';
}
