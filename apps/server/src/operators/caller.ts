/** The user of a verified token. Nothing else says who calls. */
export interface Caller {
  readonly operatorId: string;
  readonly partnerKey: string;
  readonly userId: string;
  /** The account's currency, from the token. */
  readonly currency: string;
  readonly country: string;
}
