/** How the sandbox company answers an operator's own account, whatever the amount says. So a test can have an account that fails. */

/**
 * - `well`: as the amount says.
 * - `down`: it certainly takes nothing.
 * - `slow`: as the amount says, some seconds later.
 * - `lying`: it takes the payment, and answers that it took nothing. No honest company does so.
 */
export const MOODS = ['well', 'down', 'slow', 'lying'] as const;
export type Mood = (typeof MOODS)[number];

export function moodOf(option: string | undefined): Mood {
  return MOODS.find((mood) => mood === option) ?? 'well';
}
