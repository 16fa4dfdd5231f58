import type { Mood, MoodStore } from './sandbox-mood.ts';

/** Stores the mood in the memory of this process. */
export function createOwnMood(): MoodStore {
  let known: Mood = { mood: 'fresh', stoppedAt: 0 };
  return {
    read: async () => known,
    async write(mood) {
      known = mood;
    },
  };
}
