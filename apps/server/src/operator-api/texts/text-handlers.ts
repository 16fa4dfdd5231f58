/** Handlers of an operator's own texts of the widget (SRV-1, UI-1). */
import type { operatorEndpoints } from '@opencashier/contract/operator';
import type { Database } from '../../database/database.ts';
import { builtTexts, changeTexts } from '../../own-texts/change-texts.ts';
import type { FollowedTexts } from '../../own-texts/followed-texts.ts';
import { readOwnTexts, readTextChanges } from '../../own-texts/texts-store.ts';
import type { ReadWidgetTexts } from '../../own-texts/widget-texts.ts';
import { pagedList, versionAlone } from '../../requests/page-cursor.ts';
import type { Handlers } from '../register-endpoint.ts';
import { textsOverview } from './texts-overview.ts';

export interface OperatorTexts {
  readonly readWidget: ReadWidgetTexts;
  /** Is informed about each change, so that this node applies it at once. Other nodes notice it by themselves. */
  readonly texts: Pick<FollowedTexts, 'follow'>;
}

const changeList = pagedList('text changes', versionAlone);

export function textHandlers(
  database: Database,
  { readWidget, texts }: OperatorTexts,
): Handlers<typeof operatorEndpoints.texts> {
  return {
    readTexts: async ({ operatorId }) =>
      textsOverview(builtTexts(readWidget()), await readOwnTexts(database, operatorId)),

    async putTexts({ operatorId, keyId, params: { locale }, body }) {
      const stored = await changeTexts(database, readWidget(), operatorId, { locale, keyId, ...body });
      await texts.follow(operatorId);
      return textsOverview(builtTexts(readWidget()), stored);
    },

    async listTextChanges({ operatorId, query: { cursor, limit } }) {
      const before = changeList.placeOf(cursor)?.version;
      const found = await readTextChanges(database, operatorId, { before, limit: limit + 1 });
      const { page, next } = changeList.pageOf(found, limit, ({ version }) => ({ version }));
      return { changes: page.map(({ at, ...change }) => ({ ...change, at: at.toISOString() })), ...next };
    },
  };
}
