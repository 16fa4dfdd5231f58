import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { problemsOfSite } from './check-site.mjs';
import { publishedAt } from './published-at.mjs';

const origin = 'https://docs.example';
const canonical = (path: string) => `<link rel="canonical" href="${origin}/v/${path}">`;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'));
  write('index.html', `${canonical('')}<h2 id="top">A</h2><a href="/v/b/#part">b</a><script src="/v/x.js"></script>`);
  write(
    'b/index.html',
    `${canonical('b/')}<h2 id="part">B</h2><a href="../#top">a</a><a href="https://example.com">elsewhere</a>`,
  );
  write('x.js', '');
  write('b.md', 'The text of b.');
  write('llms.txt', '# A\n\n> What it is.\n\n## Start\n\n- [B](https://docs.example/v/b.md): A page.\n');
  write('llms-full.txt', 'The text of b.\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

test('a sound site has no problem', () => {
  expect(problemsOfSite(folder, '/v/', origin)).toEqual([]);
});

test('dead links, missing headings, and files of other sites are found', () => {
  write(
    'c/index.html',
    `${canonical('c/')}<a href="/v/none/">x</a><a href="/b/">x</a><a href="/v/b/#none">x</a><img src="//cdn.example/x.png">`,
  );
  expect(problemsOfSite(folder, '/v/', origin)).toEqual([
    'c/index.html loads //cdn.example/x.png from another site.',
    'c/index.html links to /v/none/, which is not there.',
    'c/index.html links to /b/, which is not there.',
    'c/index.html links to /v/b/#none, but that page has no such heading.',
  ]);
});

test('a canonical link to another address is found', () => {
  write('c/index.html', canonical('').replace(origin, 'https://elsewhere.example'));
  write('404.html', '');
  expect(problemsOfSite(folder, '/v/', origin)).toEqual([
    'c/index.html must have the canonical link https://docs.example/v/c/; it has https://elsewhere.example/v/.',
  ]);
});

test('llms.txt names each page once, and llms-full.txt has its text', () => {
  write('c.md', 'The text of c.');
  expect(problemsOfSite(folder, '/v/', origin)).toEqual(['llms.txt lacks c.md.']);
  write('llms.txt', 'A\n\n- [B](https://docs.example/v/b.md)\n- [C](https://docs.example/v/c.md)\n');
  expect(problemsOfSite(folder, '/v/', origin)).toEqual([
    'llms.txt does not begin with a title and a summary.',
    'llms-full.txt lacks c.md.',
  ]);
});

test('the site is published where error answers link to, or at SITE_URL', () => {
  expect(publishedAt({})).toEqual({ origin: 'https://opencashier.github.io', path: '/opencashier/' });
  expect(publishedAt({ SITE_URL: 'http://localhost:3003' })).toEqual({ origin: 'http://localhost:3003', path: '/' });
  expect(publishedAt({ SITE_URL: '' })).toEqual(publishedAt({}));
  for (const wrong of ['docs.example.com', 'ftp://docs.example.com', 'https://docs.example.com/?a=b']) {
    expect(() => publishedAt({ SITE_URL: wrong })).toThrow(`not ${wrong}`);
  }
});
