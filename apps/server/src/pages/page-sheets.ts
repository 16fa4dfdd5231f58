/**
 * The style sheets of a drawn page beyond those that the built page has in itself. A page that is shown without them would change
 * when they come (UI-5).
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Names of classes, as the widget's build writes them. */
const className = /\.(_[\w-]+)/g;
const classAttribute = /\bclass="([^"]*)"/g;

export interface PageSheets {
  /** The texts of the sheets that the drawn HTML needs. */
  of(html: string): readonly string[];
}

/** Reads the sheets of a build. @param folder the widget's build */
export async function readPageSheets(folder: string): Promise<PageSheets> {
  const assets = join(folder, 'assets');
  const files = (await readdir(assets)).filter((file) => file.endsWith('.css')).sort();
  const [page, ...texts] = await Promise.all([
    readFile(join(folder, 'index.html'), 'utf8'),
    ...files.map((file) => readFile(join(assets, file), 'utf8')),
  ]);
  const present = classesIn((page ?? '').match(/<style>[\s\S]*?<\/style>/g)?.join('') ?? '');
  const sheetOf = new Map<string, string>();
  for (const text of texts) for (const name of classesIn(text)) if (!present.has(name)) sheetOf.set(name, text.trim());
  return {
    of(html) {
      const used = [...html.matchAll(classAttribute)].flatMap(([, names = '']) => names.split(' '));
      return [...new Set(used.flatMap((name) => sheetOf.get(name) ?? []))];
    },
  };
}

function classesIn(css: string): Set<string> {
  return new Set([...css.matchAll(className)].map(([, name = '']) => name));
}
