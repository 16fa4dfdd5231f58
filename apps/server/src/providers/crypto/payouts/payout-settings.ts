/** The part of a chain's settings that pays out: the hot wallet, its signer and its limits. */
import * as v from 'valibot';

const amount = v.pipe(v.string(), v.regex(/^\d{1,18}(\.\d{1,18})?$/, 'must be an amount such as "0.5"'));
const amounts = v.record(v.string(), amount);

/** A misspelt limit must not count as none, so unknown keys are refused. */
export const payoutSettingsSchema = v.strictObject({
  /** The address that pays. On Bitcoin and Litecoin: the public key of the wallet's one address, in hex. On TON: that of its v4R2 contract. */
  wallet: v.string(),
  signer: v.strictObject({
    url: v.pipe(v.string(), v.url(), v.regex(/^https?:/, 'must begin with https:// or http://')),
    /** `whsec_…`, newest first. A value such as `$CHAIN_KEY_SIGNER` names an environment variable. */
    secrets: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(2)),
    withinSeconds: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(45)), 20),
  }),
  /** The most that the network may take for one payout, in the chain's own coin. */
  mostFee: amount,
  limits: v.optional(v.record(v.string(), v.strictObject({ hour: v.optional(amount), day: v.optional(amount) })), {}),
  /** Below it, staff are alerted. By coin. */
  lowBalance: v.optional(amounts, {}),
  /** Seconds in no block, after which the fee is raised. */
  raiseFeeAfterSeconds: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(86_400))),
  /** On TRON: seconds in which the chain takes a transaction after it was prepared. The chain allows a day at most. */
  validForSeconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(300), v.maxValue(82_800)), 3600),
  /** For a TRON network that is not the main one: the hash of its first block. */
  genesis: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be the hash of a block'))),
  /** For another EVM network than the main one. */
  chainId: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

export type PayoutSettings = v.InferOutput<typeof payoutSettingsSchema>;

/** An amount of the settings in the smallest unit of a coin with `decimals`. Finer digits are cut off. */
export function rawOf(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
}
