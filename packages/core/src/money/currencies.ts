/** The kind of a currency: fiat money, a crypto coin, bonus money, or sweepstake coins. */
export type CurrencyKind = 'fiat' | 'crypto' | 'bonus' | 'sweepstake';

/** A currency of the cashier's own table (AMT-9). `decimals` is the number of decimals of the minor unit. */
export interface Currency {
  readonly code: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly kind: CurrencyKind;
}

/** Decimals by the specification (section 9): 2 for every fiat currency, 8 for every crypto coin. */
export const FIAT_DECIMALS = 2;
export const CRYPTO_DECIMALS = 8;

/** The widget's first currencies when the host names none. */
export const DEFAULT_FIAT_CURRENCY = 'USD';
export const DEFAULT_CRYPTO_CURRENCY = 'USDT';

/** The wallet of bonus money. Bonus money is no fiat currency and never mixes with one. */
export const BONUS_WALLET = 'BONUS';

const CRYPTO_CODES = ['BTC', 'ETH', 'LTC', 'DOGE', 'BNB', 'TRX', 'USDT', 'TON', 'USDC', 'POL', 'SOL'] as const;

/**
 * Code and symbol of every currency of ISO 4217 that is money of a country. The table is our own, because Intl knows no crypto
 * coins and lacks some narrow symbols.
 */
const FIAT_SYMBOLS: Readonly<Record<string, string>> = {
  AED: 'AED',
  AFN: '؋',
  ALL: 'L',
  AMD: '֏',
  AOA: 'Kz',
  ARS: '$',
  AUD: 'A$',
  AWG: 'Afl.',
  AZN: '₼',
  BAM: 'KM',
  BBD: 'Bds$',
  BDT: '৳',
  BGN: 'лв.',
  BHD: 'BD',
  BIF: 'FBu',
  BMD: 'BD$',
  BND: 'B$',
  BOB: 'Bs',
  BRL: 'R$',
  BSD: 'B$',
  BTN: 'Nu.',
  BWP: 'P',
  BYN: 'Br',
  BZD: 'BZ$',
  CAD: 'C$',
  CDF: 'FC',
  CHF: 'CHF',
  CLP: '$',
  CNY: '¥',
  COP: '$',
  CRC: '₡',
  CUP: '₱',
  CVE: 'Esc',
  CZK: 'Kč',
  DJF: 'Fdj',
  DKK: 'kr',
  DOP: 'RD$',
  DZD: 'DA',
  EGP: 'E£',
  ERN: 'Nfk',
  ETB: 'Br',
  EUR: '€',
  FJD: 'FJ$',
  FKP: 'FK£',
  GBP: '£',
  GEL: '₾',
  GHS: 'GH₵',
  GIP: '£',
  GMD: 'D',
  GNF: 'FG',
  GTQ: 'Q',
  GYD: 'G$',
  HKD: 'HK$',
  HNL: 'L',
  HTG: 'G',
  HUF: 'Ft',
  IDR: 'Rp',
  ILS: '₪',
  INR: '₹',
  IQD: 'IQD',
  IRR: 'IRR',
  ISK: 'kr',
  JMD: 'J$',
  JOD: 'JD',
  JPY: '¥',
  KES: 'KSh',
  KGS: 'сом',
  KHR: '៛',
  KMF: 'CF',
  KPW: '₩',
  KRW: '₩',
  KWD: 'KD',
  KYD: 'CI$',
  KZT: '₸',
  LAK: '₭',
  LBP: 'LL',
  LKR: 'Rs',
  LRD: 'L$',
  LSL: 'L',
  LYD: 'LD',
  MAD: 'DH',
  MDL: 'L',
  MGA: 'Ar',
  MKD: 'ден',
  MMK: 'K',
  MNT: '₮',
  MOP: 'MOP$',
  MRU: 'UM',
  MUR: '₨',
  MVR: 'Rf',
  MWK: 'MK',
  MXN: '$',
  MYR: 'RM',
  MZN: 'MT',
  NAD: 'N$',
  NGN: '₦',
  NIO: 'C$',
  NOK: 'kr',
  NPR: 'रू',
  NZD: 'NZ$',
  OMR: 'OMR',
  PAB: 'B/.',
  PEN: 'S/',
  PGK: 'K',
  PHP: '₱',
  PKR: '₨',
  PLN: 'zł',
  PYG: '₲',
  QAR: 'QR',
  RON: 'lei',
  RSD: 'дин.',
  RUB: '₽',
  RWF: 'FRw',
  SAR: 'SAR',
  SBD: 'SI$',
  SCR: 'SR',
  SDG: 'SDG',
  SEK: 'kr',
  SGD: 'S$',
  SHP: 'SH£',
  SLE: 'Le',
  SOS: 'Sh',
  SRD: 'Sr$',
  SSP: 'SSP',
  STN: 'Db',
  SVC: '₡',
  SYP: 'LS',
  SZL: 'E',
  THB: '฿',
  TJS: 'SM',
  TMT: 'm',
  TND: 'DT',
  TOP: 'T$',
  TRY: '₺',
  TTD: 'TT$',
  TWD: 'NT$',
  TZS: 'TSh',
  UAH: '₴',
  UGX: 'USh',
  USD: '$',
  UYU: '$U',
  UZS: "so'm",
  VES: 'Bs.',
  VND: '₫',
  VUV: 'VT',
  WST: 'WS$',
  XAF: 'FCFA',
  XCD: 'EC$',
  XCG: 'Cg.',
  XOF: 'CFA',
  XPF: 'CFPF',
  YER: 'YER',
  ZAR: 'R',
  ZMW: 'ZK',
  ZWG: 'ZiG',
};

