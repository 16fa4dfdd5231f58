/** The state of the sandbox rate source, which every node of a sandbox reads. */
import type { Queryable } from '../database/database.ts';

/** The rates are current, have stopped some time ago, or cannot be reached. */
export const rateMoods = ['fresh', 'stopped', 'down'] as const;
export type RateMood = (typeof rateMoods)[number];

export interface Mood {
  readonly mood: RateMood;
  /** The time of the rates of a source that `stopped`, in ms since the epoch. */
  readonly stoppedAt: number;
}

/** Stores the state of the sandbox rates. */
export interface MoodStore {
  read(): Promise<Mood>;
  write(mood: Mood): Promise<void>;
}

export interface SharedMoodStore extends MoodStore {
  /** Part of each form on the page, so that any node can accept a form that another node has shown. */
  formToken(): Promise<string>;
}

/** Stored in the database and read for every rate, because nodes with a cached mood would differ for a while. */
export function createSharedMood(database: Queryable): SharedMoodStore {
  const row = async () => {
    const [found] = await database.query<{ mood: RateMood; stoppedAt: Date; token: string }>({
      name: 'sandbox-mood',
      text: 'select mood, stopped_at as "stoppedAt", form_token as token from sandbox_rates',
    });
    if (found === undefined) throw new Error('The row of the sandbox rates is missing');
    return found;
  };
  return {
    async read() {
      const { mood, stoppedAt } = await row();
      return { mood, stoppedAt: stoppedAt.getTime() };
    },
    async write({ mood, stoppedAt }) {
      await database.query({
        text: 'update sandbox_rates set mood = $1, stopped_at = $2',
        values: [mood, new Date(stoppedAt)],
      });
    },
    formToken: async () => (await row()).token,
  };
}
