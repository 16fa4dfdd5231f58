/** Loads languages at run time (ERR-6): one file for each language, and English only when a text is missing. */

import { fallbackLocale } from '@opencashier/core/locale/text-locale';
import { createStore } from 'zustand/vanilla';
import { type Dictionary, readDictionary } from '../../kit/format/message.ts';
import type { ReadableStore, Texts } from '../../kit/session/services.tsx';
import { builtLocales } from './built-locales.ts';
import { formatLocaleOf } from './locale-name.ts';
import { createTexts } from './locale-texts.ts';

export interface LocaleOptions {
  /** The hash of all languages, then the built languages: `3f9a1c ar en`. One hash for all keeps the first load small. */
  readonly built: string;
  /** `/cashier/`. */
  readonly base: string;
  /** Where the operator's own texts are: `texts/acme/7-3f9a1c2b`. Absent: it has none. */
  readonly ownTexts?: string | undefined;
  readonly fetch: (address: string) => Promise<Pick<Response, 'ok' | 'status' | 'json'>>;
  /** Reports to the host (`onLocaleError`). */
  readonly report: (message: string) => void;
}

export interface Locale {
  readonly texts: ReadableStore<Texts>;
  /** The latest requested language. Calls use it without waiting for its file. */
  asked(): string;
  /** Whether built texts stand in for the operator's own, which could not be loaded. */
  isOwnLost(): boolean;
  /** Loads and shows a language in any spelling that a host uses. Never rejects: English is shown when loading fails. */
  show(asked: string): Promise<void>;
}

export function createLocale({ built, base, ownTexts, fetch, report }: LocaleOptions): Locale {
  const { names, nearest, fileOf } = builtLocales(built, base);
  const loading = new Map<string, Promise<Dictionary | undefined>>();
  const reportedMissing = new Set<string>();
  let english: Dictionary | undefined;
  let shown: { locale: string; formatLocale: string; own: Dictionary } = {
    locale: fallbackLocale,
    formatLocale: fallbackLocale,
    own: {},
  };
  let latest = fallbackLocale;
  let isOwnLost = false;

  const load = (locale: string): Promise<Dictionary | undefined> => {
    const known = loading.get(locale);
    if (known) return known;
    const loaded = fetchDictionary(locale).catch((error: unknown) => {
      console.warn('A language could not be loaded.', error);
      // Forget the failure, so that the next request loads the file again.
      loading.delete(locale);
      report(`Locale receiving error ${locale}`);
      return undefined;
    });
    loading.set(locale, loaded);
    return loaded;
  };

  const fetchDictionary = async (locale: string): Promise<Dictionary> => {
    if (!names.includes(locale)) throw new Error(`There is no language ${locale}.`);
    if (ownTexts !== undefined && !isOwnLost) {
      try {
        return await fetchFile(locale, ownTexts);
      } catch (error) {
        console.warn('The own texts of the operator could not be loaded.', error);
        isOwnLost = true;
        // An own text may protect money, so the operator has to hear that users do not see it.
        report(`Own texts receiving error ${locale}`);
      }
    }
    return fetchFile(locale);
  };

  const fetchFile = async (locale: string, folder?: string): Promise<Dictionary> => {
    const response = await fetch(fileOf(locale, folder));
    if (!response.ok) throw new Error(`The language ${locale} was answered with status ${response.status}.`);
    return readDictionary(await response.json());
  };

  const build = (): Texts => {
    const { locale, own } = shown;
    // English has no other fallback than itself.
    return createTexts({ ...shown, english: locale === fallbackLocale ? own : english, missing });
  };

  const missing = (key: string): void => {
    if (reportedMissing.has(`${shown.locale} ${key}`)) return;
    reportedMissing.add(`${shown.locale} ${key}`);
    report(`Missing translation for ${shown.locale}: ${key}`);
    if (shown.locale === fallbackLocale || english !== undefined) return;
    void load(fallbackLocale).then((loaded) => {
      if (loaded === undefined || english !== undefined) return;
      english = loaded;
      store.setState(build(), true);
    });
  };

  const store = createStore<Texts>(build);

  // Development only: a text was edited. A build leaves this out.
  import.meta.hot?.on('texts-changed', async () => {
    loading.clear();
    english = undefined;
    const { locale } = shown;
    const own = await load(locale);
    if (own === undefined || shown.locale !== locale) return;
    shown = { ...shown, own };
    store.setState(build(), true);
  });

  return {
    texts: store,
    asked: () => latest,
    isOwnLost: () => isOwnLost,
    async show(asked) {
      const locale = nearest(asked);
      latest = locale;
      const own = await load(locale);
      // Another language was requested meanwhile, and the latest request counts.
      if (latest !== locale) return;
      if (own === undefined) {
        english ??= locale === fallbackLocale ? undefined : await load(fallbackLocale);
        if (latest !== locale) return;
        latest = fallbackLocale;
        shown = { locale: fallbackLocale, formatLocale: formatLocaleOf(fallbackLocale, asked), own: english ?? {} };
      } else {
        shown = { locale, formatLocale: formatLocaleOf(locale, asked), own };
      }
      store.setState(build(), true);
    },
  };
}
