/** Sandbox rates: round numbers that never change, with an age that a person or a test chooses. */
import type { Clock } from '@opencashier/core/time/clock';
import seeded from './data/rates.json' with { type: 'json' };
import type { RateSource } from './rate-source.ts';
import { quoteFrom, readRateTable, type StaleAfter } from './rate-table.ts';
import type { MoodStore, RateMood } from './sandbox-mood.ts';

export interface SandboxRates extends RateSource {
  mood(): Promise<RateMood>;
  /**
   * Takes effect now. A source that has `stopped` keeps answering with rates of that time, so that they become stale.
   * @param ageMs the age of the rates of a source that `stopped`; default 0
   */
  setMood(mood: RateMood, ageMs?: number): Promise<void>;
}

/** @param moods stores the state of the source */
export function createSandboxRates(clock: Clock, staleAfter: StaleAfter, moods: MoodStore): SandboxRates {
  const table = readRateTable(seeded, clock.now());
  if (table === undefined) throw new Error('The rates that ship with the server cannot be read');
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
