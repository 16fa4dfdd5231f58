/** The measured sizes beside each other, as tables. */
import { widths } from './measure.mjs';

/** The most that a request may take, against the smallest size. */
export const goal = 1.3;

const ratio = (value, first) => (value / first).toFixed(2);

/**
 * @param {readonly { postings: number, databaseBytes: number, bytesPerPosting: number, auditSeconds: number,
 *   costs: Record<string, import('./measure.mjs').Cost>, claims: Record<string, { meanMs: number }> }[]} results
 *   the smallest size first
 * @returns {string}
 */
export function growthTables(results) {
  const [first] = results;
  const sizes = results.map(({ postings }) => postings.toLocaleString('en'));
  const later = results.slice(1);
  const lines = [];
  const table = (head, rows) => {
    lines.push('', `| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`);
    for (const row of rows) lines.push(`| ${row.join(' | ')} |`);
  };
  const compare = (what, costsOf, digits) =>
    table(
      [what, ...sizes, ...later.map((_, index) => `ratio ${sizes[index + 1]}`)],
      Object.keys(first.costs)
        .filter((name) => costsOf(first.costs[name]) !== undefined)
        .map((name) => {
          const values = results.map(({ costs }) => costsOf(costs[name]));
          return [
            name,
            ...values.map((value) => value.toFixed(digits)),
            ...values.slice(1).map((value) => mark(value / values[0])),
          ];
        }),
    );
  compare('pages of the database, for each request', ({ pages }) => pages, 0);
  for (const width of widths) compare(`${width} in flight, p50 ms`, ({ times }) => times[width].p50Ms, 2);
  table(
    ['work of the database, mean ms', ...sizes, ...later.map((_, index) => `ratio ${sizes[index + 1]}`)],
    Object.keys(first.claims).map((name) => [
      name,
      ...results.map(({ claims }) => claims[name]?.meanMs.toFixed(3) ?? ''),
      ...later.map(({ claims }) => (claims[name] ? mark(claims[name].meanMs / first.claims[name].meanMs) : '')),
    ]),
  );
  table(
    ['the whole', ...sizes],
    [
      ['database, MB', ...results.map(({ databaseBytes }) => (databaseBytes / 1e6).toFixed(0))],
      ['bytes for each posting', ...results.map(({ bytesPerPosting }) => bytesPerPosting.toFixed(0))],
      ['audit, s', ...results.map(({ auditSeconds }) => auditSeconds?.toFixed(1) ?? '')],
      [
        'audit, µs for each posting',
        ...results.map(({ auditSeconds, postings }) =>
          auditSeconds === undefined ? '' : ratio(auditSeconds * 1e6, postings),
        ),
      ],
    ],
  );
  return lines.join('\n');
}

/** Bold: above the goal. */
const mark = (value) => (value > goal ? `**${value.toFixed(2)}**` : value.toFixed(2));
