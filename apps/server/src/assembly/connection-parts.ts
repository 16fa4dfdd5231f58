/** The connections of operators to providers, for payments and for the operator API. */
import type { Config } from '../config/config.ts';
import { type ConnectedAccounts, createConnectedAccounts } from '../connections/connected-accounts.ts';
import { type FollowedConnections, followConnections } from '../connections/followed-connections.ts';
import { measure } from '../observability/measure.ts';
import type { OperatorConnections } from '../operator-api/connections/connection-handlers.ts';
import type { OpenAccount } from '../providers/connection-kind.ts';
import type { Provider } from '../providers/provider.ts';
import type { StripeOptions } from '../providers/stripe/stripe.ts';
import type { Addresses } from './addresses.ts';
import type { Closers } from './closers.ts';
import { connectionPorts, providersOfSettings } from './connection-kinds.ts';
import type { Foundations } from './foundations.ts';
import type { PackageProcesses } from './packaged-providers.ts';

export interface ConnectionParts {
  /** For payments. */
  readonly connections: ConnectedAccounts;
  readonly followedConnections: FollowedConnections;
  /** For the operator API. */
  readonly providerConnections: OperatorConnections;
}

interface ConnectionInput extends Pick<Foundations, 'database' | 'clock' | 'logger'>, Pick<Addresses, 'publicUrl'> {
  readonly openers: ReadonlyMap<string, OpenAccount>;
  readonly processes: PackageProcesses;
  /** Another address of Stripe's API, for tests. */
  readonly stripeApi?: StripeOptions['api'];
  /** Adds metrics and traces to the calls of a provider. */
  wrap(provider: Provider): Provider;
}

/** @throws ConfigError when a master key of the settings cannot be used */
export async function openConnections(
  config: Config,
  { database, clock, logger, publicUrl, openers, processes, wrap, stripeApi }: ConnectionInput,
  closers: Closers,
): Promise<ConnectionParts> {
  const ports = await connectionPorts(config, database, { clock, processes, ...(stripeApi && { stripeApi }) });
  const followed = await followConnections(database, clock, (error) => {
    measure(database, 'settingsFailures', { settings: 'connections' });
    logger.warn({ err: error }, 'connections could not be read again');
  });
  closers.add(() => followed.stop());
  const connections = createConnectedAccounts({ ...ports, followed, openers, clock, logger, wrap });
  const { follow } = followed;
  const ofSettings = providersOfSettings(config);
  return {
    connections,
    followedConnections: followed,
    providerConnections: { ...ports, publicUrl, ofSettings, follow },
  };
}
