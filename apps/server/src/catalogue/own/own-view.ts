/** An operator's whole catalogue in the form of its file, to be compared or exported. */
import { cardViewTypes } from '@opencashier/contract/api';
import type { CatalogueSettings, MethodSettings, OwnCatalogue } from '@opencashier/contract/operator';
import type { MethodEntry } from '../catalogue-file.ts';
import { effectiveCatalogue } from '../effective-catalogue.ts';
import { settingOf } from '../own-settings.ts';
import type { ShippedCatalogue } from '../shipped-catalogue.ts';
import { definedCatalogue } from './defined-catalogue.ts';

/** Every country, group and method as users would meet it with all providers set up. Applied as a file it changes nothing. */
export function wholeCatalogue(shipped: ShippedCatalogue, settings: CatalogueSettings): OwnCatalogue {
  const { countries, groups, methods } = definedCatalogue(shipped, settings);
  const limited = new Map(
    effectiveCatalogue(
      { groups, methods },
      { ...settings, groups: {}, methods: withoutSwitches(settings.methods) },
    ).methods.map((entry) => [entry.name, entry]),
  );
  return {
    methods: Object.fromEntries(
      methods.map((entry) => {
        const own = settingOf(settings.methods, entry.name);
        return [entry.name, settingsOf(limited.get(entry.name) ?? entry, own)];
      }),
    ),
    groups: Object.fromEntries(
      groups.map(({ name, label, position, display }) => {
        const own = settingOf(settings.groups, name);
        return [name, { enabled: own?.enabled ?? true, position: own?.position ?? position, title: label, display }];
      }),
    ),
    countries: {
      ...Object.fromEntries(shipped.countries.map(({ code }) => [code, { enabled: false }])),
      ...Object.fromEntries(
        countries.map(({ code, name, currencies }) => [code, { name, currencies: [...currencies] }]),
      ),
    },
    ...(settings.currencies && { currencies: settings.currencies }),
    ...(settings.icons && { icons: settings.icons }),
    listInPage: settings.listInPage !== false,
  };
}

function withoutSwitches(methods: CatalogueSettings['methods']): CatalogueSettings['methods'] {
  return Object.fromEntries(Object.entries(methods).map(([name, { enabled: _enabled, ...own }]) => [name, own]));
}

const viewNames = new Map(Object.entries(cardViewTypes).map(([name, code]) => [code as number, name]));

function settingsOf(entry: MethodEntry, own: MethodSettings | undefined): MethodSettings {
  const { description, fees, instruction, flags, suggested, providerOptions } = entry;
  const filled = <Value extends object>(value: Value | undefined): Value | undefined =>
    value === undefined || Object.keys(value).length === 0 ? undefined : value;
  const settings: MethodSettings = {
    basedOn: own?.basedOn,
    enabled: own?.enabled ?? true,
    position: own?.position ?? entry.position,
    group: entry.group,
    provider: entry.provider,
    options: filled(providerOptions),
    view: viewNames.get(entry.cardViewType) as MethodSettings['view'],
    category: entry.category as MethodSettings['category'],
    directions: entry.directions,
    countries: entry.isEverywhere === true ? 'all' : [...entry.countries],
    limits: Object.fromEntries(Object.entries(entry.amount_rules).map(([code, { min, max }]) => [code, { min, max }])),
    fees: filled(fees),
    title: entry.text,
    description,
    icons: own?.icons ?? entry.iconIds,
    fields: entry.fields.length === 0 ? undefined : entry.fields,
    instruction,
    suggested: filled(suggested),
    flags: filled(flags),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
