/** The request and the response of a deposit (§3 'Deposit request', 'Deposit response'). */
import * as v from 'valibot';
import { captchaResultSchema } from './captcha.ts';
import { formFieldSchema } from './form-field.ts';
import {
  countrySchema,
  currencySchema,
  decimalStringSchema,
  durationSchema,
  fieldValuesSchema,
  linkSchema,
  methodNameSchema,
  paymentIdSchema,
  textSchema,
} from './scalar.ts';

/** The fields of `deposit-create`; peer-to-peer and sweepstake add their own. */
export const depositRequestEntries = {
  amount: decimalStringSchema,
  currency: currencySchema,
  /** The idempotency key (DEP-16). The widget makes and stores it, and keeps it over captcha and network retries. */
  depositId: paymentIdSchema,
  fields: v.optional(fieldValuesSchema, {}),
  /** The user's choice; the server decides by its own clock and rules (BON-2). */
  isActivatedBonus: v.optional(v.boolean(), false),
  bonusId: v.optional(v.string()),
  paymentSessionId: v.optional(v.string()),
  paymentType: methodNameSchema,
  /** Where the provider sends the user back to. Must be an origin of the operator or of the cashier. */
  returnUrl: v.optional(linkSchema),
  wallet: v.optional(textSchema),
  selectedCountry: v.optional(countrySchema),
  metadata: v.optional(v.object({ isFromChip: v.optional(v.boolean()) })),
  abTestGroup: v.optional(v.string()),
  captcha: v.optional(captchaResultSchema),
};

/** A redirect: by GET to the address, by POST as a form with hidden inputs. */
export const redirectFormSchema = v.object({
  action: linkSchema,
  method: v.picklist(['GET', 'POST']),
  /** Hidden inputs by name. */
  fields: v.optional(v.record(v.string(), v.string()), {}),
});
export type RedirectForm = v.InferOutput<typeof redirectFormSchema>;

export const requisiteSchema = v.object({
  name: v.string(),
  title: textSchema,
  type: v.optional(v.string()),
  value: textSchema,
  isCopyable: v.optional(v.boolean()),
});
export type Requisite = v.InferOutput<typeof requisiteSchema>;

export const instructionStepSchema = v.object({ stepNumber: v.number(), stepInstruction: textSchema });

/** The values of `{name}` in the texts of an instruction. The widget formats them for the user's locale. */
const namedAmounts = {
  amounts: v.optional(v.record(v.string(), v.object({ amount: decimalStringSchema, currency: currencySchema }))),
};

/** Steps in order, or one text. An amount is a placeholder, as in `Send {amount}.`, and its value is sent separately. */
export const instructionSchema = v.union([
  v.object({ steps: v.array(instructionStepSchema), ...namedAmounts }),
  v.object({ text: textSchema, ...namedAmounts }),
]);

/**
 * A detail on a page with codes and links: for India `QR`, app `link`s and `text`s to copy; for
 * cash the `agent`s with contacts.
 */
export const depositDetailSchema = v.object({ name: v.string(), value: textSchema, type: v.optional(v.string()) });
export type DepositDetail = v.InferOutput<typeof depositDetailSchema>;

/** The payee of a peer-to-peer or host-to-host payment. */
export const payeeCardSchema = v.object({
  encoded: v.optional(v.string()),
  number: v.optional(v.string()),
  account_number: v.optional(v.string()),
  phone: v.optional(v.string()),
  payment_system: v.optional(v.string()),
  bank_name: v.optional(v.string()),
  bank_account: v.optional(v.string()),
  fullName: v.optional(v.string()),
  country_code: v.optional(v.string()),
  transaction_description: v.optional(v.string()),
});
export type PayeeCard = v.InferOutput<typeof payeeCardSchema>;

export const onrampOfferSchema = v.object({
  amount: decimalStringSchema,
  fee: decimalStringSchema,
  method: v.string(),
  iconIds: v.array(v.string()),
});
export type OnrampOffer = v.InferOutput<typeof onrampOfferSchema>;

/** The page that shows the response (§4). A page that this version does not know counts as absent. */
export const pageTypes = ['custom', 'offline'] as const;

export const depositDataSchema = v.object({
  /** The next page is the unified form. */
  unifiedFlow: v.optional(v.boolean()),
  paymentMethodOffers: v.optional(v.array(onrampOfferSchema)),
  card: v.optional(payeeCardSchema),
  requisites: v.optional(v.array(requisiteSchema)),
  /** A bank transfer: the requisites show an account instead of a card. */
  bankTransfer: v.optional(v.boolean()),
  /** A provider link for one button. */
  buttonPay: v.optional(linkSchema),
  qrCodeText: v.optional(textSchema),
  qrDataURL: v.optional(v.string()),
  instruction: v.optional(instructionSchema),
  inputFields: v.optional(v.array(formFieldSchema)),
  /** The buttons of the unified form; `complete` is the Paid button. */
  buttons: v.optional(v.array(v.string())),
  /** When the provider opened the payment: ISO 8601, UTC. */
  created: v.optional(v.string()),
  /** Seconds from `created`; default 600. */
  lifetime: durationSchema,
  timeout_minutes: durationSchema,
  payment_amount: v.optional(decimalStringSchema),
  payment_currency: v.optional(currencySchema),
  payment_system: v.optional(v.string()),
  passedAmount: v.optional(decimalStringSchema),
  passedCurrency: v.optional(currencySchema),
  processingAmount: v.optional(decimalStringSchema),
  processingCurrency: v.optional(currencySchema),
  depositAddress: v.optional(v.string()),
  /**
   * The memo that the transfer must contain when users share an address (TON). Without it the payment cannot be assigned.
   */
  depositMemo: v.optional(v.string()),
  minDepositValue: v.optional(decimalStringSchema),
  cryptoName: v.optional(v.string()),
  /** The chain of `depositAddress`, by the name in the method's network field. */
  network: v.optional(v.string()),
  details: v.optional(v.array(depositDetailSchema)),
  /** An open deposit of the same kind, which the user continues. */
  exists: v.optional(v.boolean()),
  /** The server's clock at the response. */
  serverTime: v.optional(v.string()),
});
export type DepositData = v.InferOutput<typeof depositDataSchema>;

export const depositResponseSchema = v.object({
  apiResponse: v.object({
    depositId: paymentIdSchema,
    /** The redirect: an address, or a form to submit. */
    source: v.optional(v.nullable(v.union([linkSchema, redirectFormSchema]))),
    /** The HTTP method for `source` when it is a plain address. */
    method: v.optional(v.picklist(['GET', 'POST'])),
    data: v.optional(v.nullable(depositDataSchema)),
    /** The method needs more fields from the user: show `fields` and stay. */
    isFieldsRequired: v.optional(v.boolean()),
    /** One of the widget's own pages: `eazype`, `pix`, `upi-qr`. */
    pageId: v.optional(v.nullable(v.string())),
    pageType: v.optional(v.nullable(v.string())),
  }),
  fields: v.optional(v.array(formFieldSchema)),
});
export type DepositResponse = v.InferOutput<typeof depositResponseSchema>;
