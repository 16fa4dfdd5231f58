/** The statement of conformance must list every criterion, and every proof that it names must exist. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/accessibility.md`, 'utf8');

/** WCAG 2.2, levels A and AA, with how many criteria each guideline numbers at these levels. */
const criteria = {
  A: [
    ...['1.1.1', '1.2.1', '1.2.2', '1.2.3', '1.3.1', '1.3.2', '1.3.3', '1.4.1', '1.4.2', '2.1.1', '2.1.2', '2.1.4'],
    ...['2.2.1', '2.2.2', '2.3.1', '2.4.1', '2.4.2', '2.4.3', '2.4.4', '2.5.1', '2.5.2', '2.5.3', '2.5.4', '3.1.1'],
    ...['3.2.1', '3.2.2', '3.2.6', '3.3.1', '3.3.2', '3.3.7', '4.1.2'],
  ],
  AA: [
    ...['1.2.4', '1.2.5', '1.3.4', '1.3.5', '1.4.3', '1.4.4', '1.4.5', '1.4.10', '1.4.11', '1.4.12', '1.4.13', '2.4.5'],
    ...['2.4.6', '2.4.7', '2.4.11', '2.5.7', '2.5.8', '3.1.2', '3.2.3', '3.2.4', '3.3.3', '3.3.4', '3.3.8', '4.1.3'],
  ],
};
const rows = page.split('\n').filter((line) => /^\| \d\.\d/.test(line));
const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));

describe('[UI-3] the statement of conformance', () => {
  test.each(['A', 'AA'] as const)('names each criterion of level %s, once', (level) => {
    const listed = cells.filter((row) => row[2] === level).map((row) => row[1]?.split(' ')[0]);
    expect(listed.toSorted()).toEqual(criteria[level].toSorted());
  });

  test.each(cells.map((row) => ({ name: row[1], verdict: row[3], proof: row[5] })))('$name', ({ verdict, proof }) => {
    expect(verdict).toMatch(/^(?:supports|supports, with a limit|not applicable)$/);
    if (verdict !== 'not applicable') expect(proof).toMatch(/`[^`]+\.(?:test|spec)\.tsx?`/);
  });

  test('each file that it names is there, with the words it is said to have', () => {
    const proofs = [...page.matchAll(/`((?:apps|e2e|packages)\/[\w./-]+\.tsx?)`(?: “([^”]+)”)?/g)];
    expect(proofs.length).toBeGreaterThan(50);
    for (const [, file = '', words] of proofs) {
      expect(existsSync(`${root}${file}`), file).toBe(true);
      if (words !== undefined) expect(readFileSync(`${root}${file}`, 'utf8'), file).toContain(words);
    }
  });
});
