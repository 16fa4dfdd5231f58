/**
 * Texts in the character set of SEPA (EPC217-08): Latin letters without accents, digits, and a few signs. Banks refuse files with other
 * characters, or replace them.
 */

/** Letters that Unicode does not decompose into a Latin letter with a mark. Greek and Cyrillic letters follow EPC217-08. */
const LETTERS: ReadonlyMap<string, string> = new Map(
  [
    'ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ħ=h ŋ=n ı=i ĸ=k ŧ=t ə=e ƒ=f',
    'α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o',
    'а=a б=b в=v г=g ґ=g ѓ=g д=d ђ=dj е=e є=ie ж=zh з=z ѕ=dz и=i і=i ј=j к=k ќ=k л=l љ=lj м=m н=n њ=nj о=o п=p',
    'р=r с=s т=t ћ=c у=u ф=f х=h ц=ts ч=ch џ=dz ш=sh щ=sht ъ=a ы=y ь=y э=e ю=yu я=ya',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => {
      const [letter = '', latin = ''] = pair.split('=');
      return [letter, latin] as const;
    }),
);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ...[...'’‘`´ʻʼʹ′'].map((sign) => [sign, "'"] as const),
  ...[...'‐‑‒–—―−_'].map((sign) => [sign, '-'] as const),
  ...[...'·・;'].map((sign) => [sign, '.'] as const),
  ['&', '+'] as const,
]);

const ALLOWED = /^[A-Za-z0-9/\-?:().,'+ ]$/;

/**
 * A text as banks take it. Accents are left out, and Greek and Cyrillic letters become Latin ones. Marks that only direct or join letters
 * are left out, too.
 * @param longest the most characters; a longer text is cut
 * @returns undefined for a text with a character that has no counterpart, or that has no letter and no digit
 */
export function sepaText(text: string, longest: number): string | undefined {
  let latin = '';
  for (const character of [...text]
    .map((one) => SIGNS.get(one) ?? one)
    .join('')
    .normalize('NFKD')) {
    if (/\p{M}|\p{Cf}/u.test(character)) continue;
    const sign = SIGNS.get(character) ?? character;
    const written = ALLOWED.test(sign) ? sign : latinOf(character);
    if (written === undefined) return undefined;
    latin += written;
  }
  // A slash at the beginning, or two of them, would begin a code of the bank (EPC131-08).
  const tidy = latin
    .replace(/\/{2,}/g, '/')
    .replace(/\s+/g, ' ')
    .replace(/^[\s/]+/, '')
    .slice(0, longest)
    .replace(/[\s/]+$/, '');
  return /[A-Za-z0-9]/.test(tidy) ? tidy : undefined;
}

function latinOf(character: string): string | undefined {
  if (/\p{Zs}/u.test(character)) return ' ';
  const small = character.toLowerCase();
  const latin = LETTERS.get(small);
  if (latin === undefined || small === character) return latin;
  return latin.charAt(0).toUpperCase() + latin.slice(1);
}
