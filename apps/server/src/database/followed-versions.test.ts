import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import { followVersions, type StoredVersion } from './followed-versions.ts';

/** What is in the database, what a node holds of it, and which operators it read. */
function bench(stored: StoredVersion[]) {
  const clock = createTestClock();
  const held = new Map<string, number>();
  const reads: string[] = [];
  const errors: unknown[] = [];
  const source = {
    stored: async (): Promise<readonly StoredVersion[]> => stored,
    held: ({ operatorId }: StoredVersion) => held.get(operatorId) ?? 0,
    async read(operatorId: string): Promise<void> {
      reads.push(operatorId);
      const versions = stored.filter((one) => one.operatorId === operatorId).map(({ version }) => version);
      held.set(operatorId, Math.max(...versions));
    },
  };
  const start = () => followVersions(source, { clock, everyMs: 1_000, onError: (error) => void errors.push(error) });
  return { clock, reads, errors, source, start };
}

test('[SRV-7] reads each operator that has a newer version, once, and no other', async () => {
  const stored = [
    { operatorId: 'one', version: 1 },
    { operatorId: 'one', version: 2 },
    { operatorId: 'two', version: 1 },
  ];
  const { clock, reads, start } = bench(stored);
  const stop = await start();
  expect(reads).toEqual(['one', 'two']);
  await clock.advanceAsync(1_000);
  expect(reads).toHaveLength(2);
  stored.push({ operatorId: 'two', version: 2 });
  await clock.advanceAsync(1_000);
  expect(reads).toEqual(['one', 'two', 'two']);
  stop();
  expect(clock.pending()).toBe(0);
});

test('[SRV-7] an operator that cannot be read keeps no change of another away', async () => {
  const stored = [
    { operatorId: 'bad', version: 1 },
    { operatorId: 'good', version: 1 },
  ];
  const { clock, reads, errors, source, start } = bench(stored);
  await start();
  const { read } = source;
  source.read = async (operatorId) => {
    if (operatorId === 'bad') throw new Error('unreadable');
    await read(operatorId);
  };
  for (const one of stored) one.version = 2;
  await clock.advanceAsync(1_000);
  expect(reads).toEqual(['bad', 'good', 'good']);
  expect(errors).toEqual([new Error('unreadable')]);
});

test('a slow database is not asked twice at once', async () => {
  const { clock, source, start } = bench([]);
  await start();
  let asked = 0;
  let answer: (versions: readonly StoredVersion[]) => void = () => undefined;
  source.stored = () => {
    asked += 1;
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  await clock.advanceAsync(3_000);
  expect(asked).toBe(1);
  answer([]);
  await clock.advanceAsync(1_000);
  expect(asked).toBe(2);
});

test('a start that cannot read rejects', async () => {
  const { source, start, clock } = bench([{ operatorId: 'bad', version: 1 }]);
  source.read = () => Promise.reject(new Error('unreadable'));
  await expect(start()).rejects.toThrow('unreadable');
  expect(clock.pending()).toBe(0);
});
