/** A pseudo-language: English with accents, in brackets and 40 % longer. It shows at once which texts are cut off, and which are not in
 * the files for translators. It is made when needed and never released. */

const accented = {
  ...{ a: 'á', b: 'ƀ', c: 'ç', d: 'ð', e: 'é', f: 'ƒ', g: 'ĝ', h: 'ĥ', i: 'î', j: 'ĵ', k: 'ķ', l: 'ļ', m: 'ɱ' },
  ...{ n: 'ñ', o: 'ö', p: 'þ', q: 'ɋ', r: 'ŕ', s: 'š', t: 'ţ', u: 'û', v: 'ṽ', w: 'ŵ', x: 'ẋ', y: 'ý', z: 'ž' },
};

/**
 * @param {string} text an English text; its `{placeholders}` stay as they are
 * @returns {string}
 */
export function pseudo(text) {
  const written = text
    .split(/(\{\w+\})/)
    .map((part) => (part.startsWith('{') ? part : part.replace(/[A-Za-z]/g, accent)))
    .join('');
  const more = Math.ceil(text.replace(/\{\w+\}/g, '').length * 0.4);
  // Words of five letters: a language is longer by longer words and by more of them.
  const padding = 'ñéŵôŕ '
    .repeat(Math.ceil(more / 6))
    .slice(0, more)
    .trim();
  return `[${written}${padding === '' ? '' : ` ${padding}`}]`;
}

function accent(letter) {
  const found = accented[letter.toLowerCase()] ?? letter;
  return letter === letter.toLowerCase() ? found : found.toUpperCase();
}
