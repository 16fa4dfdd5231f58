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
  /** The user's values of the method's fields, by field name. */
  fields: v.optional(fieldValuesSchema, {}),
  /** The user's choice; the server decides by its own clock and rules (BON-2). */
  isActivatedBonus: v.optional(v.boolean(), false),
  /** The bonus that the user chose. @example "welcome-100" */
  bonusId: v.optional(v.string()),
  /** The session from `session-start`. @example "5b0e3c9a" */
  paymentSessionId: v.optional(v.string()),
  /** The name of the payment method.  @example "card" */
  paymentType: methodNameSchema,
  /** Where the provider sends the user back to. Must be an origin of the operator or of the cashier. */
  returnUrl: v.optional(linkSchema),
  /** The address of the user's own wallet, for methods that ask for it. @example "TXyz…" */
  wallet: v.optional(textSchema),
  /** The country that the user chose. */
  selectedCountry: v.optional(countrySchema),
  /** Facts for the operator's statistics. */
  metadata: v.optional(
    v.object({
      /** Whether the user chose a suggested amount. */
      isFromChip: v.optional(v.boolean()),
    }),
  ),
  /** The test group of the user, for the operator's statistics. @example "b" */
  abTestGroup: v.optional(v.string()),
  /** The result of the captcha, after `captcha_required`. */
  captcha: v.optional(captchaResultSchema),
};

/** A redirect: by GET to the address, by POST as a form with hidden inputs. */
export const redirectFormSchema = v.object({
  /** The address to open. */
  action: linkSchema,
  /** The HTTP method of the redirect. */
  method: v.picklist(['GET', 'POST']),
  /** Hidden inputs by name. @example {"token": "1f3a"} */
  fields: v.optional(v.record(v.string(), v.string()), {}),
});
export type RedirectForm = v.InferOutput<typeof redirectFormSchema>;

export const requisiteSchema = v.object({
  /** Which detail it is. Users read `title`. @example "iban" */
  name: v.string(),
  /** The label for the user. @example "IBAN" */
  title: textSchema,
  /** How the widget shows the value, such as `text` or `link`. @example "text" */
  type: v.optional(v.string()),
  /** The value to pay to. @example "DE89370400440532013000" */
  value: textSchema,
  /** Whether the widget shows a button that copies the value. */
  isCopyable: v.optional(v.boolean()),
});
export type Requisite = v.InferOutput<typeof requisiteSchema>;

export const instructionStepSchema = v.object({
  /** The number of the step, from 1. @example 1 */
  stepNumber: v.number(),
  /** What the user does. @example "Send {amount} to this account." */
  stepInstruction: textSchema,
});

/** The values of `{name}` in the texts of an instruction. The widget formats them for the user's locale. */
const namedAmounts = {
  /** By the name of the placeholder. @example {"amount": {"amount": "25.00", "currency": "EUR"}} */
  amounts: v.optional(v.record(v.string(), v.object({ amount: decimalStringSchema, currency: currencySchema }))),
};

/** Steps in order, or one text. An amount is a placeholder, as in `Send {amount}.`, and its value is sent separately. */
export const instructionSchema = v.union([
  v.object({
    /** The steps in their order. */
    steps: v.array(instructionStepSchema),
    ...namedAmounts,
  }),
  v.object({
    /** The whole instruction. @example "Send {amount} to this account." */
    text: textSchema,
    ...namedAmounts,
  }),
]);

/**
 * A detail on a page with codes and links: for India `QR`, app `link`s and `text`s to copy; for
 * cash the `agent`s with contacts.
 */
export const depositDetailSchema = v.object({
  /** Which detail it is: a code, a link, a text or a contact. @example "QR" */
  name: v.string(),
  /** The link, text or content of the code. @example "upi://pay?pa=shop@bank" */
  value: textSchema,
  /** What the value is, such as `link` or `text`. @example "link" */
  type: v.optional(v.string()),
});
export type DepositDetail = v.InferOutput<typeof depositDetailSchema>;

/** The payee of a peer-to-peer or host-to-host payment. */
export const payeeCardSchema = v.object({
  /** The details as one encoded text, for apps that read it. @example "ST00012|Name=Shop" */
  encoded: v.optional(v.string()),
  /** The number of the payee's card. @example "4242424242424242" */
  number: v.optional(v.string()),
  /** The number of the payee's account. @example "DE89370400440532013000" */
  account_number: v.optional(v.string()),
  /** The payee's phone number. @example "+4915112345678" */
  phone: v.optional(v.string()),
  /** The payment system of the card or account. @example "visa" */
  payment_system: v.optional(v.string()),
  /** The name of the payee's bank. @example "Example Bank" */
  bank_name: v.optional(v.string()),
  /** The account at the bank, as the bank names it. @example "0532013000" */
  bank_account: v.optional(v.string()),
  /** The name of the payee. @example "Maria Example" */
  fullName: v.optional(v.string()),
  /** The country of the payee. @example "DE" */
  country_code: v.optional(v.string()),
  /** The text that the transfer must have. @example "Order 1042" */
  transaction_description: v.optional(v.string()),
});
export type PayeeCard = v.InferOutput<typeof payeeCardSchema>;

