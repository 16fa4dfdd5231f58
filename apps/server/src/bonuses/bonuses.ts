/** The bonuses of operators (BON-1). The host gets them from its own backend, and the widget gets them from the host. */
import { type Bonus, bonusSchema, currencySchema } from '@opencashier/contract/api';
import { isBonusOver } from '@opencashier/core/bonus/bonus';
import * as v from 'valibot';
import type { Words } from '../languages/words.ts';

export interface Bonuses {
  /** The bonuses offered at `now`, in ms since the epoch: in every currency, or in one. */
  list(query: {
    readonly operatorId: string;
    readonly userId: string;
    readonly now: number;
    readonly currency?: string;
    /** The language of the titles, if a translation exists. */
    readonly language?: string;
  }): readonly Bonus[];
}

export const noBonuses: Bonuses = { list: () => [] };

/** The bonus file cannot be used. */
export class BonusFileError extends Error {
  override readonly name = 'BonusFileError';
}

const { mustAccruedBefore: _until, ...terms } = bonusSchema.entries;

const entrySchema = v.strictObject({
  ...terms,
  /** The ids of the operators that offer the bonus. */
  operators: v.pipe(v.array(v.string()), v.minLength(1)),
  currency: currencySchema,
  /**
   * The bonus is offered again every so many minutes, by UTC, and ends with each round. Each round has its own id, so
   * that an old bonus can no longer be claimed. Absent: the bonus does not end.
   */
  roundMinutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** The final end of the bonus. */
  endsAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
});
type Entry = v.InferOutput<typeof entrySchema>;

const MINUTE_MS = 60_000;

/**
 * @param words translations of titles, by their English text
 * @throws BonusFileError that names the wrong place in the file
 */
export function createJsonBonuses(file: unknown, words: Words = () => undefined): Bonuses {
  const parsed = v.safeParse(v.array(entrySchema), file);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new BonusFileError(`Bonuses, at ${v.getDotPath(issue) ?? ''}: ${issue.message}`);
  }
  const entries = parsed.output;
  if (new Set(entries.map(({ id }) => id)).size !== entries.length)
    throw new BonusFileError('A bonus id is used twice');
  return {
    list: ({ operatorId, currency, now, language = 'en' }) =>
      entries
        .filter((entry) => entry.operators.includes(operatorId) && (currency ?? entry.currency) === entry.currency)
        .map((entry) => bonusAt(entry, now))
        .filter((bonus) => !isBonusOver(bonus, now))
        .map((bonus) => ({
          ...bonus,
          content: translatedContent(bonus.content, (text) => words(text, language) ?? text),
        })),
  };
}

function translatedContent({ title, subtitle }: Bonus['content'], say: (text: string) => string): Bonus['content'] {
  return { title: say(title), ...(subtitle !== undefined && { subtitle: say(subtitle) }) };
}

function bonusAt({ operators: _operators, roundMinutes, endsAt, ...bonus }: Entry, now: number): Bonus {
  if (endsAt !== undefined) return { ...bonus, mustAccruedBefore: endsAt };
  if (roundMinutes === undefined) return bonus;
  const round = Math.floor(now / (roundMinutes * MINUTE_MS));
  const end = new Date((round + 1) * roundMinutes * MINUTE_MS);
  return { ...bonus, id: `${bonus.id}-${round}`, mustAccruedBefore: end.toISOString() };
}
