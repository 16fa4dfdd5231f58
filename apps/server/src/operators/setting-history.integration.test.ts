/** The history of settings on a real database. */
import { expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { rolledBack } from '../database/testing/rolled-back.fixture.ts';
import { withOperator } from '../database/testing/with-operator.fixture.ts';
import { readSettingChanges, recordSettingChange } from './setting-history.ts';

let database: Database;
withOperator((opened) => {
  database = opened;
});

const record = (setting: string, before: unknown, after: unknown) =>
  database.transaction((transaction) =>
    recordSettingChange(transaction, { operatorId: 'op', setting, by: 'eve', before, after }),
  );
const newest = async (setting: string) =>
  (await readSettingChanges(database, 'op', { limit: 1, setting })).map(({ before, after }) => [before, after]);

test('[SRV-1] only the parts that differ are recorded, and nothing when no part does', async () => {
  await record('a', { same: 1, list: [1], deep: { same: 1, gone: 2 } }, { same: 1, list: [1, 2], deep: { same: 1 } });
  expect(await newest('a')).toEqual([
    [
      { list: [1], deep: { gone: 2 } },
      { list: [1, 2], deep: {} },
    ],
  ]);
  await record('b', { same: [1, { x: 1 }] }, { same: [1, { x: 1 }] });
  expect(await newest('b')).toEqual([]);
  await record('c', undefined, { made: true });
  await record('d', 'old', undefined);
  expect([await newest('c'), await newest('d')]).toEqual([[[null, { made: true }]], [['old', null]]]);
});

test('[SRV-1] pages of the history begin with the newest change', async () => {
  for (const number of [1, 2, 3]) await record('paged', number, number + 1);
  const [first, second] = await readSettingChanges(database, 'op', { limit: 2, setting: 'paged' });
  expect([first?.after, second?.after]).toEqual([4, 3]);
  const rest = await readSettingChanges(database, 'op', { limit: 5, setting: 'paged', before: second?.id ?? '' });
  expect(rest.map(({ before, by, keyId }) => [before, by, keyId])).toEqual([[1, 'eve', null]]);
  expect(await readSettingChanges(database, 'other', { limit: 5 })).toEqual([]);
});

test('[SRV-1] a recorded change is never changed, and leaves with the transaction that fails', async () => {
  await record('kept', 1, 2);
  for (const text of [`update setting_change set by = 'mallory'`, 'delete from setting_change']) {
    await expect(database.query({ text }), text).rejects.toThrow('written once');
  }
  const seen = await rolledBack(database, async (transaction) => {
    const change = { operatorId: 'op', setting: 'undone', by: 'eve', before: 1, after: 2 };
    await recordSettingChange(transaction, change);
    return readSettingChanges(transaction, 'op', { limit: 5, setting: 'undone' });
  });
  expect(seen).toHaveLength(1);
  expect(await newest('undone')).toEqual([]);
});
