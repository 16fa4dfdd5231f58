/** Handlers of the catalogue: the methods that an operator offers, their order and their limits (SRV-1). */
import type { CatalogueResponse, operatorEndpoints } from '@opencashier/contract/operator';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import {
  changeItem,
  changeSettings,
  previewOf,
  rollbackSettings,
  type SettingsChange,
} from '../../catalogue/change-settings.ts';
import { settingOf } from '../../catalogue/own-settings.ts';
import { readChanges, readSettings } from '../../catalogue/settings-store.ts';
import type { ShippedCatalogue } from '../../catalogue/shipped-catalogue.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { pagedList, versionAlone } from '../../requests/page-cursor.ts';
import type { Handlers } from '../register-endpoint.ts';
import { catalogueOverview } from './catalogue-overview.ts';

export interface OperatorCatalogue {
  readonly shipped: ShippedCatalogue;
  /** Is informed about each change, so that this node applies it at once. Other nodes notice it by themselves. */
  readonly catalogue: Pick<Catalogue, 'follow'>;
}

const changeList = pagedList('catalogue changes', versionAlone);

interface Changer {
  readonly operatorId: string;
  /** The version that the operator has read. */
  readonly version: number;
  readonly staff: string;
  readonly keyId: string | undefined;
}

export function catalogueHandlers(
  database: Database,
  { shipped, catalogue }: OperatorCatalogue,
): Handlers<typeof operatorEndpoints.catalogue> {
  const change = async ({ operatorId, ...changer }: Changer, wanted: SettingsChange): Promise<CatalogueResponse> => {
    const stored = await changeSettings(database, shipped, operatorId, { ...changer, change: wanted });
    await catalogue.follow(operatorId, stored.version);
    return catalogueOverview(shipped, stored);
  };
  /** Empty settings remove a name that the operator has added. @throws DomainError not-found for any other name */
  const refuseUnknown = async (kind: 'methods' | 'groups', operatorId: string, name: string): Promise<void> => {
    const { settings } = await readSettings(database, operatorId);
    if (settingOf<object>(settings[kind], name) !== undefined) return;
    throw new DomainError('not-found', kind === 'methods' ? 'Method not found.' : 'Group not found.');
  };
  return {
    readCatalogue: async ({ operatorId }) => catalogueOverview(shipped, await readSettings(database, operatorId)),

    putCatalogue: ({ operatorId, keyId, body: { version, staff, ...settings } }) =>
      change({ operatorId, keyId, version, staff }, { kind: 'all', settings }),

    async putMethodSettings({ operatorId, keyId, params: { name }, body: { version, staff, ...own } }) {
      const isShipped = shipped.methods.some(({ entry }) => entry.name === name);
      if (!isShipped && isEmpty(own)) await refuseUnknown('methods', operatorId, name);
      return change({ operatorId, keyId, version, staff }, { kind: 'methods', own: { [name]: own } });
    },

    async putGroupSettings({ operatorId, keyId, params: { name }, body: { version, staff, ...own } }) {
      const isShipped = shipped.groups.some((group) => group.name === name);
      if (!isShipped && isEmpty(own)) await refuseUnknown('groups', operatorId, name);
      return change({ operatorId, keyId, version, staff }, { kind: 'groups', own: { [name]: own } });
    },

    async previewCatalogue({ operatorId, body }) {
      const { version, settings: before } = await readSettings(database, operatorId);
      const { differences, warnings } = previewOf(shipped, before, body);
      return { version, differences, warnings };
    },

    async rollbackCatalogue({ operatorId, keyId, body: { version, staff, to } }) {
      const stored = await rollbackSettings(database, shipped, operatorId, { version, staff, keyId, to });
      await catalogue.follow(operatorId, stored.version);
      return catalogueOverview(shipped, stored);
    },

    async listCatalogueChanges({ operatorId, query: { cursor, limit } }) {
      const before = changeList.placeOf(cursor)?.version;
      const found = await readChanges(database, operatorId, { before, limit: limit + 1 });
      const { page, next } = changeList.pageOf(found, limit, ({ version }) => ({ version }));
      return { changes: page.map(changeItem), ...next };
    },
  };
}

function isEmpty(own: object): boolean {
  return Object.keys(own).length === 0;
}
