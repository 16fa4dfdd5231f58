/** The texts of one language as screens use them. */

import { fallbackLocale } from '@opencashier/core/locale/text-locale';
import { type Dictionary, formatMessage } from '../../kit/format/message.ts';
import type { Texts } from '../../kit/session/services.tsx';
import { directionOf, languageOf } from './locale-name.ts';

interface Sources {
  readonly locale: string;
  readonly formatLocale: string;
  readonly own: Dictionary;
  /** Undefined until a text was missing and English has been loaded. */
  readonly english: Dictionary | undefined;
  /** Called for every use of a key that `own` does not have. */
  readonly missing: (key: string) => void;
}

/** The texts as a new object. React draws again only when the object is another one. */
export function createTexts({ locale, formatLocale, own, english, missing }: Sources): Texts {
  return {
    locale,
    formatLocale,
    direction: directionOf(locale),
    translate(key, params) {
      const text = Object.hasOwn(own, key) ? own[key] : undefined;
      if (text !== undefined) return formatMessage(text, params, locale, formatLocale);
      missing(key);
      // While English is being loaded, show nothing rather than a key (UI-1).
      if (english === undefined) return '';
      const replacement = Object.hasOwn(english, key) ? english[key] : undefined;
      return formatMessage(replacement ?? key, params, fallbackLocale, formatLocale);
    },
    has: (key) => Object.hasOwn(own, key) || (english !== undefined && Object.hasOwn(english, key)),
    pick: (texts) => texts?.[locale] ?? texts?.[languageOf(locale)] ?? texts?.[fallbackLocale] ?? '',
  };
}
