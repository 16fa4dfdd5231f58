/** Operators' own texts as the widget interprets them, for its page and for the file of a language. */
import { createHash } from 'node:crypto';
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
export interface OwnPageTexts {
  /** Where the files of languages are, below the product's address: `texts/acme/7-3f9a1c2b`. It names their content. */
  readonly folder: string;
  /** What differs from the built file of a language. */
  messagesIn(locale: string): Messages;
}

/** The own texts for the file of a language. */
export interface FileTexts {
  readonly messages: Messages;
  /** The hash in `OwnPageTexts.folder`. Undefined: this node has made no page of this version, and computes no hash for it. */
  readonly hash: string | undefined;
}

export interface ServedTexts extends Pick<FollowedTexts, 'whereIs' | 'load'> {
  /** Undefined for an operator without own texts, or without a built widget: its page and its files are the built ones. */
  ofPage(operator: Pick<Operator, 'id' | 'partnerKey'>): OwnPageTexts | undefined;
  /** Undefined for a version that this node does not hold, and without a built widget. */
  ofFile(operatorId: string, version: number, locale: string): FileTexts | undefined;
}

export function createServedTexts(followed: FollowedTexts, readWidget: ReadWidgetTexts): ServedTexts {
  const compile = createCompiler();
  const hashes = new WeakMap<StoredTexts, { readonly widget: WidgetTexts; readonly hash: string }>();

  const messagesIn = ({ byLocale }: StoredTexts, widget: WidgetTexts, locale: string): Messages => {
    // Anybody may name any language.
    if (!widget.locales.has(locale)) return {};
    // A variant such as es-MX shows the texts of its language, and its own over them.
    const base = baseOf(locale);
    return {
      ...(base !== undefined && compile(base, byLocale.get(base), widget)),
      ...compile(locale, byLocale.get(locale), widget),
    };
  };

  const knownHash = (stored: StoredTexts, widget: WidgetTexts): string | undefined => {
    const known = hashes.get(stored);
    return known?.widget === widget ? known.hash : undefined;
  };
  /** What users see depends on the texts, on this build and on this server. So the hash is one of the finished messages. */
  const hashOf = (stored: StoredTexts, widget: WidgetTexts): string => {
    const known = knownHash(stored, widget);
    if (known !== undefined) return known;
    const all = [...widget.locales].map((locale) => [locale, messagesIn(stored, widget, locale)]);
    const hash = createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 8);
    hashes.set(stored, { widget, hash });
    return hash;
  };

  return {
    whereIs: followed.whereIs,
    load: followed.load,
    ofPage({ id, partnerKey }) {
      const stored = followed.newest(id);
      const widget = stored && readWidget();
      if (stored === undefined || widget === undefined) return undefined;
      const folder = `texts/${encodeURIComponent(partnerKey)}/${stored.version}-${hashOf(stored, widget)}`;
      return { folder, messagesIn: (locale) => messagesIn(stored, widget, locale) };
    },
    ofFile(operatorId, version, locale) {
      const stored = followed.at(operatorId, version);
      const widget = stored && readWidget();
      if (stored === undefined || widget === undefined) return undefined;
      // The hash needs every language. Strangers may ask for any older version, and must not cause so much work.
      const isNewest = stored === followed.newest(operatorId);
      const hash = isNewest ? hashOf(stored, widget) : knownHash(stored, widget);
      return { messages: messagesIn(stored, widget, locale), hash };
    },
  };
}

/** Compiles the texts of a language once for a build. */
function createCompiler() {
  const compiled = new WeakMap<Texts, { readonly widget: WidgetTexts; readonly messages: Messages }>();
  return (locale: string, texts: Texts | undefined, widget: WidgetTexts): Messages => {
    if (texts === undefined) return {};
    const known = compiled.get(texts);
    if (known?.widget === widget) return known.messages;
    // A text may be older than this build. One that does not fit it any more is left out: it could hide an amount.
    const fitting = Object.entries(texts).filter(
      ([key, text]) => problemOf(locale, key, text, widget.english) === undefined,
    );
    const messages = Object.fromEntries(fitting.map(([key, text]) => [key, compileMessage(text)]));
    compiled.set(texts, { widget, messages });
    return messages;
  };
}
