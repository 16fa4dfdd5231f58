import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test } from 'vitest';
import { callGraceMs, callTimeLimitMs, stopGraceMs } from '../limits/call-limits.ts';
import { CallAbort } from './call-abort.ts';
import { withinCallTime } from './call-time.ts';
import { createDraining, type Draining, NodeIsStopping } from './draining.ts';

/** Counts the calls that a node has in hand. */
function counted(): Draining & { inHand(): number } {
  const draining = createDraining();
  let inHand = 0;
  return {
    ...draining,
    inHand: () => inHand,
    track(abort) {
      inHand += 1;
      const forget = draining.track(abort);
      return () => {
        inHand -= 1;
        forget();
      };
    },
  };
}

function begin(work: () => Promise<unknown>, abort = new CallAbort(), draining = counted()) {
  const clock = createTestClock();
  const lateFailures: unknown[] = [];
  const answer = withinCallTime(work, {
    clock,
    abort,
    draining,
    late: () => new Error('late'),
    onLateFailure: (error) => lateFailures.push(error),
  }).catch((error: unknown) => error);
  return { clock, draining, lateFailures, answer, isClean: () => clock.pending() === 0 && draining.inHand() === 0 };
}

const never = () => new Promise(() => undefined);

test.each([
  ['the caller left', new Error('gone'), callGraceMs],
  ['the node is stopping', new NodeIsStopping(), stopGraceMs],
])(
  '[SRV-9] a call that was aborted before its handler began, because %s, ends after the grace time',
  async (_why, reason, ms) => {
    const abort = new CallAbort();
    abort.abort(reason);
    const { clock, answer } = begin(never, abort);
    await clock.advanceAsync(ms);
    expect(clock.pending()).toBe(0);
    expect(await answer).toEqual(new Error('late'));
  },
);

test('[SRV-9] a node that aborts its calls also ends a call that begins afterwards', async () => {
  const draining = counted();
  draining.abortCalls();
  const { clock, answer } = begin(never, new CallAbort(), draining);
  await clock.advanceAsync(stopGraceMs);
  expect(await answer).toEqual(new Error('late'));
});

test('[SRV-9] a handler that throws at once leaves no timer and no call in hand', async () => {
  const broken = new Error('broken');
  const { answer, isClean } = begin(() => {
    throw broken;
  });
  expect(await answer).toBe(broken);
  expect(isClean()).toBe(true);
});

test('[SRV-9] a failure after the time limit is reported, one before it is the answer', async () => {
  const broken = new Error('broken');
  let fail = (): void => undefined;
  const hanging = () => new Promise((_resolve, reject) => (fail = () => reject(broken)));
  const late = begin(hanging);
  await late.clock.advanceAsync(callTimeLimitMs + callGraceMs);
  expect(await late.answer).toEqual(new Error('late'));
  expect(late.draining.inHand()).toBe(1);
  fail();
  await late.clock.advanceAsync(0);
  expect(late.lateFailures).toEqual([broken]);
  expect(late.isClean()).toBe(true);

  const early = begin(hanging);
  fail();
  expect(await early.answer).toBe(broken);
  expect(early.lateFailures).toEqual([]);
});
