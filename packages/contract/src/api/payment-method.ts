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
  /** The smallest allowed amount. @example "10.00" */
  min: decimalStringSchema,
  /** The largest allowed amount. @example "1000.00" */
  max: decimalStringSchema,
  /** The minimum outside Russia, if different. @example "15.00" */
  minNonRus: v.optional(decimalStringSchema),
  /**
   * The number of decimals that the provider accepts. Absent: as many as the currency shows. Yen have none, Kuwaiti dinars three.
   * @example 2
   */
  decimals: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(18))),
});
export type AmountRule = v.InferOutput<typeof amountRuleSchema>;

/**
 * The fee of a deposit or a withdrawal (WD-2): the sum of the fixed part and the percentage, rounded down to the currency's minor unit.
 * It is at least `min`, and then at most `max`.
 */
export const feeRuleSchema = v.object({
  /** In the currency of the amount. @example "0.30" */
  fixed: v.optional(decimalStringSchema),
  /** Percent of the amount; below 100. @example "2.5" */
  percent: v.optional(v.pipe(decimalStringSchema, v.regex(/^\d{1,2}(?:\.|$)/, 'a percentage below 100'))),
  /** The least fee, in the currency of the amount. @example "0.50" */
  min: v.optional(decimalStringSchema),
  /** The highest fee, in the currency of the amount. @example "20.00" */
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
  /** A peer-to-peer payment: the user pays another person. */
  p2p: v.optional(v.boolean()),
  /** Pays with saved details, without a form. */
  oneClick: v.optional(v.boolean()),
  /** Runs the captcha before every create call. */
  captcha: v.optional(v.boolean()),
  /** The contact of an agent who takes cash. */
  agentLink: v.optional(linkSchema),
  /** Shows a button beside the requisites that asks the host for help (DEP-12). */
  supportButton: v.optional(v.boolean()),
  /** A support page, independent of the host. */
  supportLink: v.optional(linkSchema),
  /** Marks the method as guaranteed. */
  guaranteed: v.optional(v.boolean()),
  /** Shows a header above the instruction. */
  instructionHeader: v.optional(v.boolean()),
  /** Asks for the number of the receipt after the payment. */
  confirmationId: v.optional(v.boolean()),
  /** Gets no bonus. */
  bonusRestricted: v.optional(v.boolean()),
  /** Looks up the bank by the first digits of the card. */
  bankLookup: v.optional(v.boolean()),
  /** The user gets a bank account of their own to pay to. */
  virtualAccount: v.optional(v.boolean()),
  /** The method's own rule of the amount, as a regular expression. @example "^\\d+$" */
  ownAmountRegex: v.optional(v.string()),
  /**
   * Of a withdrawal: it pays only to cards that paid deposits, and lists them as saved accounts with what each can get.
   */
  paysToPaidCards: v.optional(v.boolean()),
  /** The wallet of the device that pays. The widget leaves the method out on devices that cannot have this wallet. @example "apple" */
  deviceWallet: v.optional(v.fallback(v.optional(v.picklist(['apple', 'google'])), undefined)),
  /** Schemes beside https that this method's links may use, such as `upi` (FORM-9). @example ["upi"] */
  linkSchemes: v.optional(v.array(v.string())),
});
export type MethodFlags = v.InferOutput<typeof methodFlagsSchema>;

