/** The providers of this server that are packages: each in a process of its own (docs/provider-kit.md). */
import type { Clock } from '@opencashier/core/time/clock';
import type { ProviderFacts } from '../catalogue/provider-facts.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { ConfigError } from '../errors/config-error.ts';
import type { Logger } from '../observability/logger.ts';
import type { GaugeSource } from '../observability/metrics.ts';
import type { Caller } from '../provider-processes/caller.ts';
import { openPackageAccount, packageConnections } from '../provider-processes/package-connections.ts';
import { packagedInstallation } from '../provider-processes/packaged-provider.ts';
import { type ProviderPackage, readProviderFile } from '../provider-processes/provider-file.ts';
import { createProviderPool, type ProviderPool, type QuarantinedCaller } from '../provider-processes/provider-pool.ts';
import type { ConnectionKind, OpenAccount } from '../providers/connection-kind.ts';
import type { Provider } from '../providers/provider.ts';
import { keepQuarantines } from './kept-quarantines.ts';

type Settings = Partial<Pick<Config, 'providersFile' | 'providerKeys'>>;

/** What a connection uses of the processes that run in this server. */
export type PackageProcesses = ReadonlyMap<string, Pick<ProviderPool, 'call'>>;

export interface PackagedProviders {
  readonly providers: readonly Provider[];
  /** Make providers of operators' own accounts, for packages that have such. */
  readonly openers: readonly (readonly [name: string, OpenAccount])[];
  /** Their processes, by the name of the provider. */
  readonly processes: PackageProcesses;
  /**
   * Whether a provider takes calls of an operator now. Otherwise its methods are not offered, and routes pass its account over. Its calls
   * may be in quarantine while those of others continue.
   */
  isUpFor(provider: string, caller: Caller): boolean;
  readonly gauges: readonly GaugeSource[];
  stop(): Promise<void>;
}

/**
 * Makes the providers. Their processes start by `beforeStart`.
 * @param taken names of providers of this repository
 * @throws ConfigError
 */
export function openPackagedProviders(
  settings: Settings,
  taken: ReadonlySet<string>,
  ports: { readonly machineClock: Clock; readonly logger: Logger; readonly database: Database },
): PackagedProviders {
  const packages = packagesOf(settings);
  const twice = packages.filter(({ name }) => taken.has(name));
  if (twice.length > 0) {
    throw new ConfigError(twice.map(({ name }) => `PROVIDERS_FILE: the cashier has a provider ${name} of its own.`));
  }
  const { machineClock: clock, logger, database } = ports;
  const keeper = keepQuarantines({ database, logger }, () =>
    running.map(({ from, child }) => ({ provider: from.name, quarantined: child.quarantined() })),
  );
  const running = packages.map((from) => ({
    from,
    child: createProviderPool(from, { clock, logger, onChange: () => keeper.keep() }),
  }));
  const gauge = (name: string, help: string, numberOf: (one: (typeof running)[number]) => number): GaugeSource => ({
    name,
    help,
    labelNames: ['provider'],
    samples: () => running.map((one) => ({ labels: { provider: one.from.name }, value: numberOf(one) })),
  });
  const gaugeBy = (
    name: string,
    help: string,
    label: string,
    countOf: (one: (typeof running)[number]) => Readonly<Record<string, number>>,
  ): GaugeSource => ({
    name,
    help,
    labelNames: ['provider', label],
    samples: () =>
      running.flatMap((one) =>
        Object.entries(countOf(one)).map(([value, count]) => ({
          labels: { provider: one.from.name, [label]: value },
          value: count,
        })),
      ),
  });
  return {
    providers: running.map(({ from, child }) => ({
      ...packagedInstallation(from, child),
      beforeStart: () => child.start(),
    })),
    openers: running
      .filter(({ from }) => from.manifest.accounts !== undefined)
      .map(({ from, child }) => [from.name, openPackageAccount(from, child)]),
    processes: new Map(running.map(({ from, child }) => [from.name, child])),
    isUpFor(provider, caller) {
      const packaged = running.find(({ from }) => from.name === provider);
      return packaged === undefined || packaged.child.isUpFor(caller);
    },
    gauges: [
      gauge('cashier_provider_up', 'Whether the process of a provider answers: 1 or 0.', ({ child }) =>
        child.isUp() ? 1 : 0,
      ),
      gauge('cashier_provider_starts', 'How often this node has started the process of a provider.', ({ child }) =>
        child.starts(),
      ),
      gaugeBy(
        'cashier_provider_quarantined',
        'Accounts whose calls run apart, because the process of a provider crashed with them.',
        'state',
        ({ child }) => countsOf(child.quarantined()),
      ),
      gaugeBy(
        'cashier_provider_stray_answers',
        'Answers of a provider that no call of this node waited for.',
        'kind',
        ({ child }) => child.strayAnswers(),
      ),
    ],
    async stop() {
      await Promise.all(running.map(({ child }) => child.stop()));
      await keeper.stop();
    },
  };
}

function countsOf(quarantined: readonly QuarantinedCaller[]): Readonly<Record<QuarantinedCaller['state'], number>> {
  const count = (wanted: QuarantinedCaller['state']) => quarantined.filter(({ state }) => state === wanted).length;
  return { suspected: count('suspected'), proven: count('proven'), off: count('off') };
}

/** @throws ConfigError */
export function packagesOf({ providersFile, providerKeys = {} }: Settings): readonly ProviderPackage[] {
  return providersFile === undefined ? [] : readProviderFile(providersFile, providerKeys);
}

/** The kinds of connections to packages, by the name of the provider. @param processes absent: none runs, as on the command line */
export function packageKinds(
  settings: Settings,
  clock: Clock,
  processes?: PackageProcesses,
): readonly (readonly [name: string, ConnectionKind])[] {
  return packagesOf(settings).flatMap((from) => {
    const kind = packageConnections(from, clock, processes?.get(from.name));
    return kind === undefined ? [] : [[from.name, kind] as const];
  });
}

/** What the catalogue must know of packages, from their manifests. */
export function packageFacts(settings: Settings): readonly (readonly [name: string, ProviderFacts])[] {
  return packagesOf(settings).map(({ name, manifest: { does, limits, options } }) => [
    name,
    {
      isSetUp: true,
      paysOut: does.includes('withdrawals'),
      limitsOf: (currency) => limits[currency],
      options,
    },
  ]);
}
