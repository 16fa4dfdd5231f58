import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../database.ts';
import { openTestDatabase, type TestDatabase } from './test-database.ts';

/** Gives a test file a database of its own, with the operator `op` and nothing else. */
export function withOperator(give: (database: Database) => void): void {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase();
    const text = `insert into operator (id, partner_key, name) values ('op', 'pk', 'Operator')`;
    await opened.database.query({ text });
    give(opened.database);
  });
  afterAll(() => opened.drop());
}
