/** The languages of this build, and the file of each. */
import { textLocaleOf } from '@opencashier/core/locale/text-locale';
import { languageOf } from './locale-name.ts';

export interface BuiltLocales {
  readonly names: readonly string[];
  /** The language for a locale in any spelling of a host. A variant without a file, such as hi-IN, uses its language's file. */
  nearest(asked: string): string;
  /**
   * The address of a language's file, below the server.
   * @param folder of the operator's own texts; absent: the built file
   */
  fileOf(locale: string, folder?: string): string;
}

/**
 * @param built the hash of all languages, then their names: `3f9a1c ar en`
 * @param base `/cashier/`
 */
export function builtLocales(built: string, base: string): BuiltLocales {
  const [hash, ...names] = built.split(' ');
  return {
    names,
    nearest(asked) {
      const locale = textLocaleOf(asked);
      return names.includes(locale) ? locale : languageOf(locale);
    },
    fileOf: (locale, folder = 'static/locales') => `${base}${folder}/${locale}.${hash}.json`,
  };
}
