/** Which providers operators can have connections to, and with which master keys. The server and the command line read it here. */
import type { Clock } from '@opencashier/core/time/clock';
import type { Config } from '../config/config.ts';
import { type MasterKeySetting, readMasterKeys } from '../config/master-key-setting.ts';
import type { ConnectionPorts } from '../connections/change-connections.ts';
import type { Database } from '../database/database.ts';
import type { ConnectionKind, ConnectionKinds } from '../providers/connection-kind.ts';
import { lightningConnections } from '../providers/lightning/lightning-connection.ts';
import { sandboxConnections } from '../providers/sandbox/sandbox-connection.ts';
import { SEPA } from '../providers/sepa/sepa.ts';
import { sepaConnections } from '../providers/sepa/sepa-connection.ts';
import type { StripeOptions } from '../providers/stripe/stripe.ts';
import { stripeConnections } from '../providers/stripe/stripe-connection.ts';
import { createMasterKeys, localMasterKey, type MasterKey, type MasterKeys } from '../sealing/master-keys.ts';
import { type PackageProcesses, packageKinds, packagesOf } from './packaged-providers.ts';

interface KindParts {
  readonly clock: Clock;
  /** Another address of Stripe's API, for tests. */
  readonly stripeApi?: StripeOptions['api'];
  /** The processes of packages in this server. Absent: none runs. */
  readonly processes?: PackageProcesses;
}

type KindSettings = Pick<Config, 'isSandbox' | 'lightningNodes'> &
  Partial<Pick<Config, 'providersFile' | 'providerKeys'>>;
type Settings = KindSettings & Pick<Config, 'masterKeys'>;

export function connectionKinds(
  { isSandbox, lightningNodes: nodes, ...settings }: KindSettings,
  database: Database,
  parts: KindParts,
): ConnectionKinds {
  const { clock, stripeApi, processes } = parts;
  const kinds: [string, ConnectionKind][] = [
    ['stripe', stripeConnections({ clock, ...(stripeApi && { api: stripeApi }) })],
    [SEPA, sepaConnections],
    ...packageKinds(settings, clock, processes).map(([name, kind]): [string, ConnectionKind] => [name, kind]),
  ];
  if (nodes.length > 0) {
    kinds.push(['lightning', lightningConnections({ nodes, money: isSandbox ? 'test' : 'real', clock })]);
  }
  if (isSandbox) kinds.push(['sandbox', sandboxConnections(database, clock)]);
  return new Map(kinds);
}

/** What changes connections in a database. */
export async function connectionPorts(
  config: Settings,
  database: Database,
  parts: KindParts,
): Promise<ConnectionPorts> {
  return {
    database,
    kinds: connectionKinds(config, database, parts),
    masterKeys: await masterKeysOf(config),
    mode: config.isSandbox ? 'test' : 'live',
    clock: parts.clock,
  };
}

/** The names of the providers whose account is in the settings of the server. */
export function providersOfSettings({
  isSandbox,
  stripe,
  cryptoFile,
  ...settings
}: Pick<Config, 'isSandbox' | 'stripe' | 'cryptoFile'> &
  Partial<Pick<Config, 'providersFile' | 'providerKeys'>>): string[] {
  return [
    ...(isSandbox ? ['sandbox'] : []),
    ...(stripe === undefined ? [] : ['stripe']),
    ...(cryptoFile === undefined ? [] : ['crypto']),
    ...packagesOf(settings).map(({ name }) => name),
  ];
}

/** The master keys of the settings. The library of a key management service is loaded only where the settings name a key there. */
export async function masterKeysOf({ masterKeys }: Pick<Config, 'masterKeys'>): Promise<MasterKeys> {
  return createMasterKeys(await Promise.all(readMasterKeys(masterKeys).map(masterKeyOf)));
}

async function masterKeyOf(setting: MasterKeySetting): Promise<MasterKey> {
  if (setting.kind === 'local') return localMasterKey(setting.id, setting.secret);
  const { awsMasterKey } = await import('../sealing/aws-master-key.ts');
  return awsMasterKey(setting);
}
