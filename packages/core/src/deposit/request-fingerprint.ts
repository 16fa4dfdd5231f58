/** The fields of a create call that identify the payment. All other fields may differ between two tries of one intent. */
export interface MoneyFields {
  readonly amount: string;
  readonly currency: string;
  readonly paymentMethod: string;
  readonly wallet?: string | undefined;
  readonly boxId?: string | undefined;
  readonly bonusId?: string | undefined;
  readonly selectedCountry?: string | undefined;
}

/**
 * The canonical text of a create call, which tells apart two calls with the same idempotency key (DEP-16, SRV-6).
 * Captcha, experiment group, session and metadata are left out, because a repeat after a captcha is the same intent.
 * `25` and `25.00` are the same amount. The text is JSON, so no value can imitate another. The server stores its hash.
 */
export function requestFingerprint(fields: MoneyFields): string {
  return JSON.stringify([
    fields.amount.replace(/\.0*$|(\.\d*[1-9])0+$/, '$1'),
    fields.currency,
    fields.paymentMethod,
    fields.wallet ?? null,
    fields.boxId ?? null,
    fields.bonusId ?? null,
    fields.selectedCountry ?? null,
  ]);
}
