/** A link that leads nowhere sends its reader away: every file and heading that a document links to must exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { root, withoutFences } from './fences.ts';

const notOurs = new Set(['node_modules', 'dist', 'coverage', 'test-results', 'glossaries']);

/** Relative links of a page, with their headings. Code blocks and inline code hold no links. */
function linksOf(text: string): { file: string; heading: string | undefined }[] {
  const prose = withoutFences(text).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\((?!https?:|mailto:)([^()\s#]*)(?:#([^()\s]+))?\)/g)].map(([, file = '', heading]) => ({
    file,
    heading,
  }));
}

/** The names that GitHub gives to the headings of a page. */
function headingsOf(text: string): Set<string> {
  const headings = [...withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}

/** @returns the links of a page that lead nowhere */
function deadLinksOf(path: string, text: string): string[] {
  return linksOf(text)
    .filter(({ file, heading }) => {
      const target = file === '' ? join(root, path) : join(root, dirname(path), file);
      if (!existsSync(target)) return true;
      return heading !== undefined && target.endsWith('.md') && !headingsOf(readFileSync(target, 'utf8')).has(heading);
    })
    .map(({ file, heading }) => `${path}: ${file}${heading === undefined ? '' : `#${heading}`}`);
}

function pagesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !notOurs.has(name) && (!name.startsWith('.') || name === '.github'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return pagesUnder(path);
      return entry.name.endsWith('.md') ? [relative(root, path).split(sep).join('/')] : [];
    });
}

test('a link to nowhere is found', () => {
  expect(deadLinksOf('docs/README.md', '[a](operate.md#settings) [b](operate.md#nothing) [c](nothing.md)')).toEqual([
    'docs/README.md: operate.md#nothing',
    'docs/README.md: nothing.md',
  ]);
});

test('every link of every document leads to a file and a heading', () => {
  const pages = pagesUnder(root);
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.flatMap((path) => deadLinksOf(path, readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
