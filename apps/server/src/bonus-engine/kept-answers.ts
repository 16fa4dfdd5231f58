/** The last answers of one operator's bonus engine. Each operator has its own bounds, so none can displace another's (SRV-2). */
import type { OwnBonus } from '@opencashier/contract/operator';

/** Whose answer is wanted. */
export interface AnswerKey {
  readonly userId: string;
  /** Undefined: bonuses in every currency. */
  readonly currency?: string | undefined;
}

export interface KeptAnswer {
  readonly bonuses: readonly OwnBonus[];
  /** When it arrived. Ms. */
  readonly at: number;
  /** UTF-16 units of the answer. */
  readonly size: number;
}

export interface KeptAnswers {
  /** The youngest answer that says what the user sees: the answer for the currency, or for every currency. */
  find(key: AnswerKey): KeptAnswer | undefined;
  /** Keeps an answer, and forgets the oldest ones beyond the bounds. */
  keep(key: AnswerKey, answer: KeptAnswer): void;
}

export interface AnswerBounds {
  readonly mostAnswers: number;
  /** UTF-16 units of all answers. */
  readonly mostSize: number;
  /** Older answers are forgotten. Ms. */
  readonly oldestMs: number;
}

export function createKeptAnswers({ mostAnswers, mostSize, oldestMs }: AnswerBounds): KeptAnswers {
  // The oldest answer is the first one.
  const answers = new Map<string, KeptAnswer>();
  let size = 0;
  const forget = (key: string): void => {
    size -= answers.get(key)?.size ?? 0;
    answers.delete(key);
  };
  return {
    find(key) {
      const [one, all] = [answers.get(textOf(key)), answers.get(textOf({ userId: key.userId }))];
      return one !== undefined && all !== undefined && all.at > one.at ? all : (one ?? all);
    },
    keep(key, answer) {
      const text = textOf(key);
      forget(text);
      answers.set(text, answer);
      size += answer.size;
      for (const [old, { at }] of answers) {
        if (answers.size <= mostAnswers && size <= mostSize && at > answer.at - oldestMs) break;
        forget(old);
      }
    },
  };
}

/** The text of a key, in which no user can look like another one with a currency. */
export function textOf({ userId, currency }: AnswerKey): string {
  return currency === undefined ? userId : `${userId} ${currency}`;
}
