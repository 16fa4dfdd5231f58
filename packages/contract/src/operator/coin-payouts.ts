/** Payouts of coins whose wallet is signed by file: with a hardware wallet, or on a machine without a network (WD-2). */
import * as v from 'valibot';
import { decimalStringSchema, paymentIdSchema } from '../api/scalar.ts';
import { defineEndpoint } from './endpoint.ts';
import { shownStaffSchema, staffSchema } from './fields.ts';

/** A payout that waits for its signature. It has what an external signer gets. */
export const unsignedPayoutSchema = v.object({
  withdrawalId: paymentIdSchema,
  /** 1, and one more for each replacement by a higher fee. @example 1 */
  version: v.number(),
  /** Where the transaction is sent, such as `bitcoin` or `ethereum`. @example "bitcoin" */
  chain: v.string(),
  /** The address that pays. @example "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" */
  wallet: v.string(),
  /** What the recipient gets, such as `BTC` or `USDT`. @example "BTC" */
  coin: v.string(),
  /** The contract of a token. Absent: the coin of the chain. @example "0xdAC17F958D2ee523a2206206994597C13D831ec7" */
  contract: v.optional(v.string()),
  /** The recipient. @example "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" */
  address: v.string(),
  /** The comment by which an exchange knows its customer, on TON. @example "104729" */
  memo: v.optional(v.string()),
  amount: decimalStringSchema,
  /** The most that the network can take, in the smallest unit of the chain’s coin. @example "1300" */
  mostFeeUnits: v.string(),
  /** The form of `unsigned`. @example "psbt" */
  format: v.string(),
  /** The unsigned transaction: a PSBT in Base64 for `psbt`, in hex for `eip1559` and `tron`, a bag of cells in Base64 for `ton-v4r2`. @example "cHNidP8BAHECAAAAAQ==" */
  unsigned: v.string(),
  /** Who has taken it, this time included. None of them can give it back signed. @example ["ann"] */
  takenBy: v.array(shownStaffSchema),
});
export type UnsignedPayout = v.InferOutput<typeof unsignedPayoutSchema>;

export const takeUnsignedSchema = v.strictObject({
  /** Only payouts of this chain. @example "bitcoin" */
  chain: v.optional(v.pipe(v.string(), v.maxLength(40))),
  staff: staffSchema,
});

export const takeUnsignedPayouts = defineEndpoint({
  id: 'take-unsigned-coin-payouts',
  method: 'POST',
  path: '/coin-payouts/unsigned',
  summary: 'Answers the payouts of coins that wait to be signed by file, and records who has them.',
  body: takeUnsignedSchema,
  response: v.object({
    /** The oldest come first. At most 100. */
    payouts: v.array(unsignedPayoutSchema),
  }),
});

/** As text. A PSBT with twenty inputs has about 20 kB. Some devices also want the whole earlier transactions in it. */
const largestTransaction = 350_000;

export const giveSignedSchema = v.strictObject({
  /** The signed transactions, in the form of what was taken: PSBTs in Base64, or hex. In any order. @example ["cHNidP8BAHECAAAAAQ=="] */
  transactions: v.pipe(v.array(v.pipe(v.string(), v.maxLength(largestTransaction))), v.minLength(1), v.maxLength(100)),
  staff: staffSchema,
});

export const giveSignedPayouts = defineEndpoint({
  id: 'give-signed-coin-payouts',
  method: 'POST',
  path: '/coin-payouts/signed',
  summary: 'Takes signed payouts of coins, all or none. A person who never took them must give them.',
  body: giveSignedSchema,
  bodyLimitBytes: 1024 * 1024,
  response: v.object({
    /** The payouts, in the order of the transactions. */
    payouts: v.array(
      v.object({
        withdrawalId: paymentIdSchema,
        /** The version that was signed. @example 1 */
        version: v.number(),
        /** False: it was signed before, and nothing has changed. */
        isNew: v.boolean(),
      }),
    ),
  }),
  errors: {
    409: '`state-conflict`: a transaction is not one that waits, or differs from it; or the same person also took it. Nothing was stored.',
  },
});
