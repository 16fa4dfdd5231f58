/** The result of one check of `doctor`, and how it is printed. */
import { explain, type Output } from './command.ts';

export interface Finding {
  readonly name: string;
  readonly found: string;
  /** What to do. Absent: the check passed. */
  readonly advice?: string;
  /** The advice is worth reading, but nothing is wrong. */
  readonly isNote?: boolean;
  /** The check could not be made, so nobody knows. It counts as failed. */
  readonly isUnknown?: boolean;
}

export const isFailed = ({ advice, isNote = false }: Finding): boolean => advice !== undefined && !isNote;

export function printFindings(output: Output, findings: readonly Finding[]): void {
  for (const finding of findings) {
    output.out(`${wordOf(finding)}  ${finding.name}: ${finding.found}`);
    if (finding.advice !== undefined) output.out(`      ${finding.advice}`);
  }
}

function wordOf(finding: Finding): string {
  if (finding.isUnknown) return '??  ';
  if (finding.isNote) return 'note';
  return isFailed(finding) ? 'fail' : 'ok  ';
}

/** An error in one line. */
export function wordsOf(error: unknown): string {
  return explain(error).replaceAll(/\s*\n\s*/g, ' ');
}
