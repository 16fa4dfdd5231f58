/** Rates for practice: round numbers that never move, of an age that a person or a test chooses. */
import type { Clock } from '@opencashier/core/time/clock';
import seeded from './data/rates.json' with { type: 'json' };
import type { RateSource } from './rate-source.ts';
import { quoteFrom, readRateTable, type StaleAfter } from './rate-table.ts';

/** How the practice source behaves: its rates are of now, stopped some time ago, or cannot be had at all. */
export const rateMoods = ['fresh', 'stopped', 'down'] as const;
export type RateMood = (typeof rateMoods)[number];

export interface SandboxRates extends RateSource {
  readonly mood: () => RateMood;
  /**
   * From now on. A source that has `stopped` goes on answering with rates of that instant, so that they become stale by and by.
   * @param ageMs how old the rates of a source that `stopped` are already; default 0
   */
  setMood(mood: RateMood, ageMs?: number): void;
}

/** One per server, in its memory: several nodes of a sandbox are set one by one. */
export function createSandboxRates(clock: Clock, staleAfter: StaleAfter): SandboxRates {
  const table = readRateTable(seeded, clock.now());
  if (table === undefined) throw new Error('The seeded rates cannot be read');
  let mood: RateMood = 'fresh';
  let stoppedAt = 0;
  return {
    mood: () => mood,
    setMood(next, ageMs = 0) {
      mood = next;
      stoppedAt = clock.now() - ageMs;
    },
    async quote(from, to) {
      if (mood === 'down') return 'none';
      const now = clock.now();
      return quoteFrom({ ...table, at: mood === 'stopped' ? stoppedAt : now }, from, to, now, staleAfter);
    },
  };
}
