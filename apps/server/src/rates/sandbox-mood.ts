/** What the practice source of rates does: where every node of a sandbox looks it up. */
import type { Queryable } from '../database/database.ts';

/** Its rates are of now, stopped some time ago, or cannot be had at all. */
export const rateMoods = ['fresh', 'stopped', 'down'] as const;
export type RateMood = (typeof rateMoods)[number];

export interface Mood {
  readonly mood: RateMood;
  /** Of which instant the rates of a source that `stopped` are, in ms since the epoch. */
  readonly stoppedAt: number;
}

export interface MoodStore {
  read(): Promise<Mood>;
  write(mood: Mood): Promise<void>;
}

export interface SharedMoodStore extends MoodStore {
  /** Goes with each form of the page, so that any node may take what another has shown. */
  formToken(): Promise<string>;
}

/** In the database. Read for every rate: nodes that remembered it would differ for a while. */
export function createSharedMood(database: Queryable): SharedMoodStore {
  const row = async () => {
    const [found] = await database.query<{ mood: RateMood; stoppedAt: Date; token: string }>({
      name: 'sandbox-mood',
      text: 'select mood, stopped_at as "stoppedAt", form_token as token from sandbox_rates',
    });
    if (found === undefined) throw new Error('The row of the practice rates is gone');
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
