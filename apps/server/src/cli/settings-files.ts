/** Files that commands read: settings in YAML or JSON. */
import { readFileSync } from 'node:fs';
import type { FileFault } from '../catalogue/own/own-file.ts';
import { CommandError, UsageError } from './command.ts';

/** The most versions that a `history` prints. */
export const historyLength = 50;

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

/** The lines above an exported file. */
export function exportComment(
  what: string,
  partnerKey: string,
  { version, changed }: { readonly version: number; readonly changed?: { readonly staff: string; readonly at: Date } },
): string {
  const by = changed === undefined ? '' : `, by ${changed.staff} at ${changed.at.toISOString()}`;
  return `${what} of ${partnerKey}, version ${version}${by}.\nRemove baseVersion from a file that is kept in version control.`;
}

/** Reads the number of a version. @param name of the option or argument @throws UsageError */
export function versionOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${name} must be the number of a version.`);
  return Number(text);
}
