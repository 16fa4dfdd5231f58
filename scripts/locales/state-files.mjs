/** The files of states, and the table of docs/languages.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseOf } from '@opencashier/messages/variants';
import { contextProblems } from './sources.mjs';
import { advance, countStates, staleKeys } from './state.mjs';

/** @typedef {Record<string, import('./state.mjs').Entries>} Sections by the name of their source */

const fileOf = (root, locale) => join(root, 'locales/state', `${locale}.json`);

/** @returns {Sections} */
export function readStates(root, locale) {
  const file = fileOf(root, locale);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** @param {Sections} sections */
export function writeStates(root, locale, sections) {
  writeFileSync(fileOf(root, locale), textOf(sections));
}

const textOf = (sections) => `${JSON.stringify(sections, null, 2)}\n`;

/**
 * Brings the states up to date, and says what is stale.
 *
 * @param {string} root
 * @param {readonly import('./sources.mjs').Source[]} sources
 * @param {{ isCheck: boolean }} options a check writes nothing
 * @returns {{ problems: string[], notes: string[] }} a stale text that money depends on is a problem, any other a note
 */
export function updateStates(root, sources, { isCheck }) {
  const problems = sources.flatMap(contextProblems);
  const notes = [];
  const rows = [];
  const locales = [...new Set(sources.flatMap(({ files }) => [...files.keys()]))]
    .filter((locale) => locale !== 'en')
    .sort();
  for (const locale of locales) {
    const before = readStates(root, locale);
    const after = Object.fromEntries(
      sources.map(({ name, english, files }) => [name, advance(before[name] ?? {}, files.get(locale) ?? {}, english)]),
    );
    if (textOf(before) !== textOf(after)) {
      if (isCheck) problems.push(`locales/state/${locale}.json is not up to date: run node scripts/locales.mjs.`);
      else writeStates(root, locale, after);
    }
    for (const { name, english, context } of sources) {
      for (const key of staleKeys(after[name], english)) {
        const line = `${locale}: "${key}" (${name}) was translated from another English text.`;
        (context[key]?.critical === true ? problems : notes).push(line);
      }
    }
    rows.push(rowOf(locale, after, sources));
  }
  problems.push(...updateTable(root, rows, isCheck));
  return { problems, notes };
}

function rowOf(locale, sections, sources) {
  const counts = countStates(
    sources.map(({ name }) => sections[name]),
    sources.map(({ english }) => english),
  );
  const isApproved = counts.native === counts.all;
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(locale);
  const kind = baseOf(locale) === undefined ? '' : ` (differs from ${baseOf(locale)})`;
  return `| ${locale} | ${name}${kind} | ${counts.all} | ${counts.draft} | ${counts.read} | ${counts.native} | ${counts.stale} | ${isApproved ? 'yes' : 'not yet'} |`;
}

const start = '<!-- states -->';
const end = '<!-- /states -->';

/** The table stands in docs/languages.md between two marks. */
function updateTable(root, rows, isCheck) {
  const file = join(root, 'docs/languages.md');
  const text = readFileSync(file, 'utf8');
  const [before, rest] = text.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) return ['docs/languages.md has lost the marks of its table of states.'];
  const head =
    '| tag | language | texts | draft | read twice | native | stale | approved by natives |\n|---|---|---|---|---|---|---|---|';
  const next = `${before}${start}\n\n${head}\n${rows.join('\n')}\n\n${end}${after}`;
  if (next === text) return [];
  if (isCheck) return ['The table of states in docs/languages.md is not up to date: run node scripts/locales.mjs.'];
  writeFileSync(file, next);
  return [];
}
