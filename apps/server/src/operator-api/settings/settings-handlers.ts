/** Handlers of an operator's settings, its API keys and the history of all settings (SRV-1). */
import type {
  ApiKeyPage,
  operatorEndpoints,
  SettingChangePage,
  SettingChangeQuery,
} from '@opencashier/contract/operator';
import type { Database, Queryable } from '../../database/database.ts';
import { type ApiKey, listApiKeys } from '../../operators/api-keys.ts';
import { operatorSettingsOf } from '../../operators/operator-settings.ts';
import { byApi, readSettingChanges } from '../../operators/setting-history.ts';
import { idAlone, pagedList } from '../../requests/page-cursor.ts';
import type { Handlers } from '../register-endpoint.ts';
import { changeSettingsOf, type SettingChecks } from './change-settings.ts';

export interface SettingsPorts extends SettingChecks {
  /** Reads the operators again, so that this node applies a change at once. */
  refresh(): Promise<void>;
}

export function settingsHandlers(
  database: Database,
  ports: SettingsPorts,
): Handlers<typeof operatorEndpoints.settings> {
  return {
    readOperatorSettings: ({ operatorId }) => operatorSettingsOf(database, operatorId),

    async patchOperatorSettings({ operatorId, keyId, body: { staff: by = byApi, ...change } }) {
      await changeSettingsOf(database, operatorId, { by, keyId }, change, ports);
      await ports.refresh();
      return operatorSettingsOf(database, operatorId);
    },

    listApiKeys: ({ operatorId, keyId }) => apiKeysOf(database, operatorId, keyId),
    listSettingChanges: ({ operatorId, query }) => settingChangePage(database, operatorId, query),
  };
}

async function apiKeysOf(queryable: Queryable, operatorId: string, ownId: string | undefined): Promise<ApiKeyPage> {
  const keys = await listApiKeys(queryable, operatorId);
  return {
    keys: keys.map((key) => ({ ...apiKeyView(key), isThis: key.id === ownId })),
  };
}

/** A key as the operator API and the command line list it. */
export function apiKeyView({ id, label, created, until, isValid }: ApiKey) {
  return {
    keyId: id,
    label,
    created: created.toISOString(),
    ...(until !== null && { validUntil: until.toISOString() }),
    isValid,
  };
}

const changeList = pagedList('setting changes', idAlone);

/**
 * Changes of an operator's settings, the newest first.
 * @param cursor from the page before; `undefined`: the first page
 */
export async function settingChangePage(
  queryable: Queryable,
  operatorId: string,
  { limit, cursor, setting }: SettingChangeQuery,
): Promise<SettingChangePage> {
  const before = changeList.placeOf(cursor)?.id;
  const found = await readSettingChanges(queryable, operatorId, { before, limit: limit + 1, setting });
  const { page, next } = changeList.pageOf(found, limit, ({ id }) => ({ id }));
  return {
    changes: page.map(({ id, keyId, at, ...change }) => ({
      changeId: id,
      ...change,
      ...(keyId !== null && { keyId }),
      at: at.toISOString(),
    })),
    ...next,
  };
}
