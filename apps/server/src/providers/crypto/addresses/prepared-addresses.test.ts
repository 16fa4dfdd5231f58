import { expect, test } from 'vitest';
import { PreparedAddresses } from './prepared-addresses.ts';

const silent = { warn: () => undefined, error: () => undefined };
const chain = { key: 'solana', account: 'one' };

/** A database that answers each question with the next of these, when it is told to. */
function slowStore(...answers: readonly number[]) {
  const waiting: (() => void)[] = [];
  let asked = 0;
  return {
    nextPrepared: () => {
      const answer = answers[asked++] ?? 0;
      return new Promise<number>((resolve) => waiting.push(() => resolve(answer)));
    },
    answer: (nth: number) => waiting[nth]?.(),
  };
}

const indexOf = async (place: ReturnType<PreparedAddresses['nextPlace']>) => (await place)?.index;

test('[SRV-2] deposits that ask at the same time get prepared addresses of their own', async () => {
  const store = slowStore(3, 3, 3);
  const series = new PreparedAddresses(chain, 100, { store, log: silent });
  const places = [series.nextPlace(), series.nextPlace(), series.nextPlace()];
  for (const nth of [1, 0, 2]) store.answer(nth);
  const indexes = await Promise.all(places.map(indexOf));
  expect(indexes.toSorted()).toEqual([3, 4, 5]);
});

test('[SRV-2] a late answer about an older state does not bring the process back to an address that it has given out', async () => {
  const store = slowStore(2, 7, 0);
  const series = new PreparedAddresses(chain, 100, { store, log: silent });
  const [late, quick] = [series.nextPlace(), series.nextPlace()];
  store.answer(1);
  expect(await indexOf(quick)).toBe(7);
  store.answer(0);
  expect(await indexOf(late)).toBe(8);
  const next = series.nextPlace();
  store.answer(2);
  expect(await indexOf(next)).toBe(9);
});

test('[SRV-2] the last prepared address goes to one of two deposits that ask at the same time', async () => {
  const store = slowStore(9, 9);
  const series = new PreparedAddresses(chain, 10, { store, log: silent });
  const places = [series.nextPlace(), series.nextPlace()];
  for (const nth of [0, 1]) store.answer(nth);
  expect(await Promise.all(places.map(indexOf))).toEqual([9, undefined]);
});
