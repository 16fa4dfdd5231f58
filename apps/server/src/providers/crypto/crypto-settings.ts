/** The settings of chains: their nodes, accounts and tokens. The operator writes them as a JSON file (docs/providers.md). */
import * as v from 'valibot';
import { chainKinds } from './chain-kinds.ts';
import { knownToken, type TokenContract } from './known-tokens.ts';
import { payoutSettingsSchema } from './payouts/payout-settings.ts';

const nodeSchema = v.object({
  url: v.pipe(
    v.string(),
    v.url(),
    v.regex(/^https?:/, 'must begin with https:// or http://'),
    v.transform((url) => url.replace(/\/+$/, '')),
  ),
  headers: v.optional(v.record(v.string(), v.string()), {}),
});

const chainSchema = v.object({
  nodes: v.pipe(v.array(nodeSchema), v.minLength(1)),
  /** The account's extended public key. On TON: the wallet. Not used on Solana. */
  account: v.optional(v.string(), ''),
  /** On Solana: the wallets that payers are shown, one for each deposit, in this order. New ones are added at the end. */
  addresses: v.optional(v.pipe(v.array(v.string()), v.maxLength(200_000))),
  /**
   * A partner key. On TON: of the operator whose staff decide about payments that name no deposit. With `payouts`: of the operator whose
   * coins are in the hot wallet. Not needed with only one operator.
   */
  operator: v.optional(v.string()),
  /** Tokens by the code of their coin. */
  tokens: v.optional(
    v.record(
      v.string(),
      v.object({
        /** May be left out, with the decimals, where `known-tokens.ts` has the token. */
        contract: v.optional(v.string()),
        decimals: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36))),
      }),
    ),
    {},
  ),
  isCoinWatched: v.optional(v.boolean(), true),
  /** The most requests a second that the watch sends to each node, on average. Default: 5. */
  questionsPerSecond: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(1000))),
  /** Confirmations that a credit needs. Default: the chain's usual number. */
  confirmations: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))),
  /** Only where coins are also paid out. */
  payouts: v.optional(payoutSettingsSchema),
  /** On chains with irreversible blocks: which of them a credit needs, besides the confirmations. */
  finality: v.optional(v.picklist(['safe', 'finalized'])),
});

const settingsSchema = v.object({ chains: v.record(v.picklist(Object.keys(chainKinds)), chainSchema) });

export interface ChainSettings extends Omit<v.InferOutput<typeof chainSchema>, 'tokens'> {
  readonly tokens: Readonly<Record<string, TokenContract>>;
}
export interface CryptoSettings {
  readonly chains: Readonly<Record<string, ChainSettings>>;
}

/** Names the wrong setting but never its value, because some values are keys. */
export class CryptoSettingsError extends Error {
  override readonly name = 'CryptoSettingsError';
}

/** A header's value such as `$CHAIN_KEY_TON` names an environment variable, so that keys stay out of the file. */
const VARIABLE = /^\$(CHAIN_KEY_[A-Z0-9_]+)$/;

/**
 * @param keys the environment variables that headers may name
 * @throws CryptoSettingsError
 */
export function readCryptoSettings(
  text: string,
  keys: Readonly<Record<string, string | undefined>> = {},
): CryptoSettings {
  const settings = parseSettings(text);
  const keyOf = (value: string, needs: string): string => {
    const name = VARIABLE.exec(value)?.[1];
    if (name === undefined) return value;
    const found = keys[name];
    if (found === undefined || found === '') throw new CryptoSettingsError(`${name} is not set. ${needs} needs it.`);
    return found;
  };
  for (const { nodes, payouts } of Object.values(settings.chains)) {
    for (const { headers } of nodes) {
      for (const [header, value] of Object.entries(headers)) headers[header] = keyOf(value, "A node's header");
    }
    if (payouts !== undefined && 'secrets' in payouts.signer)
      payouts.signer.secrets = payouts.signer.secrets.map((one) => keyOf(one, 'A signer'));
  }
  return settings;
}

/** Whether coins of any chain can be paid out. @throws CryptoSettingsError */
export function paysOut(text: string): boolean {
  return Object.values(parseSettings(text).chains).some(({ payouts }) => payouts !== undefined);
}

/** Whether the settings name a coin of a chain. */
export function namesCoin({ chains }: CryptoSettings, key: string, coin: string): boolean {
  const settings = Object.hasOwn(chains, key) ? chains[key] : undefined;
  if (settings === undefined) return false;
  return Object.hasOwn(settings.tokens, coin) || (settings.isCoinWatched && chainKinds[key]?.coin === coin);
}

/** The contracts of all watched tokens, as the operator wrote them. */
export function contractsOf({ chains }: CryptoSettings): string[] {
  return Object.values(chains).flatMap(({ tokens }) => Object.values(tokens).map(({ contract }) => contract.trim()));
}

function parseSettings(text: string): CryptoSettings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CryptoSettingsError('The settings of chains are not valid JSON.');
  }
  const result = v.safeParse(settingsSchema, value);
  if (result.success) {
    const chains = Object.entries(result.output.chains);
    return { chains: Object.fromEntries(chains.map(([key, chain]) => [key, withKnownTokens(key, chain)])) };
  }
  const place = v.getDotPath(result.issues[0]) ?? 'the top';
  throw new CryptoSettingsError(
    `The settings of chains are wrong at ${place}: ${result.issues[0].expected ?? 'unknown'}.`,
  );
}

/** Fills in the contract and the decimals of tokens that are known. */
function withKnownTokens(key: string, chain: v.InferOutput<typeof chainSchema>): ChainSettings {
  const isPrepared = chainKinds[key]?.family === 'solana';
  const { addresses = [] } = chain;
  if (isPrepared !== addresses.length > 0 || isPrepared === (chain.account !== '')) {
    const [wanted, unwanted] = isPrepared ? ['addresses', 'account'] : ['account', 'addresses'];
    throw new CryptoSettingsError(
      `The settings of chains are wrong at chains.${key}: name "${wanted}", and no "${unwanted}".`,
    );
  }
  const tokens = Object.entries(chain.tokens).map(([coin, given]): [string, TokenContract] => {
    const known = knownToken(key, coin);
    // Another contract may have other decimals, so known decimals belong to the known contract alone.
    const { contract, decimals } = given.contract === undefined ? { ...known, ...given } : given;
    if (contract !== undefined && decimals !== undefined) return [coin, { contract, decimals }];
    throw new CryptoSettingsError(
      `The settings of chains are wrong at chains.${key}.tokens.${coin}: name both "contract" and "decimals".`,
    );
  });
  return { ...chain, tokens: Object.fromEntries(tokens) };
}
