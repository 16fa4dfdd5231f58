import { createTestClock } from '@opencashier/core/time/test-clock';
import { expect, test, vi } from 'vitest';
import { watchDatabase } from './database-watch.ts';

/** The state of the database: it answers, refuses the connection, or hangs. */
type Mood = 'answers' | 'refuses' | 'hangs';

function bench() {
  const clock = createTestClock();
  const logger = { info: vi.fn(), error: vi.fn() };
  const onAway = vi.fn();
  const state = { mood: 'answers' as Mood, open: 0 };
  const watch = watchDatabase({
    clock,
    logger,
    onAway,
    openConnection() {
      state.open += 1;
      let fail = (): void => undefined;
      return {
        ask: () => {
          if (state.mood === 'answers') return Promise.resolve();
          if (state.mood === 'refuses') return Promise.reject(new Error('refused'));
          return new Promise((_resolve, reject) => {
            fail = () => reject(new Error('closed'));
          });
        },
        close() {
          state.open -= 1;
          fail();
        },
      };
    },
  });
  return { clock, logger, onAway, state, watch };
}

test.each(['hangs', 'refuses'] as const)(
  '[SRV-9] a database that %s is reported away within 2 s, and back at once',
  async (mood) => {
    const { clock, logger, onAway, state, watch } = bench();
    await clock.advanceAsync(10_000);
    expect(watch.isAway()).toBe(false);
    state.mood = mood;
    await clock.advanceAsync(1_000);
    expect(watch.isAway()).toBe(false);
    await clock.advanceAsync(750);
    expect(watch.isAway()).toBe(true);
    expect(onAway).toHaveBeenCalled();
    await clock.advanceAsync(60_000);
    expect(logger.error.mock.calls.filter(([, message]) => message === 'the database does not answer')).toHaveLength(1);
    expect(state.open).toBeLessThanOrEqual(1);
    state.mood = 'answers';
    await clock.advanceAsync(2_000);
    expect(watch.isAway()).toBe(false);
    expect(logger.info).toHaveBeenCalledWith({}, 'the database answers again');
    const cuts = onAway.mock.calls.length;
    await clock.advanceAsync(10_000);
    expect(onAway).toHaveBeenCalledTimes(cuts);
    watch.stop();
    expect(clock.pending()).toBe(0);
    expect(state.open).toBe(0);
  },
);

test('[SRV-9] an answer within the second is no outage, however often it is late', async () => {
  const { clock, onAway, state, watch } = bench();
  for (let round = 0; round < 20; round += 1) {
    await clock.advanceAsync(250);
    state.mood = 'refuses';
    await clock.advanceAsync(1_000);
    state.mood = 'answers';
  }
  expect(onAway).not.toHaveBeenCalled();
  expect(watch.isAway()).toBe(false);
  watch.stop();
});
