/** The category of coins in the catalogue, and the group that holds them (§3 'Payment group'). */
export const coins = 'crypto';
