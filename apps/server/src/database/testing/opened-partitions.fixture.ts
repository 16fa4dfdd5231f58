/** Which partitions the statements of a piece of work open. A plan lists only those that it has not excluded. */
import type { Database, Statement } from '../database.ts';

/** @returns the names of the partitions by their table, such as `journal_2026_11` */
export async function openedPartitions(
  database: Database,
  work: (watched: Pick<Database, 'query'>) => Promise<unknown>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const statements: Statement[] = [];
  await work({
    query: (statement) => {
      statements.push(statement);
      return database.query(statement);
    },
  });
  const tables = new Map<string, Set<string>>();
  for (const { text, values } of statements) {
    const lines = await database.query<Record<string, string>>({
      text: `explain (costs off) ${text}`,
      values: values ?? [],
    });
    for (const [, part = '', table = ''] of JSON.stringify(lines).matchAll(
      / on ((journal|posting|event_body|webhook_delivery|webhook_attempt)_\d{4}(?:_\d\d)?)(?=[\s"])/g,
    )) {
      tables.set(table, (tables.get(table) ?? new Set()).add(part));
    }
  }
  return new Map([...tables].map(([table, parts]) => [table, [...parts]]));
}
