/** The providers of this server, the catalogue of what they can do, and operators' own texts of the widget. */
import { bundledFiles } from '../catalogue/bundled-files.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { followSettings } from '../catalogue/followed-settings.ts';
import { createCatalogue, type IsTaken } from '../catalogue/json-catalogue.ts';
import { readShippedCatalogue, type ShippedCatalogue } from '../catalogue/shipped-catalogue.ts';
import type { Config } from '../config/config.ts';
import type { ConnectedAccounts } from '../connections/connected-accounts.ts';
import { measure } from '../observability/measure.ts';
import { noSpans } from '../observability/spans.ts';
import { type FollowedTexts, followTexts } from '../own-texts/followed-texts.ts';
import { type ReadWidgetTexts, widgetTextsIn } from '../own-texts/widget-texts.ts';
import { chooseAccount } from '../payment-ports/connected-providers.ts';
import { meteredProvider } from '../providers/metered-provider.ts';
import type { Provider } from '../providers/provider.ts';
import { tracedProvider } from '../providers/traced-provider.ts';
import type { Addresses } from './addresses.ts';
import { catalogueFacts } from './catalogue-facts.ts';
import type { Closers } from './closers.ts';
import { type ConnectionParts, openConnections } from './connection-parts.ts';
import { createProviders, type ProviderParts, type ProviderSet } from './create-providers.ts';
import type { Foundations } from './foundations.ts';
import type { OperatorParts } from './operator-parts.ts';
import { openRouting, type RoutingParts } from './routing-parts.ts';

export interface CatalogueParts extends ProviderSet, ConnectionParts, RoutingParts {
  readonly shipped: ShippedCatalogue;
  readonly catalogue: Catalogue;
  readonly ownTexts: { readonly followed: FollowedTexts; readonly readWidget: ReadWidgetTexts };
}

/** @throws ConfigError, CatalogueError */
export async function openCatalogue(
  config: Config,
  {
    database,
    clock,
    machineClock,
    onClockMove,
    logger,
    spans,
    dataKeys,
  }: Foundations & Pick<OperatorParts, 'dataKeys'>,
  { url, publicUrl }: Addresses,
  closers: Closers,
  { stripeApi, failpoint }: Pick<ProviderParts, 'stripeApi' | 'failpoint'> = {},
): Promise<CatalogueParts> {
  let connections: ConnectedAccounts | undefined;
  const set = createProviders(config, {
    publicUrl,
    url,
    database,
    dataKeys,
    clock,
    machineClock,
    onClockMove,
    logger,
    // The sandbox asks when it sends a callback, which is after the start.
    accountOf: async (connectionId) => connections?.accountOf(connectionId),
    failpoint,
    ...(stripeApi && { stripeApi }),
  });
  closers.add(() => set.packaged.stop());
  const { providers } = set;
  const wrap = (one: Provider): Provider => {
    const metered = meteredProvider(one, { database, clock });
    return spans === noSpans ? metered : tracedProvider(metered, spans);
  };
  for (const [name, one] of providers) providers.set(name, wrap(one));
  const connected = await openConnections(
    config,
    { database, clock, logger, publicUrl, openers: set.openers, wrap, ...(stripeApi && { stripeApi }) },
    closers,
  );
  connections = connected.connections;
  const accounts = { providers, connections };
  const isOffered = (name: string, network: string | undefined): boolean => {
    const provider = providers.get(name);
    // Whether an operator has a connection of its own is asked for each list.
    if (provider === undefined) return config.masterKeys.length > 0 && set.openers.has(name);
    return network === undefined || provider.hasNetwork?.(network) !== false;
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
  const routing = await openRouting({ database, clock, logger, ...connected, set, shipped }, closers);
  const isTaken: IsTaken = (operatorId, provider, currency) => {
    const account = chooseAccount(accounts, operatorId, provider, currency);
    if (account === undefined) return false;
    const connectionId = account.connection?.id;
    return set.packaged.isUpFor(provider, { operatorId, ...(connectionId !== undefined && { connectionId }) });
  };
  const catalogue = createCatalogue(shipped, settings, isTaken, routing.routes);
  return { ...set, ...connected, ...routing, shipped, catalogue, ownTexts };
}