/** Gold coins (GC) are for play, and sweep coins (SC) can be redeemed. QGC and QSC are codes of another naming. */
const SWEEPSTAKE_CODES = ['GC', 'SC', 'QGC', 'QSC'] as const;

const TABLE: ReadonlyMap<string, Currency> = new Map(
  [
    ...Object.entries(FIAT_SYMBOLS).map(([code, symbol]) => entry(code, symbol, 'fiat')),
    ...CRYPTO_CODES.map((code) => entry(code, code, 'crypto')),
    ...SWEEPSTAKE_CODES.map((code) => entry(code, shownCode(code), 'sweepstake')),
    entry(BONUS_WALLET, 'B', 'bonus'),
  ].map((currency) => [currency.code, currency]),
);

/** Every currency of the table, fiat currencies first. */
export const CURRENCIES: readonly Currency[] = [...TABLE.values()];

function entry(code: string, symbol: string, kind: CurrencyKind): Currency {
  return { code, symbol, decimals: kind === 'crypto' ? CRYPTO_DECIMALS : FIAT_DECIMALS, kind };
}

/** Finds the currency of a code, in any letter case. Undefined for an unknown code. */
export function findCurrency(code: string): Currency | undefined {
  return TABLE.get(code.toUpperCase());
}

/**
 * The currency of a code for display. An unknown code stands for itself, with the decimals of fiat.
 * Code that moves money must call `findCurrency` and refuse an unknown code.
 */
export function currencyOf(code: string): Currency {
  return findCurrency(code) ?? entry(code.toUpperCase(), code.toUpperCase(), 'fiat');
}

/** The decimals of the minor unit: 2 for fiat, 8 for crypto. */
export function decimalsOf(code: string): number {
  return currencyOf(code).decimals;
}

/**
 * Fiat currencies without hundredths (ISO 4217). The screen shows two decimals for every fiat currency (AMT-9).
 * Providers accept only whole units of these currencies, or count in thousandths.
 */
const WHOLE_UNITS = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const THOUSANDTHS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** The decimals of a currency in payments: ISO 4217 for fiat, the table's own for all other currencies. */
export function paidDecimals(code: string): number {
  const { code: known, kind, decimals } = currencyOf(code);
  if (kind !== 'fiat') return decimals;
  if (WHOLE_UNITS.has(known)) return 0;
  return THOUSANDTHS.has(known) ? 3 : decimals;
}

/**
 * The smallest payable step in minor units: 1 for dollars, 100 for yen.
 * @param decimals the decimals that the provider accepts, if it states them
 */
export function paidStep(code: string, decimals: number = paidDecimals(code)): bigint {
  return 10n ** BigInt(Math.max(decimalsOf(code) - decimals, 0));
}

/** True for crypto coins. */
export function isCrypto(code: string): boolean {
  return findCurrency(code)?.kind === 'crypto';
}

/** The code that the user sees: QGC is shown as QSC (AMT-9). */
export function shownCode(code: string): string {
  const upper = code.toUpperCase();
  return upper === 'QGC' ? 'QSC' : upper;
}
