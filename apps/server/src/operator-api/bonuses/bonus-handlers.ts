/** Handlers of the bonuses that an operator offers (SRV-1, BON-1). */
import type { BonusSettingsResponse, operatorEndpoints } from '@opencashier/contract/operator';
import { readBonusChanges, readBonuses, type StoredBonuses } from '../../bonuses/bonus-store.ts';
import { changeBonuses } from '../../bonuses/change-bonuses.ts';
import { engineViewOf } from '../../bonuses/engine-problems.ts';
import type { Database } from '../../database/database.ts';
import { pagedList, versionAlone } from '../../requests/page-cursor.ts';
import type { Handlers } from '../register-endpoint.ts';

const changeList = pagedList('bonus changes', versionAlone);

export function bonusHandlers(database: Database): Handlers<typeof operatorEndpoints.bonuses> {
  return {
    readBonusSettings: async ({ operatorId }) => bonusView(await readBonuses(database, operatorId)),

    putBonusSettings: async ({ operatorId, keyId, body }) =>
      bonusView(await changeBonuses(database, operatorId, { keyId, ...body })),

    readBonusEngine: ({ operatorId }) => engineViewOf(database, operatorId),

    async listBonusChanges({ operatorId, query: { cursor, limit } }) {
      const before = changeList.placeOf(cursor)?.version;
      const found = await readBonusChanges(database, operatorId, { before, limit: limit + 1 });
      const { page, next } = changeList.pageOf(found, limit, ({ version }) => ({ version }));
      return { changes: page.map(({ at, ...change }) => ({ ...change, at: at.toISOString() })), ...next };
    },
  };
}

function bonusView({ version, changed, bonuses }: StoredBonuses): BonusSettingsResponse {
  return {
    version,
    ...(changed && { changed: { staff: changed.staff, at: changed.at.toISOString() } }),
    bonuses,
  };
}
