/** The bonuses that users are offered (BON-1). The host gets them from its own backend, and the widget gets them from the host. */
import type { Bonus } from '@opencashier/contract/api';
import type { OwnBonus } from '@opencashier/contract/operator';
import type { Queryable } from '../database/database.ts';
import type { Words } from '../languages/words.ts';
import { type EngineAddress, readBonusesNow } from './bonus-store.ts';
import { offeredBonuses } from './offered-bonuses.ts';

export interface OfferedBonuses {
  /** The time by which they are offered, of the database's clock. Ms since the epoch. */
  readonly now: number;
  /** `last-answer`: the engine does not answer now. `fallback`: it never did, or its last answer is too old. */
  readonly source: 'list' | 'engine' | 'last-answer' | 'fallback';
  /** In the order in which users see them. */
  readonly bonuses: readonly Bonus[];
}

export interface BonusQuery {
  readonly operatorId: string;
  readonly userId: string;
  /** Absent: every currency. */
  readonly currency?: string | undefined;
  /** The language of the titles, if a translation exists. */
  readonly language?: string | undefined;
  /** The bonus that the user chose. An engine whose kept answer does not have the bonus is asked again. */
  readonly chosenId?: string | undefined;
}

export interface Bonuses {
  /** The bonuses that the user is offered now. Takes at most a part of a second longer than the database. */
  list(query: BonusQuery): Promise<OfferedBonuses>;
}

/** A question to an operator's own bonus engine. */
export interface EngineQuestion extends Pick<BonusQuery, 'operatorId' | 'userId' | 'currency'> {
  readonly engine: EngineAddress;
}

/** What an engine says that a user sees. */
export interface EngineAnswer {
  /** Valid by every rule of the operator's own list. */
  readonly bonuses: readonly OwnBonus[];
  /** False: the engine does not answer now, and this is its last answer. */
  readonly isCurrent: boolean;
}

/** The operators' own bonus engines. */
export interface BonusEngines {
  /**
   * Asks an engine, or answers what it has answered a moment ago. Never throws, and waits for a part of a second at most.
   * @param isForChoice true: only an answer of the last seconds need not be asked again
   * @returns undefined: the engine does not answer now, and no answer is young enough
   */
  answerFor(question: EngineQuestion, isForChoice?: boolean): Promise<EngineAnswer | undefined>;
}

/**
 * The operators' bonuses: of the list in the database, or of the operator's own engine. Each list reads the settings, together with the
 * clock, so that a change is in force at every node at once.
 * @param words translations of titles that ship with the cashier, by their English text
 * @param engines absent: as if no engine answered
 */
export function createBonuses(queryable: Queryable, words: Words, engines?: BonusEngines): Bonuses {
  return {
    async list({ operatorId, userId, currency, language = 'en', chosenId }) {
      const { now, bonuses: own, engine } = await readBonusesNow(queryable, operatorId);
      const offered = (bonuses: readonly OwnBonus[]) => offeredBonuses(bonuses, { now, currency, language, words });
      if (engine === undefined) return { now, source: 'list', bonuses: offered(own) };
      const ask = async (isForChoice: boolean): Promise<OfferedBonuses> => {
        const answer = await engines?.answerFor({ operatorId, userId, currency, engine }, isForChoice);
        if (answer === undefined) {
          return { now, source: 'fallback', bonuses: engine.fallback === 'list' ? offered(own) : [] };
        }
        return { now, source: answer.isCurrent ? 'engine' : 'last-answer', bonuses: offered(answer.bonuses) };
      };
      const answered = await ask(false);
      // Another node may have got a newer answer, which the user sees.
      const isMissing = chosenId !== undefined && !answered.bonuses.some(({ id }) => id === chosenId);
      return isMissing && answered.source === 'engine' ? ask(true) : answered;
    },
  };
}
