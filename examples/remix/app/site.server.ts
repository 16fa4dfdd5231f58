/** What `opencashier create-operator` has printed, and who is signed in. `.server` keeps this file out of the browser. */
export function settings() {
  const { CASHIER_URL, PARTNER, OPERATOR_KEY, WEBHOOK_SECRET } = process.env;
  if (!CASHIER_URL || !PARTNER || !OPERATOR_KEY || !WEBHOOK_SECRET) {
    throw new Error('Set CASHIER_URL, PARTNER, OPERATOR_KEY and WEBHOOK_SECRET.');
  }
  return { cashierUrl: CASHIER_URL, partner: PARTNER, operatorKey: OPERATOR_KEY, webhookSecret: WEBHOOK_SECRET };
}

/** Read yours from your session, never from what the page sends. */
export const user = { id: 'u-1042', currency: 'EUR', country: 'DE' };
