import fc from 'fast-check';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type BatchesOptions, createBatches } from './batches.ts';

interface Item {
  readonly lane: string;
  readonly value: number;
}

/** A database whose statements end when the test says so. */
function statements(options: Partial<BatchesOptions<Item, number>> = {}) {
  const begun: { items: readonly Item[]; answer: () => void; fail: (error: unknown) => void }[] = [];
  const send = createBatches<Item, number>({
    run: (items) =>
      new Promise((resolve, reject) => {
        begun.push({ items, answer: () => resolve(items.map(({ value }) => value * 10)), fail: reject });
      }),
    laneOf: ({ lane }) => lane,
    ...options,
  });
  return { begun, send: (value: number, lane = 'a') => send({ lane, value }), values: () => begun.map(valuesOf) };
}

const valuesOf = ({ items }: { readonly items: readonly Item[] }) => items.map(({ value }) => value);
const turn = () => new Promise((resolve) => setImmediate(resolve));

function refusal(code: string) {
  const error = new pg.DatabaseError('refused', 0, 'error');
  error.code = code;
  return error;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('batches of statements', () => {
  test('an item that waits for nobody leaves at once, alone', async () => {
    const { begun, send, values } = statements();
    const one = send(1);
    await turn();
    expect(values()).toEqual([[1]]);
    begun[0]?.answer();
    expect(await one).toBe(10);
  });

  test('what waits while statements run leaves together', async () => {
    const { begun, send, values } = statements({ mostOfLane: 1 });
    const sent = [send(1)];
    await turn();
    for (const value of [2, 3, 4]) {
      sent.push(send(value));
      await turn();
    }
    expect(values()).toEqual([[1]]);
    begun[0]?.answer();
    await turn();
    expect(values()).toEqual([[1], [2, 3, 4]]);
    begun[1]?.answer();
    expect(await Promise.all(sent)).toEqual([10, 20, 30, 40]);
  });

  test('a few items leave beside a few others, and wait for nobody', async () => {
    const { send, values } = statements();
    void send(1);
    await turn();
    void send(2);
    await turn();
    expect(values()).toEqual([[1], [2]]);
  });

  test('while many are under way, others gather until the statement ends or a batch is full', async () => {
    const { begun, send, values } = statements({ mostItems: 10 });
    const first = [1, 2, 3, 4, 5, 6, 7, 8];
    for (const value of first) void send(value);
    await turn();
    for (const value of [9, 10]) void send(value);
    await turn();
    expect(values()).toEqual([first]);
    begun[0]?.answer();
    await turn();
    expect(values()).toEqual([first, [9, 10]]);
    for (const value of first) void send(value);
    await turn();
    // Two and eight are many together.
    expect(values()).toEqual([first, [9, 10], first]);
    const full = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
    for (const value of full) void send(value);
    await turn();
    expect(values()).toHaveLength(3);
    begun[1]?.answer();
    await turn();
    expect(values()).toEqual([first, [9, 10], first, full]);
  });

  test('a batch that is stuck holds up the other calls of its operator for a short time only', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { begun, send, values } = statements();
    const many = [1, 2, 3, 4, 5, 6, 7, 8];
    for (const value of many) void send(value);
    await turn();
    void send(9);
    await turn();
    vi.advanceTimersByTime(39);
    expect(values()).toEqual([many]);
    vi.advanceTimersByTime(1);
    expect(values()).toEqual([many, [9]]);
    // From now on the second place serves small calls at once.
    for (const value of [10, 11]) {
      begun.at(-1)?.answer();
      await turn();
      void send(value);
      await turn();
      expect(values().at(-1)).toEqual([value]);
    }
    for (const { answer } of begun) answer();
    await turn();
    expect(vi.getTimerCount(), 'timers that would still run').toBe(0);
  });

  test('while the halves of a batch run one after the other, settled items hold up nobody', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { begun, send, values } = statements();
    const sent = Array.from({ length: 8 }, (_, value) => send(value));
    void send(8);
    await turn();
    void send(9);
    await turn();
    begun[0]?.fail(refusal('23505'));
    await turn();
    expect(values().slice(1)).toEqual([[0, 1, 2, 3, 4]]);
    begun[1]?.answer();
    await turn();
    expect(await sent[0]).toBe(0);
    expect(values().slice(2)).toEqual([[9], [5, 6, 7, 8]]);
  });

  test('with places left, a lane that waits begins its second batch in the same turn', async () => {
    const { send, values } = statements({ mostItems: 2, mostOfLane: 3, mostAtOnce: 6 });
    for (const value of [1, 2, 3, 4, 5, 6, 7]) void send(value, 'much');
    void send(8, 'little');
    await turn();
    expect(values()).toEqual([[1, 2], [8], [3, 4]]);
  });

  test('operators never share a statement, and one whose statements hang holds up no other', async () => {
    const { begun, send, values } = statements({ mostOfLane: 1, mostAtOnce: 2 });
    void send(1, 'slow');
    await turn();
    void send(2, 'slow');
    void send(3, 'quick');
    void send(4, 'other');
    await turn();
    expect(values()).toEqual([[1], [3]]);
    begun[1]?.answer();
    await turn();
    expect(values()).toEqual([[1], [3], [4]]);
  });

  test('second batches leave places to operators that have none yet', async () => {
    const { send, values } = statements({ mostItems: 1, mostOfLane: 2, mostAtOnce: 4 });
    for (const value of [1, 2, 3]) void send(value, 'slow');
    await turn();
    for (const value of [4, 5]) void send(value, 'slow too');
    await turn();
    void send(6, 'slow too');
    await turn();
    void send(7, 'quick');
    await turn();
    expect(values()).toEqual([[1], [2], [4], [7]]);
  });

  test('lanes take turns, however much one of them sends', async () => {
    const { begun, send, values } = statements({ mostItems: 1, mostOfLane: 2, mostAtOnce: 1 });
    for (const value of [1, 2, 3]) void send(value, 'much');
    void send(9, 'little');
    await turn();
    begun[0]?.answer();
    await turn();
    expect(values()).toEqual([[1], [9]]);
  });

  test('one bad item is found and fails alone', async () => {
    const tried: number[][] = [];
    const send = createBatches<number, number>({
      async run(items) {
        tried.push([...items]);
        if (items.includes(3)) throw refusal('23505');
        return items;
      },
      laneOf: () => 'a',
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map((value) => send(value)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(tried).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
  });

  test.each([
    ['a lost connection', new Error('Connection terminated')],
    ['a stop of the database', refusal('57P01')],
    ['a full disk', refusal('53100')],
  ])('after %s nothing is tried twice, because the outcome is unknown', async (_, error) => {
    const tried: number[][] = [];
    const send = createBatches<number, number>({
      async run(items) {
        tried.push([...items]);
        throw error;
      },
      laneOf: () => 'a',
    });
    const results = await Promise.allSettled([send(1), send(2)]);
    expect(results).toEqual([1, 2].map(() => ({ status: 'rejected', reason: error })));
    expect(tried).toEqual([[1, 2]]);
  });

  test('an answer with a wrong number of results fails all items, and the next batch goes on', async () => {
    const send = createBatches<number, number>({ run: async (items) => items.slice(1), laneOf: () => 'a' });
    await expect(Promise.all([send(1), send(2)])).rejects.toThrow('A batch of 2 had 1 results');
    await expect(send(3)).rejects.toThrow('A batch of 1 had 0 results');
  });

  test('when too many wait, the next is refused at once', async () => {
    const { begun, send } = statements({ mostOfLane: 1, mostAtOnce: 1, mostWaiting: 4 });
    void send(1);
    await turn();
    const sent = [send(2), send(3)];
    // One operator fills half of the places, and no more.
    await expect(send(4)).rejects.toMatchObject({ reason: 'database-unavailable' });
    const others = [send(5, 'other'), send(6, 'third')];
    await expect(send(7, 'fourth')).rejects.toMatchObject({ reason: 'database-unavailable' });
    for (const at of [0, 1, 2, 3]) {
      begun[at]?.answer();
      await turn();
    }
    expect(await Promise.all([...sent, ...others])).toEqual([20, 30, 50, 60]);
  });

  test('each item gets its own result or its own error, in every order of things', async () => {
    const item = fc.record({ lane: fc.constantFrom('a', 'b', 'c'), isBad: fc.boolean(), turns: fc.nat({ max: 3 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 40 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 3 }),
        async (items, mostItems, mostAtOnce) => {
          let running = 0;
          const send = createBatches<{ lane: string; at: number; isBad: boolean }, number>({
            async run(batch) {
              running += 1;
              expect(running).toBeLessThanOrEqual(mostAtOnce);
              expect(batch.length).toBeLessThanOrEqual(mostItems);
              expect(new Set(batch.map(({ lane }) => lane)).size).toBe(1);
              await turn();
              running -= 1;
              if (batch.some(({ isBad }) => isBad)) throw refusal('22003');
              return batch.map(({ at }) => at);
            },
            laneOf: ({ lane }) => lane,
            mostItems,
            mostAtOnce,
          });
          const sent: Promise<number | 'bad'>[] = [];
          for (const [at, { lane, isBad, turns }] of items.entries()) {
            sent.push(send({ lane, at, isBad }).catch(() => 'bad'));
            for (let left = turns; left > 0; left -= 1) await turn();
          }
          expect(await Promise.all(sent)).toEqual(items.map(({ isBad }, at) => (isBad ? 'bad' : at)));
        },
      ),
      { numRuns: 60 },
    );
  });
});
