/** What of an operator's bonuses users are offered at a time, with its texts in one language (BON-1, BON-2). */
import type { Bonus } from '@opencashier/contract/api';
import type { OwnBonus } from '@opencashier/contract/operator';
import { entryOf, type Words } from '../languages/words.ts';

const MINUTE_MS = 60_000;

export interface Offer {
  /** Ms since the epoch. */
  readonly now: number;
  /** Absent: every currency. */
  readonly currency?: string | undefined;
  readonly language: string;
  /** The texts that ship with the cashier. */
  readonly words: Words;
}

/** The bonuses that have begun and have not ended, in the operator's order. */
export function offeredBonuses(bonuses: readonly OwnBonus[], { now, currency, language, words }: Offer): Bonus[] {
  const say = (texts: Readonly<Record<string, string>>) => textIn(texts, language, words);
  return bonuses
    .filter((bonus) => (currency ?? bonus.currency) === bonus.currency)
    .filter(({ startsAt, endsAt }) => isBetween(startsAt, now, endsAt))
    .map((bonus) => bonusAt(bonus, now, say));
}

function isBetween(startsAt: string | undefined, now: number, endsAt: string | undefined): boolean {
  return (startsAt === undefined || Date.parse(startsAt) <= now) && (endsAt === undefined || now < Date.parse(endsAt));
}

function bonusAt(own: OwnBonus, now: number, say: (texts: Readonly<Record<string, string>>) => string): Bonus {
  const { id, title, subtitle, startsAt: _startsAt, endsAt, roundMinutes, ...terms } = own;
  const content = { title: say(title), ...(subtitle !== undefined && { subtitle: say(subtitle) }) };
  const final = endsAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(endsAt);
  // Each round has its own id, so that a bonus of an earlier round can no longer be claimed.
  const round = roundMinutes === undefined ? undefined : Math.floor(now / (roundMinutes * MINUTE_MS));
  const end =
    roundMinutes === undefined || round === undefined ? final : Math.min(final, (round + 1) * roundMinutes * MINUTE_MS);
  return {
    ...terms,
    id: round === undefined ? id : `${id}-${round}`,
    content,
    ...(end !== Number.POSITIVE_INFINITY && { mustAccruedBefore: new Date(end).toISOString() }),
  };
}

/** The operator's own translation, or the cashier's of the same English text, or English. */
function textIn(texts: Readonly<Record<string, string>>, language: string, words: Words): string {
  const english = texts['en'] ?? '';
  return entryOf(texts, language) ?? words(english, language) ?? english;
}
