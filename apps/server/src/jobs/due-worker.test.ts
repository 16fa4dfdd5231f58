import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test, vi } from 'vitest';
import { createDueWorker, STOP_GRACE_MS } from './due-worker.ts';

const logger = { error: vi.fn() };

function workOn(batches: (readonly number[] | Error)[]) {
  const handled: number[] = [];
  const claim = vi.fn(async () => {
    const batch = batches.shift() ?? [];
    if (batch instanceof Error) throw batch;
    return batch;
  });
  const handle = async (item: number): Promise<void> => {
    handled.push(item);
    if (item < 0) throw new Error('poison');
  };
  return { handled, claim, work: { name: 'test', claim, handle, idleMs: 1000 } };
}

test('works at once while something is due, then checks again after the idle time', async () => {
  const clock = createTestClock();
  const { work, handled, claim } = workOn([[1, 2], [3], [], [4]]);
  const worker = createDueWorker(work, { clock, logger });
  worker.start();
  await clock.advanceAsync(0);
  await clock.advanceAsync(1);
  expect(handled).toEqual([1, 2, 3]);
  const looks = claim.mock.calls.length;
  await clock.advanceAsync(900);
  expect(claim.mock.calls.length).toBe(looks);
  await clock.advanceAsync(200);
  expect(handled).toEqual([1, 2, 3, 4]);
  await worker.stop();
  expect(clock.pending()).toBe(0);
});

test('a poisoned item holds up no other, in its batch or after it', async () => {
  const clock = createTestClock();
  const { work, handled } = workOn([[1, -1, 2], [3]]);
  const worker = createDueWorker(work, { clock, logger });
  worker.start();
  await clock.advanceAsync(1);
  expect(handled).toEqual([1, -1, 2, 3]);
  expect(logger.error).toHaveBeenCalledWith(expect.objectContaining({ worker: 'test' }), 'work failed');
  await worker.stop();
});

test('an unreachable database is asked again at growing intervals, and work continues when it is back', async () => {
  const clock = createTestClock();
  const { work, handled, claim } = workOn([new Error('down'), new Error('down'), new Error('down'), [7]]);
  const worker = createDueWorker(work, { clock, logger });
  worker.start();
  await clock.advanceAsync(1);
  await clock.advanceAsync(2000);
  expect(claim).toHaveBeenCalledTimes(2);
  await clock.advanceAsync(3000);
  expect(claim).toHaveBeenCalledTimes(2);
  await clock.advanceAsync(1000);
  expect(claim).toHaveBeenCalledTimes(3);
  await clock.advanceAsync(8000);
  expect(handled).toEqual([7]);
  await worker.stop();
});

test('a wake that comes when a claim has just failed is not lost', async () => {
  const clock = createTestClock();
  const { work, handled } = workOn([new Error('down'), [7]]);
  const worker = createDueWorker(work, { clock, logger: { error: () => worker.wake() } });
  worker.start();
  await clock.advanceAsync(1);
  expect(handled).toEqual([7]);
  await worker.stop();
});

test('a wake makes it look at once, and stopping waits for what is in hand', async () => {
  const clock = createTestClock();
  const { work, handled } = workOn([[], [5]]);
  let release = (): void => undefined;
  const slow = {
    ...work,
    handle: (item: number) =>
      new Promise<void>((resolve) => {
        release = () => {
          handled.push(item);
          resolve();
        };
      }),
  };
  const worker = createDueWorker(slow, { clock, logger });
  worker.start();
  await clock.advanceAsync(1);
  worker.wake();
  await clock.advanceAsync(0);
  let isStopped = false;
  const stopped = worker.stop().then(() => {
    isStopped = true;
  });
  await clock.advanceAsync(STOP_GRACE_MS - 1);
  expect(isStopped).toBe(false);
  release();
  await stopped;
  expect(handled).toEqual([5]);
  expect(clock.pending()).toBe(0);
});

test('a wake during the pause after a failure makes it look at once', async () => {
  const clock = createTestClock();
  const { work, handled, claim } = workOn([new Error('down'), [7]]);
  const worker = createDueWorker(work, { clock, logger });
  worker.start();
  worker.wake();
  await clock.advanceAsync(1);
  expect(claim).toHaveBeenCalledTimes(1);
  worker.wake();
  await clock.advanceAsync(0);
  expect(handled).toEqual([7]);
  await worker.stop();
});

test('continuous work continues beside hanging items: each claim gets the items in hand and shares the free places', async () => {
  const clock = createTestClock();
  const seen: (readonly number[])[] = [];
  const handled: number[] = [];
  const waiting = [1, 2, 3, 4];
  const worker = createDueWorker(
    {
      name: 'continuous',
      idleMs: 1000,
      isContinuous: true,
      async claim(inHand: readonly number[]) {
        seen.push(inHand);
        return inHand.length < 2 ? waiting.splice(0, 1) : [];
      },
      async handle(item: number, signal: AbortSignal) {
        if (item === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        handled.push(item);
      },
    },
    { clock, logger },
  );
  worker.start();
  await clock.advanceAsync(1);
  expect(handled).toEqual([2, 3, 4]);
  expect(seen).toContainEqual([1]);
  const stopped = worker.stop();
  await clock.advanceAsync(STOP_GRACE_MS);
  await stopped;
  expect(handled).toEqual([2, 3, 4, 1]);
  expect(clock.pending()).toBe(0);
});

test('[SRV-9] a stop gives back what hangs, and ends though it never heeds the signal', async () => {
  const clock = createTestClock();
  const { work } = workOn([[6, 7]]);
  const givenBack: number[] = [];
  const worker = createDueWorker(
    {
      ...work,
      handle: (item: number) => (item === 6 ? Promise.resolve() : new Promise<void>(() => undefined)),
      async giveBack(items: readonly number[]) {
        givenBack.push(...items);
      },
    },
    { clock, logger },
  );
  worker.start();
  await clock.advanceAsync(1);
  let isStopped = false;
  const stopped = worker.stop().then(() => {
    isStopped = true;
  });
  await clock.advanceAsync(STOP_GRACE_MS - 1);
  expect(isStopped).toBe(false);
  await clock.advanceAsync(1001);
  await stopped;
  expect(givenBack).toEqual([7]);
  expect(logger.error).toHaveBeenCalledWith(
    { worker: 'test', items: 1 },
    'work was interrupted by the stop of the node',
  );
});

test('[SRV-4] a running worker takes items without a claim; before its start and after its stop it takes none', async () => {
  const clock = createTestClock();
  const { work, handled } = workOn([]);
  const worker = createDueWorker(work, { clock, logger });
  worker.take([1]);
  expect([worker.inHand(), handled]).toEqual([undefined, []]);
  worker.start();
  worker.take([2, 3]);
  expect([worker.inHand(), handled]).toEqual([
    [2, 3],
    [2, 3],
  ]);
  await clock.advanceAsync(1);
  expect(worker.inHand()).toEqual([]);
  await worker.stop();
  worker.take([4]);
  expect([worker.inHand(), handled]).toEqual([undefined, [2, 3]]);
});
