import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test, vi } from 'vitest';
import type { Database, Statement } from '../database/database.ts';
import { followTexts } from './followed-texts.ts';

/** A node with the newest version 100 of one operator, and every version in the history. */
async function create() {
  let newest = 100;
  const row = (version: unknown) => ({ version, locale: 'en', texts: { title: `${version}` }, staff: 'sam', at: null });
  const query = vi.fn(async ({ name, values = [] }: Statement): Promise<object[]> => {
    if (name === 'own-text-versions') return [{ operatorId: 'op', version: newest }];
    return name === 'own-texts' ? [row(newest)] : [row(values[1])];
  });
  const texts = await followTexts({ query } as Pick<Database, 'query'> as Database, createTestClock(), () => {});
  query.mockClear();
  return {
    texts,
    query,
    store: (version: number) => {
      newest = version;
    },
  };
}

test('[SRV-9] versions from the history are kept within bounds, and read once', async () => {
  const { texts, query } = await create();
  for (let version = 1; version <= 20; version += 1) await texts.load('op', version);
  await texts.load('op', 20);
  expect(query).toHaveBeenCalledTimes(20);
  expect(texts.at('op', 1)?.byLocale.get('en')).toEqual({ title: '1' });
  await texts.load('op', 21);
  expect([1, 2, 21, 100].map((version) => texts.whereIs('op', version))).toEqual(['older', 'held', 'held', 'held']);
});

test('[SRV-7] a version shortly after the newest may be of another node, and a far one is nowhere', async () => {
  const { texts, query, store } = await create();
  expect([101, 150, 151].map((version) => texts.whereIs('op', version))).toEqual(['ahead', 'ahead', 'nowhere']);
  expect(texts.whereIs('another', 51)).toBe('nowhere');
  await texts.load('op', 151);
  expect(query).not.toHaveBeenCalled();
  store(105);
  await texts.load('op', 103);
  expect(texts.at('op', 103)?.byLocale.get('en')).toEqual({ title: '103' });
  expect(texts.newest('op')?.version).toBe(105);
});
