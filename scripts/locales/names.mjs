/** Names that stay the same in every language, and words that show that a text is English. */

/** Words in Latin letters that are names: of coins, codes, systems, standards and examples. */
export const names = new Set(
  (
    'BNB BTC Bitcoin DOGE Dogecoin ETH Ethereum LTC Litecoin TRX Tron USDT Tether TON Toncoin GC SC ' +
    'BIC CLABE CPF IBAN IFSC MFO SEPA SPEI SWIFT UPI VPA ID Pix PIN QR SMS USSD VPN URL Yap OK ' +
    'name example com bank SBIN Email email Stripe MBank'
  ).split(' '),
);

/** Texts that consist of a name, so that they may be the same in every language. */
export const nameTexts = new Set([
  'BNB',
  'Bitcoin',
  'Dogecoin',
  'Ethereum',
  'Litecoin',
  'Tron',
  'Tether',
  'Toncoin',
  'BIC',
  'CLABE',
  'CPF',
  'IBAN',
  'IFSC',
  'UPI ID',
  'Pix copia e cola',
  'Email',
  // Of money; in other letters it is written in those.
  'Fiat',
]);

/** Further words in titles that consist only of names, and the names of networks. */
const brands = new Set(
  (
    'Apple Base bKash BEP Boleto Chain Click Coin Elcart ERC FAST Google Humo Kaspi Korti Lightning Milli Nagad Papara Pay Payme PayPal ' +
    'Paytm PhonePe PicPay Polygon Rocket Smart Solana TRC Upay USD Uzcard WebMoney YooMoney'
  ).split(' '),
);

/**
 * Whether a title consists of names alone, and is so the same in every language.
 *
 * @param {string} text
 */
export function isName(text) {
  return (text.match(/\p{L}+/gu) ?? []).every((word) => brands.has(word) || (names.has(word) && word !== 'Email'));
}

/** Words that show that a text in Latin letters is English. */
export const englishWords = new Set(
  (
    'the your you this that with have been please cannot and from when again which what were would there their they ' +
    'its our here nothing something already could'
  ).split(' '),
);

/** Words of the list above that a language has as its own: "the" is "were" in Hindi. */
export const homographs = { 'hi-Latn-IN': ['the'] };
