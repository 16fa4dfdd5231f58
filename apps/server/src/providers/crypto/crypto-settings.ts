/** Which chains are watched, through which nodes, into which account: a JSON file that the operator writes (docs/providers.md). */
import * as v from 'valibot';
import { chainKinds } from './chain-kinds.ts';

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
  /** The account's extended public key; on TON the wallet. */
  account: v.string(),
  /** On TON: the partner key of the operator whose people decide about money that names no deposit. */
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
  /** The most that the watch asks each node, on average; 5 unless set. */
  questionsPerSecond: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(1000))),
  /** Instead of the chain's usual number. */
  confirmations: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000))),
});

const settingsSchema = v.object({ chains: v.record(v.picklist(Object.keys(chainKinds)), chainSchema) });

export type ChainSettings = v.InferOutput<typeof chainSchema>;
export interface CryptoSettings {
  readonly chains: Readonly<Record<string, ChainSettings>>;
}

/** Names the place of what is wrong, and repeats no value: some are keys. */
export class CryptoSettingsError extends Error {
  override readonly name = 'CryptoSettingsError';
}

/** Such as `$CHAIN_KEY_TON`: what is secret in a header stays out of the file. */
const VARIABLE = /^\$(CHAIN_KEY_[A-Z0-9_]+)$/;

/**
 * @param keys where the values of headers lie that are names, such as `$CHAIN_KEY_TON`
 * @throws CryptoSettingsError
 */
export function readCryptoSettings(
  text: string,
  keys: Readonly<Record<string, string | undefined>> = {},
): CryptoSettings {
  const settings = parseSettings(text);
  for (const { nodes } of Object.values(settings.chains)) {
    for (const { headers } of nodes) {
      for (const [header, value] of Object.entries(headers)) {
        const name = VARIABLE.exec(value)?.[1];
        if (name === undefined) continue;
        const found = keys[name];
        if (found === undefined || found === '') throw new CryptoSettingsError(`${name} is not set: a node needs it.`);
        headers[header] = found;
      }
    }
  }
  return settings;
}

/** The contracts of all tokens that are watched, as the operator wrote them. */
export function contractsOf({ chains }: CryptoSettings): string[] {
  return Object.values(chains).flatMap(({ tokens }) => Object.values(tokens).map(({ contract }) => contract.trim()));
}

function parseSettings(text: string): CryptoSettings {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new CryptoSettingsError('The settings of chains are no JSON.');
  }
  const result = v.safeParse(settingsSchema, value);
  if (result.success) return result.output;
  const place = v.getDotPath(result.issues[0]) ?? 'the top';
  throw new CryptoSettingsError(
    `The settings of chains are wrong at ${place}: ${result.issues[0].expected ?? 'unknown'}.`,
  );
}
