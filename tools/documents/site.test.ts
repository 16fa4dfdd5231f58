/** The documentation site shows every document of docs/, and its links fit those of the code host. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldersWithFirstPage } from '../../apps/site/src/documents/markdown.ts';
import { descriptionOf, titleOf } from '../../apps/site/src/documents/page-text.ts';
import { repository } from '../../apps/site/src/documents/repository.ts';
import { rewriteLinks } from '../../apps/site/src/documents/rewrite-links.ts';
import { pageOf, siteLink } from '../../apps/site/src/documents/routes.ts';
import { schemaCards } from '../../apps/site/src/documents/schema-diagram.ts';
import { groups } from '../../apps/site/src/documents/sidebar.ts';
import { codeIn, root } from './fences.ts';

const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.startsWith('glossaries'))
  .sort();
const read = (path: string) => readFileSync(join(root, 'docs', path), 'utf8');

test('the sidebar has each document once', () => {
  const pages = documents.map(pageOf);
  expect(new Set(pages).size).toBe(documents.length);
  const listed = groups.flatMap(({ pages: named = [], folder }) =>
    folder === undefined ? named : pages.filter((page) => page === folder || page.startsWith(`${folder}/`)),
  );
  expect([...listed].sort()).toEqual([...pages].sort());
});

test('each document has a title and a sentence about itself', () => {
  const bare = documents.filter((path) => path !== 'README.md' && descriptionOf(read(path)) === '');
  expect(documents.map((path) => titleOf(read(path), path)).filter((title) => /[`*[\]]/.test(title))).toEqual([]);
  expect(bare).toEqual([]);
  expect(() => titleOf('no heading', 'x.md')).toThrow('x.md begins without a heading');
});

test.each([
  ['operate.md#settings', 'docs/integrate.md', '/v/operate/#settings'],
  ['README.md', 'docs/integrate.md', '/v/'],
  ['../README.md', 'docs/errors/README.md', '/v/'],
  ['runbooks/NodeDown.md', 'docs/metrics.md', '/v/runbooks/nodedown/'],
  ['runbooks/', 'docs/metrics.md', '/v/runbooks/'],
  ['reference/openapi.json', 'docs/integrate.md', '/v/reference/openapi.json'],
  ['adr/', 'docs/README.md', 'https://github.com/opencashier/opencashier/tree/v0.1/docs/adr'],
  [
    '../examples/README.md',
    'docs/README.md',
    'https://github.com/opencashier/opencashier/blob/v0.1/examples/README.md',
  ],
  ['#below', 'docs/README.md', '#below'],
  ['https://example.com', 'docs/README.md', 'https://example.com'],
])('the link %s of %s becomes %s', (link, from, wanted) => {
  expect(siteLink(link, from, { base: '/v/', revision: 'v0.1' }, foldersWithFirstPage(root))).toBe(wanted);
});

test('the site names the repository that the published packages name', () => {
  const embed = readFileSync(join(root, 'packages/embed/package.json'), 'utf8');
  expect(embed).toContain(`"git+${repository}.git"`);
});

test('the diagram of the schema is drawn with every table and every reference', () => {
  const diagram = codeIn('mermaid').find(({ path }) => path === 'docs/reference/schema.md')?.text ?? '';
  expect(diagram).toContain('erDiagram');
  const html = schemaCards(diagram) ?? '';
  expect(html.match(/<section>/g)).toHaveLength(diagram.match(/^ {2}\w+ \{$/gm)?.length ?? 0);
  expect(html).toContain('<b>refund</b>');
  expect(html).toContain('Refers to deposit, payment, refund (no foreign key)');
  expect(schemaCards('graph TD')).toBeUndefined();
});

test('the Markdown for programs has absolute links, and its code is untouched', () => {
  const text = [
    'See [a](b.md "b.md") and [`b.md`](b.md#c), not `[a](b.md)`.',
    '[![alt b.md](b.png)](b.md)',
    '| [x](y.md) | `[x](y.md)` |',
    '<img src="z.png" alt="z.png">',
    '```js\nconst answers = ["[a](b.md)"](url);\n```',
    '[d]: e.md',
    '<https://y.example> ![f.md](f.md)',
    '    [a](indented.md)',
  ].join('\n\n');
  const rewritten = rewriteLinks(text, (link) => `https://x.example/${link}`);
  expect(rewritten.split('\n\n')).toEqual([
    'See [a](https://x.example/b.md "b.md") and [`b.md`](https://x.example/b.md#c), not `[a](b.md)`.',
    '[![alt b.md](https://x.example/b.png)](https://x.example/b.md)',
    '| [x](https://x.example/y.md) | `[x](y.md)` |',
    '<img src="https://x.example/z.png" alt="z.png">',
    '```js\nconst answers = ["[a](b.md)"](url);\n```',
    '[d]: https://x.example/e.md',
    '<https://y.example> ![f.md](https://x.example/f.md)',
    '    [a](indented.md)',
  ]);
});
