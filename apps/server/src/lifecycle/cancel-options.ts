/** How a cancel treats a payment that the server knows. */
export interface CancelOptions {
  /** It stays as it is: only a key that no payment has is voided. */
  readonly ifUnknown?: boolean;
}
