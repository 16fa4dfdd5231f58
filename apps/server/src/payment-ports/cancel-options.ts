/** Options of a cancel by the user. */
export interface CancelOptions {
  /** True: a payment that the server knows stays as it is. Only an unknown key is voided. */
  readonly ifUnknown?: boolean;
}
