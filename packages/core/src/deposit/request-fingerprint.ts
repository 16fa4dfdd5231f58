/** The fields of a create call that say what money is meant; the rest may differ between two tries of one intent. */
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
 * The canonical text of what a create call asks for, by which two calls under one key are told apart (DEP-16, SRV-6).
 * Captcha, experiment group, session and metadata are left out: a repeat after a captcha is the same intent.
 * The server stores a hash of it. `25` and `25.00` are the same amount; the text is JSON, so no value can imitate another.
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
