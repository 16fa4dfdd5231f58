/** Checks an operator's catalogue field by field, and returns warnings about valid settings. */
import type { CatalogueSettings } from '@opencashier/contract/operator';
import { suggestion } from '../errors/similar-name.ts';
import type { MethodEntry } from './catalogue-file.ts';
import { effectiveCatalogue } from './effective-catalogue.ts';
import { checkMethod, type Say, sayCurrency } from './own/check-method.ts';
import { definedCatalogue, definedMethod } from './own/defined-catalogue.ts';
import { svgFault } from './own/safe-svg.ts';
import { noSettings } from './own-settings.ts';
import type { ShippedCatalogue } from './shipped-catalogue.ts';

/** A wrong setting: the path of the field, and an English message for the operator. */
export interface SettingIssue {
  /** Such as `methods.card.limits.USD.min`. */
  readonly path: string;
  readonly message: string;
}

/** All problems: unknown names, amounts that are not in their currency, limits beyond the provider's, missing texts. */
export function checkSettings(shipped: ShippedCatalogue, settings: CatalogueSettings): SettingIssue[] {
  const issues: SettingIssue[] = [];
  const sayAt =
    (place: string): Say =>
    (path, message) => {
      issues.push({ path: `${place}${path}`, message });
    };
  const { countries, groups } = definedCatalogue(shipped, settings);
  checkPlaces(shipped, settings, sayAt);
  const groupNames = shipped.groups.map(({ name }) => name);
  for (const [name, { title }] of Object.entries(settings.groups)) {
    if (groupNames.includes(name) || title?.['en'] !== undefined) continue;
    const need = `A new group needs a title in English (en).`;
    sayAt(`groups.${name}`)('', `No shipped group is called ${name}.${suggestion(name, groupNames)} ${need}`);
  }
  for (const [name, svg] of Object.entries(settings.icons ?? {})) {
    const fault = svgFault(svg);
    if (fault !== undefined) sayAt(`icons.${name}`)('', fault);
  }
  const icons = settings.icons ?? {};
  const entries = new Map(shipped.methods.map(({ entry }) => [entry.name, entry]));
  for (const [name, own] of Object.entries(settings.methods)) {
    const entry = definedMethod(entries, name, own, countries, icons);
    checkMethod({ shipped, name, own, entry, countries, groups, icons }, sayAt(`methods.${name}`));
  }
  return issues;
}

/** Countries and currencies. */
function checkPlaces(shipped: ShippedCatalogue, settings: CatalogueSettings, sayAt: (place: string) => Say): void {
  const codes = shipped.countries.map(({ code }) => code);
  for (const [index, code] of (settings.currencies ?? []).entries())
    sayCurrency(`${index}`, code, sayAt('currencies.'));
  for (const [code, { name, currencies }] of Object.entries(settings.countries ?? {})) {
    const say = sayAt(`countries.${code}`);
    if (!codes.includes(code) && (name === undefined || currencies === undefined)) {
      say('', `The cashier ships no country ${code}. A new country needs name and currencies.`);
    }
    for (const [index, currency] of (currencies ?? []).entries()) sayCurrency(`.currencies.${index}`, currency, say);
  }
}

/** Warnings about settings that are valid but may be a mistake. */
export function warningsOf(shipped: ShippedCatalogue, settings: CatalogueSettings): string[] {
  const [before, after] = [noSettings, settings].map((some) => {
    const { groups, methods } = definedCatalogue(shipped, some);
    return effectiveCatalogue({ groups, methods: methods.flatMap((entry) => shipped.offered(entry) ?? []) }, some);
  });
  const empty = (['deposit', 'withdrawal'] as const).filter((direction) => {
    const takes = ({ directions }: MethodEntry) => directions.includes(direction);
    return before?.methods.some(takes) && !after?.methods.some(takes);
  });
  const silent = Object.entries(settings.methods).flatMap(([name, { provider, enabled }]) =>
    provider !== undefined && enabled !== false && shipped.providers.get(provider)?.isSetUp === false
      ? [`Users are not offered ${name}: this server has no settings of the provider ${provider}.`]
      : [],
  );
  return [
    ...empty.map((direction) => `No ${direction} method is left. Users see an empty list.`),
    ...silent,
    ...checkSettings(shipped, settings).map(({ path, message }) => `${path} counts only where it can: ${message}`),
  ];
}
