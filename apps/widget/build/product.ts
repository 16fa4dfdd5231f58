/** First segment of every address (NAV-1). The server serves this build under it. */
export const product = process.env['PRODUCT'] ?? 'cashier';
if (!/^[a-z][a-z0-9-]*$/.test(product))
  throw new Error(`PRODUCT is "${product}"; it must be a path segment such as cashier.`);
