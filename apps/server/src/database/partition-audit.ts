/** Checks the rows of a partition page by page. Each page is a transaction of its own, so that no snapshot holds up vacuum for hours. */
import pg from 'pg';
import type { Database } from './database.ts';

/** Small enough that a page of callbacks is hashed in about a second. */
const PAGE = 500;

export interface PartitionAudit {
  /** The partition. */
  readonly name: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /** A condition that is true for a faulty row of `stored`. */
  readonly fault: string;
}

/** @returns the numbers of all rows and of the faulty ones */
export async function auditPartition(
  database: Database,
  { name, key, fault }: PartitionAudit,
): Promise<{ readonly rows: number; readonly faults: number }> {
  const columns = key.join(', ');
  const place = `array[${key.map((column) => `${column}::text`).join(', ')}]`;
  const total = { rows: 0, faults: 0 };
  let after: readonly unknown[] | undefined;
  for (;;) {
    const text = `with page as materialized (
        select * from ${pg.escapeIdentifier(name)}
        ${after === undefined ? '' : `where (${columns}) > (${key.map((_, n) => `$${n + 1}`).join(', ')})`}
        order by ${columns} limit ${PAGE})
      select count(*)::int as rows, count(*) filter (where ${fault})::int as faults,
        (select ${place} from page order by ${key.map((column) => `${column} desc`).join(', ')} limit 1) as place
      from page stored`;
    const values = after ?? [];
    const [page] = await database.transaction(async (transaction) => {
      // A slow disk may need longer for a page than other statements may take.
      await transaction.query({ text: 'set local statement_timeout = 0' });
      return transaction.query<{ rows: number; faults: number; place: readonly unknown[] }>({ text, values });
    });
    if (page === undefined || page.rows === 0) return total;
    total.rows += page.rows;
    total.faults += page.faults;
    if (page.rows < PAGE) return total;
    after = page.place;
  }
}
