/** The checks of `doctor` about providers. It never prints a key, only its mode, and it asks the nodes of chains. */
import { readFileSync } from 'node:fs';
import type { Clock } from '@opencashier/core/time/clock';
import type { Config } from '../config/config.ts';
import { type CryptoSettings, readCryptoSettings } from '../providers/crypto/crypto-settings.ts';
import { inspectChain } from '../providers/crypto/inspect-chain.ts';

/** The result of one check. */
export interface Finding {
  readonly name: string;
  readonly found: string;
  /** What to do. Absent: the check passed. */
  readonly advice?: string;
}

export async function providerFindings(config: Config, clock: Clock): Promise<Finding[]> {
  const findings: Finding[] = [];
  if (config.isSandbox) {
    const sandbox = { name: 'provider sandbox', found: 'on: no real money' };
    const isSigned = config.sandboxProviderSecret !== undefined;
    findings.push(isSigned ? sandbox : { ...sandbox, advice: 'Set SANDBOX_PROVIDER_SECRET (npm start creates one).' });
  }
  if (config.stripe !== undefined) findings.push(stripeFinding(config.stripe.secretKey, config.isSandbox));
  if (config.cryptoFile !== undefined) findings.push(...(await cryptoFindings(config, config.cryptoFile, clock)));
  if (findings.length > 0) return findings;
  const advice =
    'Set STRIPE_SECRET_KEY or CRYPTO_FILE, or SANDBOX=1 to try the cashier without real money. See docs/providers.md.';
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

/** An error in one line. A connection that failed at several addresses has an error without a message, so its code is used. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : error.name;
  return error.message.replaceAll(/\s*\n\s*/g, ' ') || code;
}
