/** Operators' own texts as the widget interprets them, for its page and for the file of a language. */
import { compileMessage } from '@opencashier/messages/icu';
import { baseOf } from '@opencashier/messages/variants';
import type { Operator } from '../operators/operators.ts';
import { problemOf } from './check-texts.ts';
import type { FollowedTexts } from './followed-texts.ts';
import type { StoredTexts } from './texts-store.ts';
import type { ReadWidgetTexts, Texts, WidgetTexts } from './widget-texts.ts';

/** Compiled messages by key. Only the widget's build knows their form. */
type Messages = Readonly<Record<string, unknown>>;

/** The own texts that a page shows. */
export interface PageTexts {
  readonly version: number;
  /** Where the files of languages are, below the product's address: `texts/acme/7`. */
  readonly folder: string;
  /** What differs from the built file of a language. */
  messagesIn(locale: string): Messages;
}

export interface ServedTexts extends Pick<FollowedTexts, 'whereIs' | 'load'> {
  /** Undefined for an operator without own texts. Its page and its files are the built ones. */
  ofPage(operator: Pick<Operator, 'id' | 'partnerKey'>): PageTexts | undefined;
  /** What differs from the built file, in a version of the texts. Undefined for a version that this node does not hold. */
  messagesAt(operatorId: string, version: number, locale: string): Messages | undefined;
}

export function createServedTexts(followed: FollowedTexts, readWidget: ReadWidgetTexts): ServedTexts {
  const compiled = new WeakMap<
    StoredTexts,
    { readonly widget: WidgetTexts; readonly byLocale: Map<string, Messages> }
  >();

  const messagesOf = (stored: StoredTexts, locale: string): Messages => {
    const widget = readWidget();
    // Anybody may name any language.
    if (!widget?.locales.has(locale)) return {};
    let known = compiled.get(stored);
    if (known?.widget !== widget) {
      known = { widget, byLocale: new Map() };
      compiled.set(stored, known);
    }
    const messages = known.byLocale.get(locale) ?? messagesIn(stored, widget, locale);
    known.byLocale.set(locale, messages);
    return messages;
  };

  return {
    whereIs: followed.whereIs,
    load: followed.load,
    ofPage({ id, partnerKey }) {
      const stored = followed.newest(id);
      if (stored === undefined) return undefined;
      const folder = `texts/${encodeURIComponent(partnerKey)}/${stored.version}`;
      return { version: stored.version, folder, messagesIn: (locale) => messagesOf(stored, locale) };
    },
    messagesAt(operatorId, version, locale) {
      const stored = followed.at(operatorId, version);
      return stored && messagesOf(stored, locale);
    },
  };
}

/** A variant such as es-MX shows the texts of its language, and its own over them. */
function messagesIn({ byLocale }: StoredTexts, widget: WidgetTexts, locale: string): Messages {
  const base = baseOf(locale);
  return {
    ...(base !== undefined && compiledTexts(base, byLocale.get(base), widget)),
    ...compiledTexts(locale, byLocale.get(locale), widget),
  };
}

/** A text may be older than this build. One that does not fit it any more is left out: it could hide an amount. */
function compiledTexts(locale: string, texts: Texts = {}, { english }: WidgetTexts): Messages {
  const fitting = Object.entries(texts).filter(([key, text]) => problemOf(locale, key, text, english) === undefined);
  return Object.fromEntries(fitting.map(([key, text]) => [key, compileMessage(text)]));
}
