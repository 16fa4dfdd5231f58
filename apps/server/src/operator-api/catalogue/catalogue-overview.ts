/** The whole catalogue of an operator, with the shipped settings beside its own, for the staff who change it (SRV-1). */
import type { CatalogueResponse } from '@opencashier/contract/operator';
import { warningsOf } from '../../catalogue/check-settings.ts';
import { effectiveCatalogue } from '../../catalogue/effective-catalogue.ts';
import { settingOf } from '../../catalogue/own-settings.ts';
import type { StoredSettings } from '../../catalogue/settings-store.ts';
import { byPosition, type ShippedCatalogue } from '../../catalogue/shipped-catalogue.ts';

export function catalogueOverview(
  shipped: ShippedCatalogue,
  { version, settings, changed }: StoredSettings,
): CatalogueResponse {
  const ready = shipped.methods.flatMap(({ offered }) => offered ?? []);
  const offer = effectiveCatalogue({ groups: shipped.groups, methods: ready }, settings);
  const offeredNames = new Set(offer.methods.map(({ name }) => name));
  return {
    version,
    ...(changed && { changed: { staff: changed.staff, at: changed.at.toISOString() } }),
    warnings: warningsOf(shipped, settings),
    listInPage: settings.listInPage !== false,
    groups: shipped.groups
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
    methods: shipped.methods
      .map(({ entry, offered }) => {
        const own = settingOf(settings.methods, entry.name);
        return {
          name: entry.name,
          title: entry.text.en,
          category: entry.category,
          directions: entry.directions,
          group: entry.group,
          countries: [...entry.countries],
          provider: entry.provider,
          isProviderSetUp: offered !== undefined,
          enabled: own?.enabled ?? true,
          isOffered: offeredNames.has(entry.name),
          position: own?.position ?? entry.position,
          shippedPosition: entry.position,
          shippedLimits: entry.amount_rules,
          limits: own?.limits ?? {},
        };
      })
      .sort(byPosition),
  };
}
