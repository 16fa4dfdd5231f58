/** The catalogue as the widget receives it: payment methods and their groups (§3, LIST-2, LIST-7). */
import * as v from 'valibot';
import { formFieldSchema } from './form-field.ts';
import { boundedNumberSchema, currencySchema, decimalStringSchema, linkSchema, methodNameSchema } from './scalar.ts';

/** §9: the page that a method's card opens (LIST-4). */
export const cardViewTypes = {
  default: 0,
  card: 1,
  cardWalletOnly: 2,
  india: 3,
  cardMultipleType: 4,
  p2p: 5,
  pix: 6,
  eazype: 7,
  virtual: 8,
  bankTransfer: 9,
  onramp: 13,
  cash: 20,
} as const;
export type CardViewTypeName = keyof typeof cardViewTypes;

/** §9: the badge on a tile. */
export const badgeTypes = { brand: 2, exclusive: 8 } as const;

export const amountRuleSchema = v.object({
  min: decimalStringSchema,
  max: decimalStringSchema,
  /** The minimum outside Russia, if different. */
  minNonRus: v.optional(decimalStringSchema),
  /**
   * The number of decimals that the provider accepts. Absent: as many as the currency shows. Yen have
   * none, Kuwaiti dinars three.
   */
  decimals: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(18))),
});
export type AmountRule = v.InferOutput<typeof amountRuleSchema>;

/**
 * The fee of a deposit or a withdrawal (WD-2): the sum of the fixed part and the percentage, rounded down to the currency's minor unit.
 * It is at least `min`, and then at most `max`.
 */
export const feeRuleSchema = v.object({
  /** In the currency of the amount. */
  fixed: v.optional(decimalStringSchema),
  /** Percent of the amount; below 100. */
  percent: v.optional(v.pipe(decimalStringSchema, v.regex(/^\d{1,2}(?:\.|$)/, 'a percentage below 100'))),
  /** The least fee, in the currency of the amount. */
  min: v.optional(decimalStringSchema),
  /** The highest fee, in the currency of the amount. */
  max: v.optional(decimalStringSchema),
  /** `operator`: the user pays no fee. Absent: the user pays it. */
  paidBy: v.optional(v.picklist(['user', 'operator'])),
});
export type FeeRule = v.InferOutput<typeof feeRuleSchema>;

/**
 * A method's special features as data, so the widget never compares a method's name (LIST-7).
 * The specification has lists of names instead.
 */
export const methodFlagsSchema = v.object({
  /** Opens the provider's page in the same window, unless the widget is framed: providers refuse frames. */
  externalRedirect: v.optional(v.boolean()),
  /** Never opens a payment window before the create call (DEP-2). */
  noNewWindow: v.optional(v.boolean()),
  p2p: v.optional(v.boolean()),
  oneClick: v.optional(v.boolean()),
  captcha: v.optional(v.boolean()),
  agentLink: v.optional(linkSchema),
  /** Shows a button beside the requisites that asks the host for help (DEP-12). */
  supportButton: v.optional(v.boolean()),
  /** A support page, independent of the host. */
  supportLink: v.optional(linkSchema),
  guaranteed: v.optional(v.boolean()),
  instructionHeader: v.optional(v.boolean()),
  confirmationId: v.optional(v.boolean()),
  bonusRestricted: v.optional(v.boolean()),
  bankLookup: v.optional(v.boolean()),
  virtualAccount: v.optional(v.boolean()),
  ownAmountRegex: v.optional(v.string()),
  /** Schemes beside https that this method's links may use, such as `upi` (FORM-9). */
  linkSchemes: v.optional(v.array(v.string())),
});
export type MethodFlags = v.InferOutput<typeof methodFlagsSchema>;

