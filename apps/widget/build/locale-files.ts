import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { compiledTextsOf, readDictionaries } from '../../../scripts/locales/dictionaries.mjs';
import { madeUpTags, madeUpTexts } from '../../../scripts/locales/made-up.mjs';
import { platformNames } from './platform-names.ts';

const folder = join(import.meta.dirname, '../../../locales');
const screens = join(import.meta.dirname, '../src');
const englishName = 'messages.en.json';
/** The event by which the development server tells the widget to load its texts again (src/app/locale/locale.ts). */
const textsChanged = 'texts-changed';

interface LocaleFile {
  readonly locale: string;
  readonly hash: string;
  readonly content: string;
}

/**
 * Puts `locales/*.json` into the build as `static/locales/{locale}.{hash}.json` and tells the widget the hash and the names
 * through `import.meta.env.LOCALES`. One hash stands for all: one for each language would weigh on the first load. The files
 * are loaded at run time, one language a person (§7, GET locales): a variant such as es-MX is put together here from its
 * language and what differs. A message that does not parse fails the build.
 *
 * @param options `withMadeUp`: also the languages that nobody speaks, for those who look for room. `isWritten`: false for a second
 * build that only needs their names
 */
export function localeFiles({
  withMadeUp = false,
  isWritten = true,
}: {
  readonly withMadeUp?: boolean;
  readonly isWritten?: boolean;
} = {}): Plugin {
  let base = '/';
  const read = () => readFiles(withMadeUp);
  return {
    name: 'locale-files',
    config() {
      const files = read();
      const built = [files[0]?.hash, ...files.map(({ locale }) => locale)].join(' ');
      return { define: { 'import.meta.env.LOCALES': JSON.stringify(built) } };
    },
    configResolved(config) {
      base = config.base;
    },
    generateBundle() {
      if (!isWritten) return;
      for (const { locale, hash, content } of read()) {
        this.emitFile({ type: 'asset', fileName: `static/locales/${locale}.${hash}.json`, source: content });
      }
    },
    configureServer(server) {
      server.watcher.add(folder);
      server.watcher.on('change', (file) => {
        if (basename(file) === englishName || dirname(file) === folder) server.hot.send(textsChanged);
      });
      server.middlewares.use(`${base}static/locales`, ({ url = '' }, response, next) => {
        // The hash is the one of the start. Texts that changed since then are served under it, too.
        const dictionaries = readDictionaries(folder).set('en', writtenEnglish());
        const locale = /^\/([\w-]+)\.[0-9a-f]{8}\.json$/.exec(url)?.[1] ?? '';
        if (!dictionaries.has(locale)) return next();
        response.setHeader('content-type', 'application/json').setHeader('cache-control', 'no-store');
        response.end(contentOf(locale, dictionaries));
      });
    },
  };
}

/**
 * Puts the sources of all languages into the build as `texts.json`. The server shows operators what they replace, and compares an
 * operator's own texts with the English ones (apps/server/src/own-texts).
 */
export function localeSources(): Plugin {
  return {
    name: 'locale-sources',
    generateBundle() {
      const source = JSON.stringify(Object.fromEntries(readDictionaries(folder)));
      this.emitFile({ type: 'asset', fileName: 'texts.json', source });
    },
  };
}

/** English as it stands beside the screens. `locales/en.json` has it only after scripts/locales.mjs has gathered it. */
function writtenEnglish(): Record<string, string> {
  const files = readdirSync(screens, { recursive: true, encoding: 'utf8' }).filter(
    (name) => basename(name) === englishName,
  );
  return Object.assign({}, ...files.map((name) => JSON.parse(readFileSync(join(screens, name), 'utf8'))));
}

function contentOf(locale: string, dictionaries: Map<string, Record<string, string>>): string {
  return JSON.stringify({ ...compiledTextsOf(locale, dictionaries), ...platformNames(locale) });
}

function readFiles(withMadeUp: boolean): LocaleFile[] {
  const dictionaries = readDictionaries(folder);
  const texts = new Map(
    [...dictionaries.keys()].map((locale) => [
      locale,
      { ...compiledTextsOf(locale, dictionaries), ...platformNames(locale) },
    ]),
  );
  if (withMadeUp) {
    const { pseudo, longest } = madeUpTexts(dictionaries);
    texts.set(madeUpTags.pseudo, pseudo).set(madeUpTags.longest, longest);
  }
  // Written compactly: the spaces of the source files are for people.
  const files = [...texts].map(([locale, own]) => ({ locale, content: JSON.stringify(own) }));
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 8);
  return files.map((file) => ({ ...file, hash }));
}
