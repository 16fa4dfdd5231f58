/** The bonuses that users are offered (BON-1). The host gets them from its own backend, and the widget gets them from the host. */
import type { Bonus } from '@opencashier/contract/api';
import type { Queryable } from '../database/database.ts';
import type { Words } from '../languages/words.ts';
import { readBonusesNow } from './bonus-store.ts';
import { offeredBonuses } from './offered-bonuses.ts';

export interface OfferedBonuses {
  /** The time by which they are offered, of the database's clock. Ms since the epoch. */
  readonly now: number;
  /** In the order in which users see them. */
  readonly bonuses: readonly Bonus[];
}

export interface Bonuses {
  /** The bonuses that the user is offered now: in every currency, or in one. */
  list(query: {
    readonly operatorId: string;
    readonly userId: string;
    readonly currency?: string | undefined;
    /** The language of the titles, if a translation exists. */
    readonly language?: string | undefined;
  }): Promise<OfferedBonuses>;
}

/**
 * The operators' bonuses in the database. Each list reads them, together with the clock, so that a change is in force at every node
 * at once.
 * @param words translations of titles that ship with the cashier, by their English text
 */
export function createBonuses(queryable: Queryable, words: Words): Bonuses {
  return {
    async list({ operatorId, currency, language = 'en' }) {
      const { now, bonuses } = await readBonusesNow(queryable, operatorId);
      return { now, bonuses: offeredBonuses(bonuses, { now, currency, language, words }) };
    },
  };
}
