/** The SQL of the documents: the database plans every statement, and runs none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../apps/server/src/database/testing/test-database.ts';
import { codeIn } from './fences.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.drop());

/** Whole fences of SQL, and what a command line gives to `psql -c`. */
const statements = [
  ...codeIn('sql').map(({ place, text }) => ({ place, text })),
  ...codeIn('bash').flatMap(({ place, text }) =>
    [...text.matchAll(/psql [^\n]*-c "([^"]+)"/g)].map(([, statement = '']) => ({ place, text: statement })),
  ),
];

test('the database understands every statement of the documents', async () => {
  expect(statements.length).toBeGreaterThan(0);
  for (const { place, text } of statements) {
    await expect(opened.database.query({ text: `explain ${text}` }), place).resolves.not.toHaveLength(0);
  }
  await expect(opened.database.query({ text: 'explain select nothing from deposit' })).rejects.toThrow('nothing');
});