export const paymentMethodSchema = v.object({
  /** The name of the method. Requests name it as `paymentType` or `paymentMethod`. @example "card" */
  name: methodNameSchema,
  /** The kind of the method. @example "card" */
  category: v.string(),
  /** The page that the method opens, by its number. @example 1 */
  cardViewType: boundedNumberSchema,
  /** Title by language; `en` is always present. The server may send only the requested language and English. @example {"en": "Card"} */
  text: v.record(v.string(), v.string()),
  /** One line under the title by language, such as when the money arrives. @example {"en": "Instantly"} */
  description: v.optional(v.record(v.string(), v.string())),
  /** The place in the list, in rising order. @example 10 */
  position: boundedNumberSchema,
  /** The names of the icons to show. @example ["visa"] */
  iconIds: v.array(v.string()),
  /** Amounts that the widget suggests. @example ["25.00", "50.00"] */
  recommendedAmounts: v.optional(v.array(decimalStringSchema)),
  /** The operator's own chips. They replace the ladder (AMT-5). @example ["25.00", "50.00"] */
  fixedAmounts: v.optional(v.array(decimalStringSchema)),
  /** The amount that the form has at the start. */
  prefilledAmount: v.optional(decimalStringSchema),
  /** The chain of a coin. @example "trc20" */
  network: v.optional(v.string()),
  /** Limits by currency code. @example {"EUR": {"min": "10.00", "max": "1000.00"}} */
  amount_rules: v.record(v.string(), amountRuleSchema),
  /** The fee by currency code. Without an entry there is no fee. @example {"EUR": {"fixed": "0.30", "percent": "2.5"}} */
  fees: v.optional(v.record(v.string(), feeRuleSchema)),
  /**
   * Of a withdrawal: the payout currency, if it differs from the balance's. `payment-convert-v2` returns the payout amount.
   */
  payoutCurrency: v.optional(currencySchema),
  /** The fields that the user fills in. */
  fields: v.array(formFieldSchema),
  /** A banner above the form. */
  banner: v.optional(
    v.object({
      /** The locale key of its text. @example "banner.limits" */
      bannerTextKey: v.string(),
    }),
  ),
  /** The badge on the tile, by its number: 2 brand, 8 exclusive. @example 8 */
  badgeType: v.optional(boundedNumberSchema),
  /** A badge with its own text. */
  badgeConfig: v.optional(
    v.object({
      /** What the badge says. @example "New" */
      text: v.optional(v.string()),
      /** The colour of the badge, such as `good` or `warning`. @example "good" */
      tone: v.optional(v.string()),
    }),
  ),
  /** A video that shows how to pay. */
  video_guide_url: v.optional(linkSchema),
  /** Whether the widget checks the last digit of the card number. */
  checkLuhn: v.optional(v.boolean()),
  /** Whether the method is marked as popular. */
  isPopular: v.optional(v.boolean()),
  /** Whether `deposit-prepare` must be called before the create call. */
  isPreparationRequired: v.optional(v.boolean()),
  /** Whether the method is not offered for investments. */
  isInvestForbidden: v.optional(v.boolean()),
  /** The group of security rules that applies. @example "cards" */
  securityRulesGroup: v.optional(v.string()),
  /** The name of the tile in the list's `tiles` that this method shares with others. @example "upi" */
  tile: v.optional(v.string()),
  /**
   * How the user pays, among the methods of the tile. `app`: an app on this device. `code`: a code for another device.
   * Absent or unknown: the method is a choice under its own title.
   */
  way: v.optional(v.fallback(v.optional(v.picklist(['app', 'code'])), undefined)),
  /** Why the method is shown but cannot be used, as a locale key. @example "method.disabled.maintenance" */
  disabledReason: v.optional(v.string()),
  /** Special features of the method. */
  flags: v.optional(methodFlagsSchema, {}),
});
export type PaymentMethod = v.InferOutput<typeof paymentMethodSchema>;

/** One tile for methods that look the same to a user, such as UPI by several providers. Each method keeps its own name. */
export const methodTileSchema = v.object({
  /** By this name methods say that they share the tile. @example "upi" */
  name: v.string(),
  /** Title by language. @example {"en": "UPI"} */
  text: v.record(v.string(), v.string()),
  /** The names of the icons to show. @example ["upi"] */
  iconIds: v.array(v.string()),
});
export type MethodTile = v.InferOutput<typeof methodTileSchema>;

export const paymentGroupSchema = v.object({
  /** What the cashier and its settings call the group. Users read `label`. @example "cards" */
  name: v.string(),
  /** Title by language. @example {"en": "Cards"} */
  label: v.record(v.string(), v.string()),
  /** Names of the methods, in the operator's order. */
  paymentMethods: v.array(methodNameSchema),
  /** The place among the groups, in rising order. @example 1 */
  position: boundedNumberSchema,
  /** `list`: the methods are on the first screen under the label. `tile`: one tile opens the group's own list. */
  display: v.fallback(v.picklist(['list', 'tile']), 'list'),
});
export type PaymentGroup = v.InferOutput<typeof paymentGroupSchema>;

/** The response of `methods-payment-v5` and the similar calls. */
export const methodListSchema = v.object({
  /** Where the methods below are offered: the one that the user chose, or that of the token. @example "DE" */
  country: v.string(),
  /** The currency of the limits and fees below. */
  currency: currencySchema,
  /** The groups in their order. */
  groups: v.array(paymentGroupSchema),
  /** The methods of all groups. */
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
  /**
   * On lists of withdrawal methods. False: this operator pays nothing out here, in no country. Absent: another country may have methods.
   */
  isOffered: v.optional(v.boolean()),
  /** On lists of withdrawal methods: the balance of the user's additional account (WD-1). */
  additionalBalance: v.optional(v.object({ currency: currencySchema, amount: decimalStringSchema })),
});
export type MethodList = v.InferOutput<typeof methodListSchema>;
