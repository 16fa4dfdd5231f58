/** The pages about the schema match the database. `npm run docs:schema` generates them again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { type DatabaseSchema, readSchema } from './read-schema.fixture.ts';
import { schemaPage, schemaSql } from './schema-reference.fixture.ts';
import { openEmptyTestDatabase, type TestDatabase } from './testing/test-database.ts';

const STALE = 'run `npm run docs:schema`';
const folder = '../../../../docs/reference';

let opened: TestDatabase;
let found: DatabaseSchema;
beforeAll(async () => {
  opened = await openEmptyTestDatabase();
  await migrate(opened.database);
  found = await readSchema(opened.database);
});
afterAll(() => opened.drop());

test('[SRV-7] docs/reference/schema.sql is the schema of the database', async () => {
  await expect(schemaSql(found), STALE).toMatchFileSnapshot(`${folder}/schema.sql`);
});

test('[SRV-7] docs/reference/schema.md draws the tables of the database', async () => {
  await expect(schemaPage(found), STALE).toMatchFileSnapshot(`${folder}/schema.md`);
});

test('[SRV-7] every table has a one-line comment about its rows', () => {
  for (const { name, comment } of found.tables) expect(comment, `comment on table ${name}`).toMatch(/^\S.{10,140}\.$/);
});
