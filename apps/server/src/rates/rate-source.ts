/** Where exchange rates come from (CRY-3): one question, whoever answers it. */

/** A rate and how far it may be trusted. */
export interface Quote {
  /** What one whole unit of `from` is in whole units of `to`: a decimal string above zero, for `convert` of core. */
  readonly rate: string;
  /** When the rate was true, in ms since the epoch: the source's word, not when it was asked. */
  readonly at: number;
  /** From when on it counts as stale, in ms since the epoch. */
  readonly staleAt: number;
  /** Stale rates may be shown, marked as such. Money never moves by one. */
  readonly isStale: boolean;
}

export interface RateSource {
  /**
   * The rate between two currencies of the table, in any letter case. May wait for the network: never ask inside a transaction.
   * @returns `none` where no rate is known, also when the source is down and never answered. Does not throw.
   */
  quote(from: string, to: string): Promise<Quote | 'none'>;
}

/** For a cashier that has no source of rates: amounts are shown in their own currency alone, and nothing is converted. */
export const noRates: RateSource = { quote: async () => 'none' };
