/** The shipped texts of the widget. Its build writes them as ICU messages into `server/texts.json` (apps/widget/build). */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { textsOf } from '@opencashier/messages/variants';

/** ICU messages by key. */
export type Texts = Readonly<Record<string, string>>;

export interface WidgetTexts {
  /** As the files of the languages are named. */
  readonly locales: ReadonlySet<string>;
  readonly english: Texts;
  /** All texts of a language that the build has. Of a variant such as es-MX, with those of its language. */
  shown(locale: string): Texts;
}

/** @returns undefined when the folder has no built widget, or a build is writing it at this moment */
export type ReadWidgetTexts = () => WidgetTexts | undefined;

/**
 * Reads the texts when they are needed, and again when the widget has been built again.
 * @param folder the widget's build
 */
export function widgetTextsIn(folder: string): ReadWidgetTexts {
  const file = join(folder, 'server/texts.json');
  let known: { readonly changedAt: number; readonly texts: WidgetTexts } | undefined;
  return () => {
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined) return undefined;
    if (known?.changedAt === changedAt) return known.texts;
    const texts = readTexts(file);
    known = texts && { changedAt, texts };
    return texts;
  };
}

function readTexts(file: string): WidgetTexts | undefined {
  const sources = readSources(file);
  if (sources === undefined) return undefined;
  const dictionaries = new Map(Object.entries(sources));
  return {
    locales: new Set(dictionaries.keys()),
    english: dictionaries.get('en') ?? {},
    shown: (locale) => textsOf(locale, dictionaries),
  };
}

/** @returns undefined when the file is gone or not yet complete */
function readSources(file: string): Record<string, Record<string, string>> | undefined {
  try {
    // The file comes from our own build, so its form is not checked.
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
