/**
 * Named moments of a coin payout at which the process may die: before and after each durable step. The demo operator pays no coins out,
 * so the fault tests make an operator that does.
 */
export const coinFailpoints = [
  'coin-stored',
  'coin-reserved',
  'coin-answered',
  'coin-signed',
  'coin-sent',
  'coin-broadcast',
  'coin-ended',
  'coin-reported',
] as const;

/** Further ones of chains whose transactions expire. */
export const expiryFailpoints = ['coin-expired'] as const;

/** The name of a failpoint of a coin payout. */
export type CoinFailpoint = (typeof coinFailpoints | typeof expiryFailpoints)[number];