export const paymentMethodSchema = v.object({
  name: methodNameSchema,
  category: v.string(),
  cardViewType: boundedNumberSchema,
  /** Title by language; `en` is always present. The server may send only the requested language and English. */
  text: v.record(v.string(), v.string()),
  /** One line under the title by language, such as when the money arrives. */
  description: v.optional(v.record(v.string(), v.string())),
  position: boundedNumberSchema,
  iconIds: v.array(v.string()),
  recommendedAmounts: v.optional(v.array(decimalStringSchema)),
  /** The operator's own chips. They replace the ladder (AMT-5). */
  fixedAmounts: v.optional(v.array(decimalStringSchema)),
  prefilledAmount: v.optional(decimalStringSchema),
  network: v.optional(v.string()),
  /** Limits by currency code. */
  amount_rules: v.record(v.string(), amountRuleSchema),
  /** The fee by currency code. Without an entry there is no fee. */
  fees: v.optional(v.record(v.string(), feeRuleSchema)),
  /**
   * Of a withdrawal: the payout currency, if it differs from the balance's. `payment-convert-v2` returns the payout amount.
   */
  payoutCurrency: v.optional(currencySchema),
  fields: v.array(formFieldSchema),
  banner: v.optional(v.object({ bannerTextKey: v.string() })),
  badgeType: v.optional(boundedNumberSchema),
  badgeConfig: v.optional(v.object({ text: v.optional(v.string()), tone: v.optional(v.string()) })),
  video_guide_url: v.optional(linkSchema),
  checkLuhn: v.optional(v.boolean()),
  isPopular: v.optional(v.boolean()),
  isPreparationRequired: v.optional(v.boolean()),
  isInvestForbidden: v.optional(v.boolean()),
  securityRulesGroup: v.optional(v.string()),
  /** The name of the tile in the list's `tiles` that this method shares with others. */
  tile: v.optional(v.string()),
  /**
   * How the user pays, among the methods of the tile. `app`: an app on this device. `code`: a code for another device.
   * Absent or unknown: the method is a choice under its own title.
   */
  way: v.optional(v.fallback(v.optional(v.picklist(['app', 'code'])), undefined)),
  /** Why the method is shown but cannot be used, as a locale key. */
  disabledReason: v.optional(v.string()),
  flags: v.optional(methodFlagsSchema, {}),
});
export type PaymentMethod = v.InferOutput<typeof paymentMethodSchema>;

/** One tile for methods that look the same to a user, such as UPI by several providers. Each method keeps its own name. */
export const methodTileSchema = v.object({
  name: v.string(),
  /** Title by language. */
  text: v.record(v.string(), v.string()),
  iconIds: v.array(v.string()),
});
export type MethodTile = v.InferOutput<typeof methodTileSchema>;

export const paymentGroupSchema = v.object({
  name: v.string(),
  /** Title by language. */
  label: v.record(v.string(), v.string()),
  /** Names of the methods, in the operator's order. */
  paymentMethods: v.array(methodNameSchema),
  position: boundedNumberSchema,
  /** `list`: the methods are on the first screen under the label. `tile`: one tile opens the group's own list. */
  display: v.fallback(v.picklist(['list', 'tile']), 'list'),
});
export type PaymentGroup = v.InferOutput<typeof paymentGroupSchema>;

/** The response of `methods-payment-v5` and the similar calls. */
export const methodListSchema = v.object({
  country: v.string(),
  currency: currencySchema,
  groups: v.array(paymentGroupSchema),
  methods: v.array(paymentMethodSchema),
  /** Tiles that two or more methods share. Absent: every method has its own tile. */
  tiles: v.optional(v.array(methodTileSchema)),
  /** The user's ledger balance in the requested currency at the time of the response, for the header. */
  balance: v.optional(v.object({ currency: currencySchema, amount: decimalStringSchema })),
  /**
   * On lists of deposit methods: the user's newest credited deposit, to be offered again. Without an amount when the
   * payer decides the amount.
   */
  lastDeposit: v.optional(
    v.object({ paymentMethod: methodNameSchema, currency: currencySchema, amount: v.optional(decimalStringSchema) }),
  ),
  /** On lists of withdrawal methods: the balance of the user's additional account (WD-1). */
  additionalBalance: v.optional(v.object({ currency: currencySchema, amount: decimalStringSchema })),
});
export type MethodList = v.InferOutput<typeof methodListSchema>;
