/** One sweep coin is worth one unit of this currency, whatever currency the payout has. */
export const SWEEP_COIN_VALUE = 'USD';
