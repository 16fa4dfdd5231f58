/** Files that commands read: settings in YAML or JSON. */
import { readFileSync } from 'node:fs';
import type { FileFault } from '../catalogue/own/own-file.ts';
import { CommandError, UsageError } from './command.ts';

/** @throws UsageError for an unreadable file */
export function readText(file: string): string {
  return orUnreadable(file, () => readFileSync(file, 'utf8'));
}

/** @throws UsageError for an unreadable file, and for one that is no JSON */
export function readJson(file: string): unknown {
  return orUnreadable(file, () => JSON.parse(readFileSync(file, 'utf8')));
}

function orUnreadable<Content>(file: string, read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${file} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

/** The error of a file with faults: each with its place. */
export function faultsError(file: string, faults: readonly FileFault[]): CommandError {
  const lines = faults.map(({ line, column, path, message }) => {
    return `${file}:${line}:${column} ${path === '' ? '' : `${path}: `}${message}`;
  });
  return new CommandError([...lines, 'Nothing was changed.'].join('\n'));
}
