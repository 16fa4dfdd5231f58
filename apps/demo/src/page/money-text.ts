/**
 * A decimal string as people write it: `25.00` and `USD` become `$25.00`. Digits are never turned into a float: Intl reads
 * the string itself.
 */
export function moneyText(amount: string, currency: string, locale = 'en'): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: Math.max(2, decimals) };
  const decimal = amount as `${number}`;
  // Intl knows the currencies of countries; a coin of four letters is no code to it.
  if (!/^[A-Z]{3}$/.test(currency) || ['BTC', 'ETH', 'LTC', 'BNB', 'TRX', 'TON'].includes(currency)) {
    return `${new Intl.NumberFormat(locale, digits).format(decimal)} ${currency}`;
  }
  const format = { ...digits, style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat(locale, format).format(decimal);
}
