/** The texts of one language as screens use them. */
import type { Texts } from '../../kit/session/services.tsx';
import { directionOf, fallbackLocale, languageOf } from './locale-name.ts';

export type Dictionary = Readonly<Record<string, string>>;

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
  const ownRules = new Intl.PluralRules(locale);
  const englishRules = new Intl.PluralRules(fallbackLocale);
  return {
    locale,
    formatLocale,
    direction: directionOf(locale),
    translate(key, params) {
      const text = find(own, key, params, ownRules);
      if (text !== undefined) return fill(text, params);
      missing(key);
      // While English is being loaded, show nothing rather than a key (UI-1).
      if (english === undefined) return '';
      return fill(find(english, key, params, englishRules) ?? key, params);
    },
    has: (key) => Object.hasOwn(own, key) || (english !== undefined && Object.hasOwn(english, key)),
    pick: (texts) => texts?.[locale] ?? texts?.[languageOf(locale)] ?? texts?.[fallbackLocale] ?? '',
  };
}

type Params = Parameters<Texts['translate']>[1];

/** The key itself, or its form for `params.count`: `key.one`, `key.few`, … `key.other`. */
function find(dictionary: Dictionary, key: string, params: Params, rules: Intl.PluralRules): string | undefined {
  if (Object.hasOwn(dictionary, key)) return dictionary[key];
  const count = params?.['count'];
  if (typeof count !== 'number') return undefined;
  const form = `${key}.${rules.select(count)}`;
  if (Object.hasOwn(dictionary, form)) return dictionary[form];
  return Object.hasOwn(dictionary, `${key}.other`) ? dictionary[`${key}.other`] : undefined;
}

/** Fills in `{name}` and `{0}`; a name without a value stays as it is. */
function fill(text: string, params: Params): string {
  if (!params) return text;
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : whole,
  );
}
