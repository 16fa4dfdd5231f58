/** The only function that changes operators' catalogues, for the API and the command line (SRV-1). */

import type { CatalogueSettings, GroupSettings, MethodSettings, OwnCatalogue } from '@opencashier/contract/operator';
import type { Database } from '../database/database.ts';
import { DomainError, invalidFields } from '../errors/domain-error.ts';
import { checkSettings, warningsOf } from './check-settings.ts';
import { catalogueDifferences, type Difference } from './own/catalogue-differences.ts';
import { wholeCatalogue } from './own/own-view.ts';
import { noSettings } from './own-settings.ts';
import {
  readSettings,
  readVersion,
  type SettingsChange as StoredChange,
  type StoredSettings,
  saveSettings,
} from './settings-store.ts';
import type { ShippedCatalogue } from './shipped-catalogue.ts';

/** Replaces everything, or one method or group. Settings that the change leaves out return to the shipped values. */
export type SettingsChange =
  | { readonly kind: 'all'; readonly settings: CatalogueSettings }
  | { readonly kind: 'methods'; readonly own: Readonly<Record<string, MethodSettings>> }
  | { readonly kind: 'groups'; readonly own: Readonly<Record<string, GroupSettings>> };

/** Who changes the catalogue, and which version they have read. */
export interface Changer {
  readonly version: number;
  readonly staff: string;
  /** The API key that sent the change. Absent: the command line. */
  readonly keyId?: string | undefined;
}

/**
 * @param version the version that the caller has read
 * @throws DomainError invalid-request naming each invalid setting; state-conflict after another change in the meantime
 */
export async function changeSettings(
  database: Database,
  shipped: ShippedCatalogue,
  operatorId: string,
  { version, staff, keyId, change }: Changer & { readonly change: SettingsChange },
): Promise<StoredSettings> {
  const before = await readSettings(database, operatorId);
  const settings = settingsAfter(shipped, before.settings, change);
  // An empty entry of a request for everything is checked, too: its name may be misspelt.
  const fields = checkSettings(shipped, change.kind === 'all' ? change.settings : settings)
    // Settings that the change does not touch may be older than this build, so they are not checked.
    .filter(({ path }) => isTouched(change, path))
    .map(({ path, message }) => ({ path: placeIn(change, path), message }));
  if (fields.length > 0) throw invalidFields('These settings are invalid.', fields);
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

/** The settings that the change leaves, with the new methods that it removes, because payments by them may still be open. */
export function settingsAfter(
  shipped: ShippedCatalogue,
  before: CatalogueSettings,
  change: SettingsChange,
): CatalogueSettings {
  const { retired: _retired, ...wanted } =
    change.kind === 'all'
      ? { retired: undefined, ...change.settings }
      : { ...before, [change.kind]: { ...before[change.kind], ...change.own } };
  const settings = compacted(wanted);
  const gone = Object.entries({ ...before.retired, ...before.methods }).filter(
    ([name]) => !Object.hasOwn(settings.methods, name) && !shipped.methods.some(({ entry }) => entry.name === name),
  );
  return gone.length === 0 ? settings : { ...settings, retired: Object.fromEntries(gone) };
}

/**
 * Makes a new version with the settings of an earlier one. Version 0 is the shipped catalogue.
 * @throws DomainError not-found; invalid-request where the build no longer accepts those settings; state-conflict
 */
export async function rollbackSettings(
  database: Database,
  shipped: ShippedCatalogue,
  operatorId: string,
  { to, ...changer }: { readonly to: number } & Changer,
): Promise<StoredSettings> {
  const settings = to === 0 ? noSettings : await readVersion(database, operatorId, to);
  if (settings === undefined) throw new DomainError('not-found', `The catalogue has no version ${to}.`);
  return changeSettings(database, shipped, operatorId, { ...changer, change: { kind: 'all', settings } });
}

/** What a file or a request would change. Nothing is stored. */
export interface Preview {
  readonly differences: Difference[];
  readonly warnings: string[];
}

/** @throws DomainError invalid-request naming each invalid setting */
export function previewOf(shipped: ShippedCatalogue, before: CatalogueSettings, wanted: CatalogueSettings): Preview {
  const fields = checkSettings(shipped, wanted);
  if (fields.length > 0) throw invalidFields('These settings are invalid.', fields);
  const after = settingsAfter(shipped, before, { kind: 'all', settings: wanted });
  return {
    differences: catalogueDifferences(wholeCatalogue(shipped, before), wholeCatalogue(shipped, after)),
    warnings: warningsOf(shipped, after),
  };
}

/** A change as the operator API and the command line list it. */
export function changeItem({ version, staff, at, settings }: StoredChange) {
  return { version, staff, at: at.toISOString(), ...ownOf(settings) };
}

/** The settings as the operator sent them. */
export function ownOf({ retired: _retired, ...own }: CatalogueSettings): OwnCatalogue {
  return own;
}

function isTouched(change: SettingsChange, path: string): boolean {
  if (change.kind === 'all') return true;
  return Object.keys(change.own).some((name) => {
    const place = `${change.kind}.${name}`;
    return path === place || path.startsWith(`${place}.`);
  });
}

/** The places of an issue. A change of one method or group names them relative to its own request. */
function placeIn(change: SettingsChange, path: string): string {
  if (change.kind === 'all') return path;
  const [name, ...others] = Object.keys(change.own);
  const start = `${change.kind}.${name}.`;
  return others.length === 0 && path.startsWith(start) ? path.slice(start.length) : path;
}

/** Without entries that set nothing. */
function compacted({ methods, groups, listInPage, ...others }: CatalogueSettings): CatalogueSettings {
  const withoutEmpty = <Setting extends object>(settings: Readonly<Record<string, Setting>>): Record<string, Setting> =>
    Object.fromEntries(Object.entries(settings).filter(([, setting]) => Object.keys(setting).length > 0));
  const { countries = {}, icons = {}, currencies } = others;
  return {
    methods: withoutEmpty(methods),
    groups: withoutEmpty(groups),
    ...(Object.keys(countries).length > 0 && { countries: withoutEmpty(countries) }),
    ...(Object.keys(icons).length > 0 && { icons }),
    ...(currencies && { currencies }),
    ...(listInPage === false && { listInPage }),
  };
}
