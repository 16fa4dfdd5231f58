/** The only function that changes operators' catalogues, for the API and the command line (SRV-1). */

import type { CatalogueSettings, GroupSettings, MethodSettings } from '@opencashier/contract/operator';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors/domain-error.ts';
import { checkSettings } from './check-settings.ts';
import { readSettings, type StoredSettings, saveSettings } from './settings-store.ts';
import type { ShippedCatalogue } from './shipped-catalogue.ts';

/** The greatest number of named fields, as in the responses of calls. */
const mostFields = 20;

/** Replaces everything, or one method or group. Settings that the change leaves out return to the shipped values. */
export type SettingsChange =
  | { readonly kind: 'all'; readonly settings: CatalogueSettings }
  | { readonly kind: 'methods'; readonly own: Readonly<Record<string, MethodSettings>> }
  | { readonly kind: 'groups'; readonly own: Readonly<Record<string, GroupSettings>> };

/**
 * @param version the version that the caller has read
 * @throws DomainError invalid-request naming each invalid setting; state-conflict after another change in the meantime
 */
export async function changeSettings(
  database: Database,
  shipped: ShippedCatalogue,
  operatorId: string,
  {
    version,
    staff,
    keyId,
    change,
  }: {
    readonly version: number;
    readonly staff: string;
    readonly keyId?: string | undefined;
    readonly change: SettingsChange;
  },
): Promise<StoredSettings> {
  // Settings that the change does not touch may be older than this build, so they are not checked.
  const touched: CatalogueSettings = {
    methods: change.kind === 'methods' ? change.own : change.kind === 'all' ? change.settings.methods : {},
    groups: change.kind === 'groups' ? change.own : change.kind === 'all' ? change.settings.groups : {},
  };
  const fields = checkSettings(shipped, touched)
    .slice(0, mostFields)
    .map(({ path, message }) => ({ path: placeIn(change, path), message }));
  if (fields.length > 0) throw new DomainError('invalid-request', 'These settings are invalid.', { fields });
  const before = await readSettings(database, operatorId);
  const settings = compacted(
    change.kind === 'all'
      ? change.settings
      : { ...before.settings, [change.kind]: { ...before.settings[change.kind], ...change.own } },
  );
  if (
    before.version === version &&
    (await saveSettings(database, operatorId, { version, settings, staff, keyId, before: before.settings }))
  ) {
    return readSettings(database, operatorId);
  }
  const now = await readSettings(database, operatorId);
  const by = now.changed === undefined ? '' : `, by ${now.changed.staff}`;
  throw new DomainError(
    'state-conflict',
    `The catalogue has changed since version ${version}. It now has version ${now.version}${by}. Read it again, then repeat the change.`,
    { params: { version: String(now.version) } },
  );
}

/** The places of an issue. A change of one method or group names them relative to its own request. */
function placeIn(change: SettingsChange, path: string): string {
  if (change.kind === 'all') return path;
  const [name, ...others] = Object.keys(change.own);
  const start = `${change.kind}.${name}.`;
  return others.length === 0 && path.startsWith(start) ? path.slice(start.length) : path;
}

/** Without entries that set nothing. */
function compacted({ methods, groups, listInPage }: CatalogueSettings): CatalogueSettings {
  const withoutEmpty = <Setting extends object>(settings: Readonly<Record<string, Setting>>): Record<string, Setting> =>
    Object.fromEntries(Object.entries(settings).filter(([, setting]) => Object.keys(setting).length > 0));
  return {
    methods: withoutEmpty(methods),
    groups: withoutEmpty(groups),
    ...(listInPage === false && { listInPage }),
  };
}
