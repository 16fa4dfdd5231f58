/**
 * Finds the sentences of documents and comments, for the tests of plain English. It works by lines, without a parser: so it is
 * fast over the whole tree, and knows the line on which a sentence begins.
 */

export interface Sentence {
  /** Line in the file on which the sentence begins; the first line is 1. */
  readonly line: number;
  /** Inline code stands as `Code`, so that a command counts as one word and its dots end nothing. */
  readonly text: string;
  readonly words: number;
}

interface Line {
  readonly line: number;
  readonly text: string;
}

/** Text that belongs together: a paragraph, a list item, a heading, a table cell, or the lines of one comment. */
type Block = readonly Line[];

/** Abbreviations whose dot ends no sentence. */
const abbreviations =
  /\b(?:e\.g|i\.e|etc|vs|cf|ca|approx|incl|resp|no|fig|al)\.(?=\s+[^A-Z\s]|,|\))|\b(?:e\.g|i\.e|vs|cf)\./gi;
/** Ends a sentence: a full stop, closing marks, a space, and a capital letter, a digit, a mark, or a name such as `a.ts`. */
const sentenceEnd = /(?<=[.!?][)\]"'”’»*]*)\s+(?=[^a-z\s]|[a-z]+[A-Z]|[\w-]+[./]\w)/u;
const requirementId = /\[[A-Z]+-\d+\]/g;
/** The type behind a tag of JSDoc, such as `{Map<string, { name: string }>}`. */
const typeOfTag = /^\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}\s*/;

export function sentencesOfMarkdown(text: string): Sentence[] {
  return blocksOfMarkdown(text).flatMap(sentencesOfBlock);
}

/** Comments of TypeScript and JavaScript: whole lines, ends of lines, and `/* … *\/`. */
export function sentencesOfScript(text: string): Sentence[] {
  return blocksOfScript(text).flatMap(sentencesOfBlock);
}

/** Comments of SQL that begin with two hyphens. */
export function sentencesOfSql(text: string): Sentence[] {
  return blocksOfLineComments(text.split('\n'), '--').flatMap(sentencesOfBlock);
}

export function countWords(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function blocksOfMarkdown(text: string): Block[] {
  const blocks: Line[][] = [];
  let block: Line[] = [];
  const endBlock = () => {
    if (block.length > 0) blocks.push(block);
    block = [];
  };
  for (const { line, text: raw } of withoutFences(withoutMarkup(text))) {
    const content = raw.replace(/^\s*>\s?/, '').trim();
    if (content.startsWith('|')) {
      endBlock();
      for (const cell of content.split(/(?<!\\)\|/)) blocks.push([{ line, text: cell.trim() }]);
      continue;
    }
    if (content === '' || /^(?:#|[-*+] |\d+\. |---)/.test(content)) endBlock();
    block.push({ line, text: content.replace(/^(?:#+|[-*+]|\d+\.)\s+(?:\[[ x]\]\s+)?/, '') });
    if (content.startsWith('#')) endBlock();
  }
  endBlock();
  return blocks;
}

/** Takes HTML comments, pictures and the addresses of links out, and keeps the number of lines. */
function withoutMarkup(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\]\((?:[^()\s]|\([^()]*\))*\)/g, ']');
}

function withoutFences(text: string): Line[] {
  let isCode = false;
  return text.split('\n').map((content, index) => {
    const isFence = /^\s*```/.test(content);
    if (isFence) isCode = !isCode;
    return { line: index + 1, text: isFence || isCode ? '' : content };
  });
}

function blocksOfScript(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Line[][] = [];
  let comment: Line[] | undefined;
  const rest = lines.map((content, index) => {
    const begins = comment === undefined && /^\s*(?:\{)?\/\*/.test(content);
    if (comment === undefined && !begins) return content;
    comment ??= [];
    comment.push({
      line: index + 1,
      text: content
        .replace(/^\s*(?:\{?\/\*+|\*(?!\/))/, '')
        .replace(/\*\/.*$/, '')
        .trim(),
    });
    if (content.includes('*/')) {
      blocks.push(...paragraphsOfComment(comment));
      comment = undefined;
    }
    return '';
  });
  return [...blocks, ...blocksOfLineComments(rest, '//')];
}

/** Lines that begin with the mark and follow each other are one comment; a mark after code makes a comment of its own. */
function blocksOfLineComments(lines: readonly string[], mark: '//' | '--'): Block[] {
  const blocks: Line[][] = [];
  let comment: Line[] = [];
  const endComment = () => {
    blocks.push(...paragraphsOfComment(comment));
    comment = [];
  };
  lines.forEach((content, index) => {
    const line = index + 1;
    const trimmed = content.trim();
    if (trimmed.startsWith(mark)) {
      comment.push({ line, text: trimmed.slice(mark.length).trim() });
      return;
    }
    endComment();
    const after = content.indexOf(` ${mark} `);
    if (after >= 0) blocks.push([{ line, text: content.slice(after + mark.length + 2).trim() }]);
  });
  endComment();
  return blocks;
}

/** An empty line, a list item, a tag such as `@returns`, and a fence of code end a paragraph. */
function paragraphsOfComment(lines: readonly Line[]): Line[][] {
  const paragraphs: Line[][] = [];
  let isCode = false;
  let paragraph: Line[] = [];
  for (const { line, text } of lines) {
    const isFence = text.startsWith('```');
    if (isFence) isCode = !isCode;
    if (text === '' || isFence || /^(?:[-*] |\d+\. |@\w+)/.test(text)) {
      paragraphs.push(paragraph);
      paragraph = [];
    }
    const isDirective = /^(?:biome-ignore|@ts-|eslint|Stryker|v8 |#)/.test(text);
    if (!isFence && !isCode && !isDirective) {
      paragraph.push({ line, text: text.replace(/^(?:[-*]|\d+\.)\s+|^@\w+\s*/, '') });
    }
  }
  paragraphs.push(paragraph);
  return paragraphs.filter(({ length }) => length > 0);
}

function sentencesOfBlock(block: Block): Sentence[] {
  const text = prose(block.map((line) => line.text).join('\n'));
  const sentences: Sentence[] = [];
  let at = 0;
  for (const part of text.split(sentenceEnd)) {
    const start = text.indexOf(part, at);
    at = start + part.length;
    const before = text.slice(0, start + (part.length - part.trimStart().length)).split('\n').length - 1;
    const words = countWords(part);
    if (words > 0) sentences.push({ line: block[before]?.line ?? 1, text: part.replace(/\s+/g, ' ').trim(), words });
  }
  return sentences;
}

/** Replaces what is no prose by something of as many lines. */
function prose(text: string): string {
  const sameLines = (word: string) => (found: string) => word + '\n'.repeat(found.split('\n').length - 1);
  return text
    .replace(/``[^`][\s\S]*?``|`[^`]*`(?:\s+\[[A-Z]+-\d+\])*(?:\s+“[^”]+”)?/g, sameLines('Code'))
    .replace(/\{@link\s+[^}]*\}/g, sameLines('Code'))
    .replace(typeOfTag, sameLines(''))
    .replace(/<(?:img|br|a|p|div)\b[^>]*\balt="([^"]*)"[^>]*>/g, '$1.')
    .replace(/https?:\/\/\S+/g, 'Code')
    .replace(requirementId, '')
    .replace(abbreviations, (found) => found.replaceAll('.', ''));
}
