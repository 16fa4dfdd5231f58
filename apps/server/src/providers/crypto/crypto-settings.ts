/** The settings of chains: their nodes, accounts and tokens. The operator writes them as a JSON file (docs/providers.md). */
import * as v from 'valibot';
import { chainKinds } from './chain-kinds.ts';
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
  /** The account's extended public key. On TON: the wallet. */
  account: v.string(),
  /** On TON: the partner key of the operator whose staff decide about payments that name no deposit. */
  operator: v.optional(v.string()),
  /** Tokens by the code of their coin. */
  tokens: v.optional(
    v.record(
      v.string(),
      v.object({
        contract: v.string(),
        decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
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
});

const settingsSchema = v.object({ chains: v.record(v.picklist(Object.keys(chainKinds)), chainSchema) });

export type ChainSettings = v.InferOutput<typeof chainSchema>;
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
    if (payouts !== undefined) payouts.signer.secrets = payouts.signer.secrets.map((one) => keyOf(one, 'A signer'));
  }
  return settings;
}

/** Whether coins of any chain can be paid out. @throws CryptoSettingsError */
export function paysOut(text: string): boolean {
  return Object.values(parseSettings(text).chains).some(({ payouts }) => payouts !== undefined);
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
  if (result.success) return result.output;
  const place = v.getDotPath(result.issues[0]) ?? 'the top';
  throw new CryptoSettingsError(
    `The settings of chains are wrong at ${place}: ${result.issues[0].expected ?? 'unknown'}.`,
  );
}