export const onrampOfferSchema = v.object({
  /** What the user pays. */
  amount: decimalStringSchema,
  /** The part of the amount that the seller keeps. @example "0.50" */
  fee: decimalStringSchema,
  /** The name of the offer. Send it with `external-deposit-continue`. @example "seller-a" */
  method: v.string(),
  /** The names of the icons to show. @example ["visa"] */
  iconIds: v.array(v.string()),
});
export type OnrampOffer = v.InferOutput<typeof onrampOfferSchema>;

/** The page that shows the response (§4). A page that this version does not know counts as absent. */
export const pageTypes = ['custom', 'offline'] as const;

export const depositDataSchema = v.object({
  /** The next page is the unified form. */
  unifiedFlow: v.optional(v.boolean()),
  /** The offers of sellers, for an on-ramp. */
  paymentMethodOffers: v.optional(v.array(onrampOfferSchema)),
  /** The payee of a peer-to-peer or host-to-host payment. */
  card: v.optional(payeeCardSchema),
  /** The details to pay to, in their order. */
  requisites: v.optional(v.array(requisiteSchema)),
  /** A bank transfer: the requisites show an account instead of a card. */
  bankTransfer: v.optional(v.boolean()),
  /** A provider link for one button. */
  buttonPay: v.optional(linkSchema),
  /** The text of the QR code to show. @example "00020126580014br.gov.bcb.pix" */
  qrCodeText: v.optional(textSchema),
  /** The QR code as a picture in a data URL. @example "data:image/png;base64,iVBORw0KGgo=" */
  qrDataURL: v.optional(v.string()),
  /** What the user has to do. */
  instruction: v.optional(instructionSchema),
  /** Fields that the user fills in after paying. */
  inputFields: v.optional(v.array(formFieldSchema)),
  /** The buttons of the unified form; `complete` is the Paid button. @example ["complete"] */
  buttons: v.optional(v.array(v.string())),
  /** When the provider opened the payment: ISO 8601, UTC. @example "2026-01-31T10:15:00Z" */
  created: v.optional(v.string()),
  /** Seconds from `created`; default 600. */
  lifetime: durationSchema,
  /** Minutes from `created` until the provider stops accepting the payment. @example 10 */
  timeout_minutes: durationSchema,
  /** The amount to pay, in `payment_currency`. */
  payment_amount: v.optional(decimalStringSchema),
  /** The currency of `payment_amount`. */
  payment_currency: v.optional(currencySchema),
  /** The payment system of the payee. @example "visa" */
  payment_system: v.optional(v.string()),
  /** The amount that the user asked to pay, in `passedCurrency`. */
  passedAmount: v.optional(decimalStringSchema),
  /** The currency of `passedAmount`. */
  passedCurrency: v.optional(currencySchema),
  /** The amount that the provider processes, in `processingCurrency`. */
  processingAmount: v.optional(decimalStringSchema),
  /** The currency of `processingAmount`. */
  processingCurrency: v.optional(currencySchema),
  /** The address that receives the coins. @example "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE" */
  depositAddress: v.optional(v.string()),
  /**
   * The memo that the transfer must contain when users share an address (TON). Without it the payment cannot be assigned.
   * @example "104233"
   */
  depositMemo: v.optional(v.string()),
  /** The smallest transfer that is credited. @example "5.00" */
  minDepositValue: v.optional(decimalStringSchema),
  /** The name of the coin for the user. @example "Tether" */
  cryptoName: v.optional(v.string()),
  /** The chain of `depositAddress`, by the name in the method's network field. @example "trc20" */
  network: v.optional(v.string()),
  /** Codes, links, texts and contacts to show. */
  details: v.optional(v.array(depositDetailSchema)),
  /** An open deposit of the same kind, which the user continues. */
  exists: v.optional(v.boolean()),
  /** The server's clock at the response. @example "2026-01-31T10:15:00Z" */
  serverTime: v.optional(v.string()),
});
export type DepositData = v.InferOutput<typeof depositDataSchema>;

export const depositResponseSchema = v.object({
  /** What the widget shows next. */
  apiResponse: v.object({
    /** The id of the request, which is the id of the deposit. */
    depositId: paymentIdSchema,
    /** The redirect: an address, or a form to submit. */
    source: v.optional(v.nullable(v.union([linkSchema, redirectFormSchema]))),
    /** The HTTP method for `source` when it is a plain address. */
    method: v.optional(v.picklist(['GET', 'POST'])),
    /** The details of the page to show. Absent: there is nothing to show beside the redirect. */
    data: v.optional(v.nullable(depositDataSchema)),
    /** The method needs more fields from the user: show `fields` and stay. */
    isFieldsRequired: v.optional(v.boolean()),
    /** One of the widget's own pages: `eazype`, `pix`, `upi-qr`. @example "pix" */
    pageId: v.optional(v.nullable(v.string())),
    /** The page that shows the response: `custom` or `offline`. Any other value counts as absent. @values pageTypes */
    pageType: v.optional(v.nullable(v.string())),
  }),
  /** The fields that the method still needs. Present with `isFieldsRequired`. */
  fields: v.optional(v.array(formFieldSchema)),
});
export type DepositResponse = v.InferOutput<typeof depositResponseSchema>;
