/** The providers that the settings allow. Only this file and `catalogue-facts.ts` know which providers there are. */
import { readFileSync } from 'node:fs';
import type { Clock } from '@opencashier/core/time/clock';
import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { ConfigError } from '../errors/config-error.ts';
import { bookNetworkFee } from '../ledger/network-fees.ts';
import type { Logger } from '../observability/logger.ts';
import type { Failpoint } from '../payment-ports/failpoints.ts';
import type { CompareReading } from '../providers/chain-reading.ts';
import type { CoinSignatures } from '../providers/coin-signatures.ts';
import type { OpenAccount, OpenedAccount } from '../providers/connection-kind.ts';
import { createCryptoProvider } from '../providers/crypto/crypto.ts';
import { contractsOf, readCryptoSettings } from '../providers/crypto/crypto-settings.ts';
import { openLightningAccount } from '../providers/lightning/lightning-connection.ts';
import type { Provider } from '../providers/provider.ts';
import { createSandboxProvider } from '../providers/sandbox/sandbox.ts';
import { openSepaAccount, SEPA } from '../providers/sepa/sepa.ts';
import { createStripeProvider, type StripeOptions } from '../providers/stripe/stripe.ts';
import { openStripeAccount } from '../providers/stripe/stripe-connection.ts';

import type { DataKeys } from '../sealing/data-keys.ts';
import { compareChain } from '../settlements/compare-chain.ts';
import { openPackagedProviders, type PackagedProviders } from './packaged-providers.ts';

export interface ProviderParts {
  readonly publicUrl: string;
  readonly url: string;
  readonly database: Database;
  /** Encrypt what providers keep of payees. */
  readonly dataKeys: DataKeys;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly onClockMove: (run: () => void) => void;
  readonly logger: Logger;
  /** The opened account of an operator's connection, for providers that run inside the server. */
  readonly accountOf: (connectionId: string) => Promise<OpenedAccount | undefined>;
  /** Another address of Stripe's API, for tests. */
  readonly stripeApi?: StripeOptions['api'];
  /** For tests that end the process. */
  readonly failpoint?: ((name: Failpoint) => void) | undefined;
}

export interface ProviderSet {
  /** By name. */
  readonly providers: Map<string, Provider>;
  /** Make providers of operators' own accounts, by the name of the provider. */
  readonly openers: ReadonlyMap<string, OpenAccount>;
  /** The pages of providers that have some, such as the sandbox's. */
  readonly plugins: readonly FastifyPluginAsync[];
  /** Payouts of coins that people sign as files. Absent: no wallet is signed by file. */
  readonly coinSignatures?: CoinSignatures | undefined;
  /** The chains of the settings, whose balances are compared with the ledger each day. */
  readonly chains: readonly string[];
  /** Contracts of the tokens that the settings of chains name. */
  readonly tokenContracts: readonly string[];
  /** Those that run in processes of their own. They are among `providers`, too. */
  readonly packaged: PackagedProviders;
}

/** The providers that the settings allow, by name, and the pages that some of them have. */
export function createProviders(config: Config, parts: ProviderParts): ProviderSet {
  const providers = new Map<string, Provider>();
  const api = parts.stripeApi && { api: parts.stripeApi };
  const openers = new Map<string, OpenAccount>([
    ['stripe', openStripeAccount({ clock: parts.clock, ...api })],
    [SEPA, openSepaAccount(parts.database, parts.dataKeys)],
  ]);
  const plugins: FastifyPluginAsync[] = [];
  const { lightningNodes: nodes } = config;
  if (nodes.length > 0) {
    const money = config.isSandbox ? 'test' : 'real';
    openers.set('lightning', openLightningAccount({ nodes, money, clock: parts.clock }));
  }
  let chains: readonly string[] = [];
  let tokenContracts: readonly string[] = [];
  let coinSignatures: CoinSignatures | undefined;
  if (config.isSandbox) {
    // Checked here and not while the settings are read: the command line works without this secret.
    if (config.sandboxProviderSecret === undefined) {
      throw new ConfigError(['SANDBOX_PROVIDER_SECRET must be set where SANDBOX is on.']);
    }
    const sandbox = createSandboxProvider({
      isAllowed: true,
      publicUrl: config.sandboxUrl ?? parts.publicUrl,
      callbackUrl: `${parts.url}/providers/sandbox/callbacks`,
      secret: config.sandboxProviderSecret,
      accountOf: parts.accountOf,
      database: parts.database,
      clock: parts.clock,
      log: parts.logger,
    });
    parts.onClockMove(sandbox.lookAgain);
    providers.set(sandbox.provider.name, sandbox.provider);
    openers.set(sandbox.provider.name, sandbox.openAccount);
    plugins.push(sandbox.pages);
  }
  if (config.stripe !== undefined) {
    const stripe = createStripeProvider({ ...config.stripe, clock: parts.clock, ...api });
    providers.set(stripe.name, stripe);
  }
  if (config.cryptoFile !== undefined) {
    const settings = readCryptoSettings(readFileSync(config.cryptoFile, 'utf8'), config.chainKeys);
    const compare: CompareReading = (reading) => compareChain(parts.database, reading);
    const log = parts.logger;
    const crypto = createCryptoProvider({ ...parts, settings, compare, log, bookFee: bookNetworkFee });
    providers.set(crypto.name, crypto);
    chains = Object.keys(settings.chains);
    tokenContracts = contractsOf(settings);
    coinSignatures = crypto.coinSignatures;
  }
  const packaged = openPackagedProviders(config, new Set(['sandbox', 'stripe', 'crypto', 'lightning', SEPA]), parts);
  for (const provider of packaged.providers) providers.set(provider.name, provider);
  for (const [name, open] of packaged.openers) openers.set(name, open);
  return { providers, openers, plugins, chains, tokenContracts, coinSignatures, packaged };
}
