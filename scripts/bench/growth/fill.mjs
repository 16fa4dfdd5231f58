/** Fills a migrated, empty database with a realistic ledger. `fill-*.sql` says which rows. */
import { readFileSync } from 'node:fs';

/** Deposits of one statement. A fill can be stopped between two. */
const mostAtOnce = 50_000;

const sqlOf = (file, numbers) =>
  readFileSync(new URL(file, import.meta.url), 'utf8').replaceAll(/\$(\w+)/g, (_, name) => String(numbers[name]));

/**
 * @param {(sql: string) => Promise<unknown>} run carries out several statements in one transaction
 * @param {import('./sizes.mjs').Size} size
 * @param {(done: number) => void} [onProgress] hears of the deposits that are in
 */
export async function fill(run, { deposits, users, operators, months }, onProgress = () => undefined) {
  await run(sqlOf('fill-people.sql', { users, operators, months }));
  for (let first = 1; first <= deposits; first += mostAtOnce) {
    const last = Math.min(deposits, first + mostAtOnce - 1);
    await run(sqlOf('fill-payments.sql', { first, last, deposits, users, months }));
    onProgress(last);
  }
  await run(sqlOf('fill-balances.sql', {}));
}
