/** One sweep coin is redeemed as one unit of this currency, whatever then arrives. */
export const SWEEP_COIN_VALUE = 'USD';
