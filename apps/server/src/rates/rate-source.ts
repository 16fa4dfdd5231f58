/** The interface of every source of exchange rates (CRY-3). */

/** A rate, and how long it can be trusted. */
export interface Quote {
  /** Whole units of `to` for one whole unit of `from`: a decimal string above zero, for `convert` of core. */
  readonly rate: string;
  /** When the rate was valid, in ms since the epoch. This is the source's time and not the time of the request. */
  readonly at: number;
  /** When the rate becomes stale, in ms since the epoch. */
  readonly staleAt: number;
  /** A stale rate may be shown if it is marked. It never moves money. */
  readonly isStale: boolean;
}

/** Answers one question: the rate between two currencies. */
export interface RateSource {
  /**
   * The rate between two currencies of the table, in any letter case. It may wait for the network: never
   * call it inside a transaction.
   * @returns `none` for an unknown rate, even when the source is down. Does not throw.
   */
  quote(from: string, to: string): Promise<Quote | 'none'>;
}

/** For a cashier without a rate source: amounts are shown only in their own currency, and nothing is converted. */
export const noRates: RateSource = { quote: async () => 'none' };
