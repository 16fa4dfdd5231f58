/** What is wrong with the shape of an operator's catalogue, in words for its author. */
import type * as v from 'valibot';
import { knownFields } from '../../requests/issue-words.ts';
import { suggestion } from './nearest-name.ts';

export interface PlacedIssue {
  /** The keys that lead to the wrong value, or to the map that lacks a key. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** One issue for each wrong value. The words name what was expected, and the nearest known name for a misspelt key. */
export function shapeIssues(schema: v.GenericSchema, issues: readonly v.BaseIssue<unknown>[]): PlacedIssue[] {
  return issues.map((issue) => {
    const path = (issue.path ?? []).map(({ key }) => key as string | number);
    const key = String(path.at(-1));
    if (issue.type === 'strict_object' && issue.expected === 'never') {
      const known = knownFields(schema, path.slice(0, -1));
      const message = `The key ${key} is not known.${suggestion(key, known)} Known: ${known.join(', ')}.`;
      return { path, message };
    }
    if (issue.path?.at(-1)?.origin === 'key') return { path, message: `${key} is not ${expectedBy(issue)}.` };
    if (issue.input === undefined) return { path, message: `${key} is missing.` };
    return { path, message: `Expected ${expectedBy(issue)}, not ${received(issue.input)}.` };
  });
}

/** `max_length` and the like have only their own words. */
function expectedBy({ type, expected, message }: v.BaseIssue<unknown>): string {
  if (type === 'regex') return message;
  if (type === 'min_length') return 'at least one';
  if (type === 'max_length') return `at most ${String(expected).replace('<=', '')}`;
  const words: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    boolean: 'true or false',
    Object: 'a map',
    Array: 'a list',
  };
  const named = words[expected ?? ''] ?? expected ?? message;
  // A choice comes as ("list" | "tile").
  return named
    .replaceAll(/[()"]/g, '')
    .replaceAll(' | ', ', ')
    .replace(/, ([^,]+)$/, ' or $1');
}

function received(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'nothing';
  return typeof value === 'object' ? 'a map' : JSON.stringify(value);
}
