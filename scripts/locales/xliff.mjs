/** XLIFF 1.2, the format that translation platforms and translators' programs read: one file for a language. */
import { JSDOM } from 'jsdom';

/**
 * @typedef {{ key: string, english: string, own: string | undefined, state: 'draft' | 'read' | 'native', isStale: boolean,
 *   description: string, example: Record<string, string>, isCritical: boolean, screen: string | undefined }} Unit
 */

/** Our states in the words of XLIFF. */
const toXliff = { draft: 'translated', read: 'signed-off', native: 'final' };
const fromXliff = new Map(Object.entries(toXliff).map(([ours, theirs]) => [theirs, ours]));

/**
 * @param {string} locale
 * @param {Record<string, readonly Unit[]>} sections by the name of their source
 * @returns {string} the whole document
 */
export function writeXliff(locale, sections) {
  const files = Object.entries(sections).map(
    ([name, units]) =>
      `  <file original="${name}" source-language="en" target-language="${locale}" datatype="plaintext">\n    <body>\n${units.map(unitOf).join('\n')}\n    </body>\n  </file>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n${files.join('\n')}\n</xliff>\n`;
}

function unitOf({ key, english, own, state, isStale, description, example, isCritical, screen }) {
  const examples = Object.entries(example).map(([name, value]) => `{${name}} is for example “${value}”`);
  const notes = [
    description,
    ...(examples.length > 0 ? [`${examples.join(', ')}.`] : []),
    ...(isCritical ? ['Money depends on this text: translate it whole.'] : []),
    ...(screen === undefined ? [] : [`Picture: ${screen}`]),
  ];
  const targetState = isStale ? 'needs-adaptation' : toXliff[state];
  const target =
    own === undefined ? '' : `\n        <target state="${targetState}" xml:space="preserve">${escaped(own)}</target>`;
  return `      <trans-unit id="${escaped(key)}"${!isStale && state === 'native' ? ' approved="yes"' : ''}>
        <source xml:space="preserve">${escaped(english)}</source>${target}
${notes.map((note) => `        <note>${escaped(note)}</note>`).join('\n')}
      </trans-unit>`;
}

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replace(/[&<>"]/g, (character) => entities[character]);

/**
 * @typedef {{ source: string, key: string, english: string, own: string, state: 'draft' | 'read' | 'native' | undefined,
 *   isStale: boolean }} Translated `state`: undefined if the file has none, or one that we do not know
 *
 * @param {string} xml
 * @returns {{ locale: string, units: Translated[] }} the units that have a translation
 * @throws for text that is no XLIFF 1.2, or a file of several languages
 */
export function readXliff(xml) {
  const { document } = new JSDOM(xml, { contentType: 'application/xml' }).window;
  const files = [...document.getElementsByTagName('file')];
  const locales = new Set(files.map((file) => file.getAttribute('target-language')));
  const [locale] = locales;
  if (document.documentElement.localName !== 'xliff' || locales.size !== 1 || !locale) {
    throw new Error('This is no XLIFF file of one language.');
  }
  const units = files.flatMap((file) =>
    [...file.getElementsByTagName('trans-unit')].flatMap((unit) => {
      // Proposals of a platform (`alt-trans`) have sources and targets, too.
      const part = (name) => [...unit.children].find(({ localName }) => localName === name);
      const target = part('target');
      const own = target?.textContent ?? '';
      if (own === '') return [];
      const state = target?.getAttribute('state') ?? '';
      return [
        {
          source: file.getAttribute('original') ?? '',
          key: unit.getAttribute('id') ?? '',
          english: part('source')?.textContent ?? '',
          own,
          state: unit.getAttribute('approved') === 'yes' ? 'native' : fromXliff.get(state),
          isStale: state.startsWith('needs-'),
        },
      ];
    }),
  );
  return { locale, units };
}
