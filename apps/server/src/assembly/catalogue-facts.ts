/** What the catalogue must know of this server's providers and icons. The server and the command line read it here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogueFacts } from '../catalogue/provider-facts.ts';
import type { Config } from '../config/config.ts';
import { paysOut } from '../providers/crypto/crypto-settings.ts';
import { flowLifetimes } from '../providers/sandbox/payments/flow-names.ts';
import { stripeLimits } from '../providers/stripe/stripe-limits.ts';
import { packageFacts } from './packaged-providers.ts';

type Settings = Pick<Config, 'isSandbox' | 'stripe' | 'cryptoFile' | 'widgetDir' | 'masterKeys'> &
  Partial<Pick<Config, 'providersFile' | 'providerKeys' | 'lightningNodes'>>;

/**
 * A provider counts as set up if it has its settings, or if operators can have connections of their own to it. Whether its company answers
 * is checked by `doctor`.
 */
export function catalogueFacts(settings: Settings): CatalogueFacts {
  const { isSandbox, stripe, cryptoFile, widgetDir, masterKeys, lightningNodes = [], ...packages } = settings;
  return {
    providers: new Map([
      ['sandbox', { isSetUp: isSandbox, paysOut: true, options: { flow: Object.keys(flowLifetimes) } }],
      [
        'stripe',
        {
          isSetUp: stripe !== undefined || masterKeys.length > 0,
          paysOut: true,
          paysToPaidCardsOnly: true,
          limitsOf: stripeLimits,
        },
      ],
      ['sepa', { isSetUp: masterKeys.length > 0, paysOut: true }],
      ['lightning', { isSetUp: lightningNodes.length > 0 && masterKeys.length > 0, paysOut: false }],
      ['crypto', { isSetUp: cryptoFile !== undefined, paysOut: paysCoins(cryptoFile) }],
      ...packageFacts(packages),
    ]),
    icons: iconsOf(widgetDir),
  };
}

/** False also for a file that cannot be read; the start of the server then says why. */
function paysCoins(cryptoFile: string | undefined): boolean {
  try {
    return cryptoFile !== undefined && paysOut(readFileSync(cryptoFile, 'utf8'));
  } catch {
    return false;
  }
}

/** Undefined without a built widget. */
function iconsOf(widgetDir: string | undefined): ReadonlySet<string> | undefined {
  const folder = widgetDir && join(widgetDir, 'static/icons');
  if (!folder || !existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith('.svg'));
  return new Set(files.map((name) => name.slice(0, -'.svg'.length)));
}
