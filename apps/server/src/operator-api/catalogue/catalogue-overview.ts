/** The whole catalogue of an operator, with the shipped settings beside its own, for the staff who change it (SRV-1). */
import type { CatalogueResponse } from '@opencashier/contract/operator';
import { ownOf } from '../../catalogue/change-settings.ts';
import { warningsOf } from '../../catalogue/check-settings.ts';
import { effectiveCatalogue } from '../../catalogue/effective-catalogue.ts';
import { definedCatalogue } from '../../catalogue/own/defined-catalogue.ts';
import { settingOf } from '../../catalogue/own-settings.ts';
import type { StoredSettings } from '../../catalogue/settings-store.ts';
import { byPosition, type ShippedCatalogue } from '../../catalogue/shipped-catalogue.ts';

export function catalogueOverview(
  shipped: ShippedCatalogue,
  { version, settings, changed }: StoredSettings,
): CatalogueResponse {
  const { groups, methods } = definedCatalogue(shipped, settings);
  const shippedEntries = new Map(shipped.methods.map(({ entry }) => [entry.name, entry]));
  const ready = methods.flatMap((entry) => shipped.offered(entry) ?? []);
  const offer = effectiveCatalogue({ groups, methods: ready }, settings);
  const offeredNames = new Set(offer.methods.map(({ name }) => name));
  return {
    version,
    ...(changed && { changed: { staff: changed.staff, at: changed.at.toISOString() } }),
    warnings: warningsOf(shipped, settings),
    listInPage: settings.listInPage !== false,
    groups: groups
      .map(({ name, label, position }) => {
        const own = settingOf(settings.groups, name);
        return {
          name,
          title: label.en,
          enabled: own?.enabled ?? true,
          position: own?.position ?? position,
          shippedPosition: position,
        };
      })
      .sort(byPosition),
    methods: methods
      .map((entry) => {
        const before = shippedEntries.get(entry.name);
        const own = settingOf(settings.methods, entry.name);
        return {
          name: entry.name,
          title: entry.text.en,
          category: entry.category,
          directions: entry.directions,
          group: entry.group,
          countries: [...entry.countries],
          provider: entry.provider,
          isProviderSetUp: shipped.offered(entry) !== undefined,
          isShipped: before !== undefined,
          enabled: own?.enabled ?? true,
          isOffered: offeredNames.has(entry.name),
          position: own?.position ?? entry.position,
          shippedPosition: (before ?? entry).position,
          shippedLimits: (before ?? entry).amount_rules,
          limits: own?.limits ?? {},
        };
      })
      .sort(byPosition),
    own: ownOf(settings),
  };
}
