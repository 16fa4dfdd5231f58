/** The program of the widget's build that draws the first list. The server does not import the widget: it loads this file. */
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MethodList } from '@opencashier/contract/api';
import type { FirstListDrawing, FirstListFacts, FirstListRenderer, TilePage } from '@opencashier/contract/page';
import type { OwnPageTexts } from '../own-texts/served-texts.ts';
import { createIconInliner } from './inline-icons.ts';
import { type PageSheets, readPageSheets } from './page-sheets.ts';

/** A drawing, and the file of texts that the page needs next. */
export interface DrawnList extends FirstListDrawing {
  readonly tilePages: readonly DrawnTilePage[];
  /** Below the product's address, such as `static/locales/en.1a2b3c4d.json`. */
  readonly textsFile: string;
}

export interface DrawnTilePage extends TilePage {
  /** Texts of the style sheets that the page needs beyond those of the built page. */
  readonly sheets: readonly string[];
}

export interface FirstListDrawer {
  /**
   * Undefined when the build has no such language, or cannot draw.
   * @param own the operator's own texts; absent: the built texts
   */
  draw(
    facts: FirstListFacts,
    locale: string,
    listOf: (language: string) => MethodList,
    own?: OwnPageTexts,
  ): Promise<DrawnList | undefined>;
}

/** Code and sheets of one build. */
interface Renderer extends FirstListRenderer {
  readonly sheets: PageSheets;
}

/** @param folder the widget's build */
export function createFirstListDrawer(folder: string): FirstListDrawer {
  const program = join(folder, 'server/first-list.js');
  let loaded: { readonly changedAt: number; readonly renderer: Promise<Renderer> } | undefined;
  /** A name of a file has a hash of its content, so no file is read twice. */
  const texts = new Map<string, Promise<Readonly<Record<string, unknown>>>>();

  const rendererOf = async (): Promise<Renderer | undefined> => {
    const changedAt = await changedAtOf(program);
    if (changedAt === undefined) return undefined;
    // In development the build may run again while the server runs.
    if (loaded?.changedAt !== changedAt) {
      const address = `${pathToFileURL(program).href}?${changedAt}`;
      const code = import(/* @vite-ignore */ address) as Promise<FirstListRenderer>;
      const renderer = Promise.all([code, readPageSheets(folder)]).then(([{ textsFileOf, drawFirstList }, sheets]) => ({
        textsFileOf,
        drawFirstList,
        sheets,
      }));
      loaded = { changedAt, renderer };
      // Perhaps the file was being written. The next drawing tries again.
      renderer.catch(() => {
        loaded = undefined;
      });
    }
    return loaded.renderer;
  };
  const textsOf = (file: string): Promise<Readonly<Record<string, unknown>>> => {
    const known = texts.get(file);
    if (known) return known;
    const read = readFile(join(folder, file), 'utf8').then(
      (text) => JSON.parse(text) as Readonly<Record<string, unknown>>,
    );
    texts.set(file, read);
    read.catch(() => texts.delete(file));
    return read;
  };

  const withIcons = createIconInliner(folder);

  return {
    async draw(facts, locale, listOf, own) {
      const renderer = await rendererOf();
      const language = renderer?.textsFileOf(locale);
      if (renderer === undefined || language === undefined) return undefined;
      const list = listOf(language.locale);
      if (list.methods.length === 0) return undefined;
      const built = await textsOf(language.file);
      const texts = own ? { ...built, ...own.messagesIn(language.locale) } : built;
      const drawing = await renderer.drawFirstList(facts, list, locale, texts);
      const html = await withIcons(drawing.html);
      const tilePages = drawing.tilePages.map(async (page) => ({
        ...page,
        html: await withIcons(page.html),
        sheets: renderer.sheets.of(page.html),
      }));
      const textsFile = own ? `${own.folder}/${basename(language.file)}` : language.file;
      return { ...drawing, html, tilePages: await Promise.all(tilePages), textsFile };
    },
  };
}

async function changedAtOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
