/** The parts of a provider's answer that a manual payment needs (DEP-5). Pure: no texts, no React. */
import type { DepositData, Requisite } from '@opencashier/contract/api';
import { groupIban, isIban } from '@opencashier/core/fields/iban';

export interface PaymentRow {
  readonly id: string;
  /** The provider's own text. */
  readonly title: string;
  /** As shown: a card's number and an IBAN are in groups of four, and a long code has its two ends. */
  readonly shown: string;
  /** As copied: a card's number and an IBAN without spaces. */
  readonly copied: string;
  readonly isCopyable: boolean;
}

/** Providers write names in every style: `bank_name`, `bankName`, `QR-code`. */
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const linkNames = new Set(['url', 'link', 'paymenturl']);
const qrNames = new Set(['qr', 'qrcode', 'qrcodetext', 'qrdataurl', 'qrimage']);
const amountNames = new Set(['amount', 'paymentamount', 'sum']);
const cardNames = new Set(['card', 'cardnumber', 'pan']);
const bankNames = new Set(['bankname', 'bank']);
/** Names of numbers that are never a card's, whatever their digits are. */
const otherNumbers = new Set(['account', 'accountnumber', 'bankaccount', 'clabe', 'phone', 'phonenumber', 'reference']);

function is(requisite: Requisite, names: ReadonlySet<string>): boolean {
  return names.has(plain(requisite.name)) || (requisite.type !== undefined && names.has(plain(requisite.type)));
}

/**
 * Whether a requisite is a card's number: by its name or type, or because it is the number of the payee's card. Some providers
 * call a card's number a mere `number`. So sixteen digits of a card scheme with a right check digit count too.
 */
export function isCardRequisite(requisite: Requisite, card?: DepositData['card']): boolean {
  const value = requisite.value.trim();
  if (!/^\d[\d -]{10,22}\d$/.test(value)) return false;
  if (is(requisite, cardNames)) return true;
  if (is(requisite, otherNumbers)) return false;
  const digits = value.replace(/\D/g, '');
  return digits === card?.number?.replace(/\D/g, '') || (/^[2-69]\d{15}$/.test(digits) && passesLuhn(digits));
}

/** ISO/IEC 7812-1: every second digit from the right is doubled, and the sum ends in 0. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (1 + (place % 2));
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Groups a card's number in fours (§9): `4276 3800 1234 5678`. Any other text stays unchanged, such as a masked number. */
export function groupCardNumber(number: string): string {
  const digits = number.replace(/[\s-]/g, '');
  return /^\d{12,19}$/.test(digits) ? digits.replace(/(\d{4})(?=\d)/g, '$1 ') : number;
}

/** An address of any chain, an IBAN and a link to type are shorter. Nobody types or compares more. */
const LONGEST_WHOLE_CODE = 100;

/** A code that only programs read, such as an invoice of Lightning: its two ends, since eight lines would hide the QR code below. */
function shortenCode(value: string): string {
  return value.length > LONGEST_WHOLE_CODE && /^\S+$/.test(value) ? `${value.slice(0, 12)}…${value.slice(-6)}` : value;
}

/** A row for a value. A card's number and an IBAN are grouped when shown, a long code is shortened, and each is whole when copied. */
export function paymentRow(
  id: string,
  title: string,
  value: string,
  { isCard = false, isCopyable = true }: { readonly isCard?: boolean; readonly isCopyable?: boolean } = {},
): PaymentRow {
  if (isCard) return { id, title, shown: groupCardNumber(value), copied: value.replace(/[\s-]/g, ''), isCopyable };
  if (isIban(value)) return { id, title, shown: groupIban(value), copied: value.replace(/\s/g, ''), isCopyable };
  return { id, title, shown: isCopyable ? shortenCode(value) : value, copied: value, isCopyable };
}

/**
 * The rows of the requisites (DEP-5). The address, the QR code and the amount have places of their own. Where a card is paid, the
 * bank's name has no row, because it is the card's bank. Empty values have no row.
 */
export function requisiteRows(data: Pick<DepositData, 'requisites' | 'card'> | undefined): PaymentRow[] {
  const requisites = data?.requisites ?? [];
  const isCard = (requisite: Requisite) => isCardRequisite(requisite, data?.card);
  const paysCard = requisites.some(isCard);
  return requisites
    .filter((requisite) => requisite.value.trim() !== '')
    .filter((requisite) => !is(requisite, linkNames) && !is(requisite, qrNames) && !is(requisite, amountNames))
    .filter((requisite) => !(paysCard && is(requisite, bankNames)))
    .map((requisite, index) =>
      paymentRow(`${index}-${requisite.name}`, requisite.title || requisite.name, requisite.value, {
        isCard: isCard(requisite),
        isCopyable: requisite.isCopyable === true,
      }),
    );
}

/** The amount from the requisites, if it is a plain decimal number. Some providers name it only there. */
export function statedAmount(data: Pick<DepositData, 'requisites'>): string | undefined {
  const value = data.requisites?.find((requisite) => is(requisite, amountNames))?.value.trim();
  return value !== undefined && /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? value : undefined;
}

/** False only when the answer lists buttons without `complete` (DEP-5). */
export function offersPaid(data: Pick<DepositData, 'buttons'> | undefined): boolean {
  return data?.buttons === undefined || data.buttons.includes('complete');
}

/** The source of a QR code: its text, which can also be read and copied, else the provider's own picture. */
export type QrSource =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly src: string };

/** A picture that an `img` may show: it runs no script, and the browser fetches nothing. */
const pictureUrl = /^data:image\/(?:png|jpeg|gif|webp|svg\+xml)[;,]/i;

/** The QR code of an answer; undefined without a text and without a valid picture. */
export function qrSource(data: Pick<DepositData, 'qrCodeText' | 'qrDataURL'> | undefined): QrSource | undefined {
  const text = data?.qrCodeText ?? '';
  if (text.trim() !== '') return { kind: 'text', text };
  const src = data?.qrDataURL ?? '';
  return pictureUrl.test(src) ? { kind: 'image', src } : undefined;
}
