/** The checks of `doctor` about providers. It never prints a key, only its mode, and it asks the nodes of chains. */
import { readFileSync } from 'node:fs';
import type { Clock } from '@opencashier/core/time/clock';
import { packagesOf } from '../assembly/packaged-providers.ts';
import type { Config } from '../config/config.ts';
import { createLogger } from '../observability/logger.ts';
import type { ProviderPackage } from '../provider-processes/provider-file.ts';
import { createProviderProcess } from '../provider-processes/provider-process.ts';
import { type CryptoSettings, readCryptoSettings } from '../providers/crypto/crypto-settings.ts';
import { inspectChain } from '../providers/crypto/inspect-chain.ts';
import { inspectStripe } from '../providers/stripe/inspect-stripe.ts';
import type { StripeOptions } from '../providers/stripe/stripe.ts';
import { type Finding, wordsOf } from './finding.ts';

/** @param stripeApi another address of Stripe's API, for tests */
export async function providerFindings(
  config: Config,
  clock: Clock,
  stripeApi?: StripeOptions['api'],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (config.isSandbox) {
    const sandbox = { name: 'provider sandbox', found: 'on: no real money' };
    const isSigned = config.sandboxProviderSecret !== undefined;
    findings.push(isSigned ? sandbox : { ...sandbox, advice: 'Set SANDBOX_PROVIDER_SECRET (npm start creates one).' });
  }
  if (config.stripe !== undefined) {
    const { secretKey } = config.stripe;
    findings.push(stripeFinding(secretKey, config.isSandbox), await stripeAnswer(secretKey, stripeApi, clock));
  }
  if (config.cryptoFile !== undefined) findings.push(...(await cryptoFindings(config, config.cryptoFile, clock)));
  if (config.masterKeys.length > 0)
    findings.push({ name: 'master key', found: 'set, so operators can have connections' });
  findings.push(...(await packageFindings(config, clock)));
  if (findings.length > 0) return findings;
  const advice =
    'Set MASTER_KEY, STRIPE_SECRET_KEY, CRYPTO_FILE or PROVIDERS_FILE, or SANDBOX=1 to try the cashier without real money. ' +
    'See docs/providers.md.';
  return [{ name: 'providers', found: 'none: no method will be offered', advice }];
}

/** The first letters of a key tell its kind and its mode. */
function stripeFinding(key: string, isSandbox: boolean): Finding {
  const name = 'provider stripe';
  if (isSandbox && /^[sr]k_live_/.test(key)) {
    return { name, found: 'a live key together with the sandbox', advice: 'Set SANDBOX=0, or use a test key.' };
  }
  if (/^[sr]k_live_/.test(key)) return { name, found: 'live key, moves real money' };
  if (/^[sr]k_test_/.test(key)) return { name, found: 'test key, moves no real money' };
  return {
    name,
    found: 'the key is not a secret key',
    advice: 'STRIPE_SECRET_KEY must begin with sk_live_, sk_test_, rk_live_ or rk_test_.',
  };
}

/** Only Stripe knows whether a key is real and still works. */
async function stripeAnswer(secretKey: string, api: StripeOptions['api'], clock: Clock): Promise<Finding> {
  const name = 'key of stripe';
  const answer = await inspectStripe({ secretKey, ...(api && { api }) }, clock);
  switch (answer.kind) {
    case 'accepted':
      return { name, found: 'Stripe accepts it' };
    case 'refused':
      return {
        name,
        found: 'Stripe refuses it, so no card can be paid',
        advice:
          'Copy the key again from Developers > API keys in Stripe, and set STRIPE_SECRET_KEY. It may be revoked.',
      };
    case 'may-not-read':
      return {
        name,
        found: 'Stripe accepts it, but it may not read Checkout sessions',
        advice: 'Give the restricted key the rights that docs/providers.md lists.',
      };
    case 'unreachable':
      return {
        name,
        found: `Stripe did not answer (${answer.why}), so nobody knows whether the key works`,
        advice: 'Check that this machine can reach https://api.stripe.com, then run doctor again.',
        isUnknown: true,
      };
  }
}

/**
 * On TON all users pay to one wallet, and a memo names the deposit. An operator must be named for money without a memo, unless there
 * is only one operator.
 */
export function strayFindings({ chains }: CryptoSettings, partnerKeys: readonly string[]): Finding[] {
  return Object.entries(chains).flatMap(([key, { operator }]): Finding[] => {
    if (key !== 'ton') return [];
    const name = `money without a memo on ${key}`;
    if (operator !== undefined && partnerKeys.includes(operator)) return [{ name, found: `belongs to ${operator}` }];
    if (operator !== undefined)
      return [{ name, found: 'belongs to no operator', advice: `The operator ${operator} does not exist.` }];
    if (partnerKeys.length === 1) return [{ name, found: 'belongs to the only operator' }];
    const advice = 'Set "operator" of this chain to the partner key of the operator that owns such money.';
    return [{ name, found: 'belongs to no operator', advice }];
  });
}

/** Like {@link strayFindings}. Empty if the file cannot be read, because {@link providerFindings} reports that. */
export function strayFindingsOf({ cryptoFile, chainKeys }: Config, partnerKeys: readonly string[]): Finding[] {
  if (cryptoFile === undefined) return [];
  try {
    return strayFindings(readCryptoSettings(readFileSync(cryptoFile, 'utf8'), chainKeys), partnerKeys);
  } catch {
    return [];
  }
}

/** Starts the process of each package as the cashier does, and ends it again. */
async function packageFindings(config: Config, clock: Clock): Promise<Finding[]> {
  let packages: readonly ProviderPackage[];
  try {
    packages = packagesOf(config);
  } catch (error) {
    return [{ name: 'providers file', found: wordsOf(error), advice: 'Fix PROVIDERS_FILE: see docs/provider-kit.md.' }];
  }
  return Promise.all(
    packages.map(async (from): Promise<Finding> => {
      const name = `provider ${from.name}`;
      const child = createProviderProcess(from, { clock, logger: createLogger('silent') });
      try {
        await child.start();
        const hosts = from.hosts.join(', ') || 'no host';
        if (child.isUp()) return { name, found: `${from.packageName} starts, and may connect to ${hosts}` };
        return {
          name,
          found: `${from.packageName} does not start: ${child.lastError()}`,
          advice: 'Its methods are off. Correct its settings in PROVIDERS_FILE, or ask its maker.',
        };
      } finally {
        await child.stop();
      }
    }),
  );
}

async function cryptoFindings({ chainKeys }: Config, file: string, clock: Clock): Promise<Finding[]> {
  const name = 'provider crypto';
  let settings: CryptoSettings;
  try {
    settings = readCryptoSettings(readFileSync(file, 'utf8'), chainKeys);
  } catch (error) {
    return [{ name, found: wordsOf(error), advice: `Fix ${file}: see docs/providers.md.` }];
  }
  const chains = Object.entries(settings.chains);
  const found = await Promise.all(chains.map(([key, chain]) => inspectChain(key, chain, clock)));
  return [{ name, found: `watches ${chains.map(([key]) => key).join(', ') || 'nothing'}` }, ...found.flat()];
}
