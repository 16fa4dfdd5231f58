/**
 * Plain English, as far as a machine can count it (CONTRIBUTING.md, "Plain English"): the length of sentences, and banned words.
 * Each rule first proves on a bad sample that it can fail. The lists of folders that do not hold yet are ratchets: a new entry
 * is not allowed, and an entry that is no longer needed fails.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bannedWords } from './banned-words.ts';
import { countWords, type Sentence, sentencesOfMarkdown, sentencesOfScript, sentencesOfSql } from './sentences.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
/** The reference and generated code come from the contract, glossaries are in other languages, and a canary is wrong on purpose. */
const notOurs = new Set([
  'node_modules',
  'dist',
  'coverage',
  'canary',
  'test-results',
  'reference',
  'generated',
  'glossaries',
  'pictures',
]);
const files = filesUnder(root);
const documents = files.filter((path) => path.endsWith('.md'));
const sources = files.filter((path) => /\.(?:ts|tsx|mjs|sql)$/.test(path) && path !== 'tools/style/banned-words.ts');

/** Words in a sentence, at most. */
const longestInDocuments = 25;
const longestInComments = 30;

/** Folders, and single files, whose comments have longer sentences. This list may only become shorter. */
const longCommentsIn: readonly string[] = [];

/** Folders, and single files, whose comments have banned words. This list may only become shorter. */
const bannedWordsIn: readonly string[] = [];

describe('a sentence is found whole', () => {
  const texts = (sentences: readonly Sentence[]) => sentences.map(({ text }) => text);

  test.each([
    ['an abbreviation', 'Coins, e.g. USDT, i.e. tokens, are counted. Others are not.', 2],
    ['an abbreviation before a capital letter', 'Some chains, e.g. Tron, are fast. Others are slow.', 2],
    ['a version and a file', 'React 19.2 is pinned in package.json. Nothing else is.', 2],
    ['a file at the end', 'The rule is in main.ts. It runs first.', 2],
    ['inline code with a dot', 'Run `npm test. Then wait` first. `npm start` comes later.', 2],
    ['a requirement id', 'The key is stored first. [DEP-16] It is sent after it.', 2],
    ['a bold start and a bracket', '**The key is stored.** (It is small.) Then it is sent.', 3],
    ['an ellipsis and an amount', 'It shows 1.50 … 2.75 euros. The rest is hidden.', 2],
    ['two lines of one paragraph', 'The key is\nstored first. It is\nsent later.', 2],
  ])('%s', (_, text, count) => {
    expect(texts(sentencesOfMarkdown(text))).toHaveLength(count);
  });

  test('cells, items and headings are sentences, code blocks are not', () => {
    const page =
      '# Run it\n\n| a | b |\n|---|---|\n| one two | three |\n\n- first\n- second\n\n```\nnpm start. Then wait.\n```\n';
    expect(texts(sentencesOfMarkdown(page))).toEqual(['Run it', 'a', 'b', 'one two', 'three', 'first', 'second']);
  });

  test('comments are found in TypeScript, code and texts are not', () => {
    const source = [
      '/** Adds a fee. @param fee minor units */',
      "const url = 'https://pay.example.com'; // The first line",
      '// A comment over',
      '// two lines.',
      "const text = 'no comment here';",
    ].join('\n');
    expect(sentencesOfScript(source)).toEqual([
      { line: 1, text: 'Adds a fee.', words: 3 },
      { line: 1, text: '@param fee minor units', words: 4 },
      { line: 2, text: 'The first line', words: 3 },
      { line: 3, text: 'A comment over two lines.', words: 5 },
    ]);
    expect(texts(sentencesOfSql('-- One\n-- sentence.\nselect 1; -- Another'))).toEqual(['One sentence.', 'Another']);
  });

  test('inline code is one word, a mark is none', () => {
    expect(
      sentencesOfMarkdown('Run `npm run new:flow -- name` – then [wait](https://example.com/a.b).')[0]?.words,
    ).toBe(4);
    expect(countWords('left = amount - sum')).toBe(3);
  });
});

describe('a sentence is short', () => {
  test('a long one is caught, with its line', () => {
    const long = `The ${'very '.repeat(longestInComments)}long sentence.`;
    expect(tooLong(sentencesOfMarkdown(`Short.\n\n${long}`), longestInDocuments)).toEqual([
      expect.stringMatching(/^3: 33 words: The very/),
    ]);
    expect(tooLong(sentencesOfScript(`// ${long}`), longestInComments)).toHaveLength(1);
  });

  test(`a document has at most ${longestInDocuments} words in a sentence`, () => {
    expect(documents.length).toBeGreaterThan(40);
    expect(problems(documents, (sentences) => tooLong(sentences, longestInDocuments))).toEqual([]);
  });

  test(`a comment has at most ${longestInComments} words in a sentence`, () => {
    expect(sources.length).toBeGreaterThan(500);
    expectRatchet(
      problems(sources, (sentences) => tooLong(sentences, longestInComments)),
      longCommentsIn,
    );
  });
});

describe('a word is one of the field', () => {
  test.each(bannedWords)('$pattern catches a bad sample', ({ pattern, bad }) => {
    expect(bad).toMatch(pattern);
  });

  test('no term to use instead is banned itself', () => {
    expect(bannedWords.filter(({ instead }) => banned([{ line: 1, text: instead, words: 1 }]).length > 0)).toEqual([]);
  });

  test('in documents', () => {
    expect(problems(documents, banned)).toEqual([]);
  });

  test('in comments', () => {
    expectRatchet(problems(sources, banned), bannedWordsIn);
  });
});

function tooLong(sentences: readonly Sentence[], most: number): string[] {
  return sentences
    .filter(({ words }) => words > most)
    .map(({ line, words, text }) => `${line}: ${words} words: ${text}`);
}

function banned(sentences: readonly Sentence[]): string[] {
  return sentences.flatMap(({ line, text }) =>
    bannedWords.flatMap(({ pattern, instead }) => {
      const [word] = pattern.exec(text) ?? [];
      return word === undefined ? [] : [`${line}: "${word}", write ${instead}: ${text}`];
    }),
  );
}

/** What is wrong, as `path:line: what`. */
function problems(paths: readonly string[], find: (sentences: readonly Sentence[]) => readonly string[]): string[] {
  return paths.flatMap((path) => find(sentencesOf(path)).map((what) => `${path}:${what}`));
}

function expectRatchet(found: readonly string[], notYet: readonly string[]): void {
  const isIn = (place: string) => (line: string) => line.startsWith(place.endsWith('/') ? place : `${place}:`);
  expect(found.filter((line) => !notYet.some((place) => isIn(place)(line)))).toEqual([]);
  // Remove an entry that is no longer needed.
  expect(notYet.filter((place) => !found.some(isIn(place)))).toEqual([]);
}

function sentencesOf(path: string): Sentence[] {
  const text = readFileSync(join(root, path), 'utf8');
  if (path.endsWith('.md')) return sentencesOfMarkdown(text);
  return path.endsWith('.sql') ? sentencesOfSql(text) : sentencesOfScript(text);
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !notOurs.has(name) && (!name.startsWith('.') || /^\.[\w-]+\.mjs$/.test(name)))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesUnder(path) : [relative(root, path).split(sep).join('/')];
    });
}
