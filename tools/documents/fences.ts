/** The fenced code of the documents. Each test of a language takes its fences from here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export interface Fence {
  /** The document, from the root of the repository. */
  readonly path: string;
  /** Document and line, for messages. */
  readonly place: string;
  readonly language: string;
  /** The words after the language. `not run: …` says why a test leaves the code alone. */
  readonly note: string;
  /** Without the indentation of the fence. */
  readonly text: string;
}

/** All documents with code for readers: docs/ and every README.md. Glossaries are lists of words in other languages. */
export function documentsWithCode(): string[] {
  const folders = ['docs', 'packages', 'apps', 'examples', 'sdks', 'e2e', 'deploy', 'scripts'];
  const isOurs = (path: string) => !/(?:^|\/)(?:node_modules|dist|glossaries|\.[^/]+)\//.test(path);
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) =>
        relative(root, join(root, folder, name))
          .split(sep)
          .join('/'),
      )
      .filter((path) => (folder === 'docs' ? path.endsWith('.md') : path.endsWith('/README.md')) && isOurs(path)),
  );
  return ['README.md', 'CONTRIBUTING.md', ...found.sort()];
}

/** The text around the fences: a line of a program is neither a link nor a heading. */
export function withoutFences(text: string): string {
  return text.replace(/^ *```[\s\S]*?^ *```/gm, '');
}

export function fencesIn(text: string, path: string): Fence[] {
  return [...text.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: info = '', 3: code = '' }) => {
      const [language = '', ...words] = info.trim().split(' ');
      return {
        path,
        place: `${path}:${text.slice(0, index).split('\n').length}`,
        language,
        note: words.join(' '),
        text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      };
    },
  );
}

export const fences: readonly Fence[] = documentsWithCode().flatMap((path) =>
  fencesIn(readFileSync(join(root, path), 'utf8'), path),
);

/** The fences of some languages, without those whose note says why they are not run. */
export function codeIn(...languages: string[]): Fence[] {
  return fences.filter(({ language, note }) => languages.includes(language) && !note.startsWith('not run: '));
}
