/** The user of a verified token. Nothing else identifies the caller. */
export interface Caller {
  readonly operatorId: string;
  readonly partnerKey: string;
  readonly userId: string;
  /** The account's currency, from the token. */
  readonly currency: string;
  readonly country: string;
}
