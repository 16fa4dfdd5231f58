/** Rates for practice: round numbers that never move, of an age that a person or a test chooses. */
import type { Clock } from '@opencashier/core/time/clock';
import seeded from './data/rates.json' with { type: 'json' };
import type { RateSource } from './rate-source.ts';
import { quoteFrom, readRateTable, type StaleAfter } from './rate-table.ts';
import type { MoodStore, RateMood } from './sandbox-mood.ts';

export interface SandboxRates extends RateSource {
  mood(): Promise<RateMood>;
  /**
   * From now on. A source that has `stopped` goes on answering with rates of that instant, so that they become stale by and by.
   * @param ageMs how old the rates of a source that `stopped` are already; default 0
   */
  setMood(mood: RateMood, ageMs?: number): Promise<void>;
}

/** @param moods where it lies what the source does */
export function createSandboxRates(clock: Clock, staleAfter: StaleAfter, moods: MoodStore): SandboxRates {
  const table = readRateTable(seeded, clock.now());
  if (table === undefined) throw new Error('The seeded rates cannot be read');
  return {
    mood: async () => (await moods.read()).mood,
    setMood: (mood, ageMs = 0) => moods.write({ mood, stoppedAt: clock.now() - ageMs }),
    async quote(from, to) {
      const { mood, stoppedAt } = await moods.read();
      if (mood === 'down') return 'none';
      const now = clock.now();
      return quoteFrom({ ...table, at: mood === 'stopped' ? stoppedAt : now }, from, to, now, staleAfter);
    },
  };
}
