/** The providers of this server, the catalogue of what they can do, and operators' own texts of the widget. */
import { bundledFiles } from '../catalogue/bundled-files.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { followSettings } from '../catalogue/followed-settings.ts';
import { createCatalogue } from '../catalogue/json-catalogue.ts';
import { readShippedCatalogue, type ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import type { Config } from '../config/config.ts';
import { measure } from '../observability/measure.ts';
import { noSpans } from '../observability/spans.ts';
import { type FollowedTexts, followTexts } from '../own-texts/followed-texts.ts';
import { type ReadWidgetTexts, widgetTextsIn } from '../own-texts/widget-texts.ts';
import { meteredProvider } from '../providers/metered-provider.ts';
import { tracedProvider } from '../providers/traced-provider.ts';
import type { Addresses } from './addresses.ts';
import { catalogueFacts } from './catalogue-facts.ts';
import type { Closers } from './closers.ts';
import { createProviders, type ProviderSet } from './create-providers.ts';
import type { Foundations } from './foundations.ts';

export interface CatalogueParts extends ProviderSet {
  readonly shipped: ShippedCatalogue;
  readonly catalogue: Catalogue;
  readonly ownTexts: { readonly followed: FollowedTexts; readonly readWidget: ReadWidgetTexts };
}

/** @throws ConfigError, CatalogueError */
export async function openCatalogue(
  config: Config,
  { database, clock, machineClock, onClockMove, logger, spans }: Foundations,
  { url, publicUrl }: Addresses,
  closers: Closers,
): Promise<CatalogueParts> {
  const set = createProviders(config, { publicUrl, url, database, clock, machineClock, onClockMove, logger });
  closers.add(() => set.packaged.stop());
  const { providers } = set;
  for (const [name, one] of providers) providers.set(name, meteredProvider(one, { database, clock }));
  if (spans !== noSpans) for (const [name, one] of providers) providers.set(name, tracedProvider(one, spans));
  const isOffered = (name: string, network: string | undefined): boolean => {
    const provider = providers.get(name);
    return provider !== undefined && (network === undefined || provider.hasNetwork?.(network) !== false);
  };
  const shipped = readShippedCatalogue(bundledFiles, isOffered, catalogueFacts(config));
  const settings = await followSettings(database, clock, (error) => {
    measure(database, 'settingsFailures', { settings: 'catalogue' });
    logger.warn({ err: error }, 'catalogue settings could not be read again');
  });
  closers.add(() => settings.stop());
  const followed = await followTexts(database, clock, (error) => {
    measure(database, 'settingsFailures', { settings: 'texts' });
    logger.warn({ err: error }, 'own texts could not be read again');
  });
  closers.add(() => followed.stop());
  const ownTexts = { followed, readWidget: widgetTextsIn(config.widgetDir) };
  return { ...set, shipped, catalogue: createCatalogue(shipped, settings, set.packaged.down), ownTexts };
}
