/** Every way to deposit with the keyboard only: from the list to the page where a person pays or waits. */

/** A step: `open` and `press` reach a control by Tab, `type` a field, `arrow` moves within a choice, `see` waits for a text. */
export type Step =
  | { readonly open: RegExp }
  | { readonly press: RegExp; readonly key?: 'Enter' | 'Space' }
  | { readonly type: string; readonly into: RegExp }
  | { readonly arrow: RegExp }
  | { readonly see: RegExp };

export interface DepositWay {
  readonly name: string;
  readonly currency: string;
  readonly country: string;
  /** The address where the way begins, when it is not the list: the method is behind the tile of others. */
  readonly at?: string;
  readonly steps: readonly Step[];
  /** A text of the last page. */
  readonly end: RegExp;
  /** The control of the last page that Tab must reach. */
  readonly reach: RegExp;
  /** Whether the host offers a bonus. */
  readonly hasBonus?: true;
}

const india = { currency: 'INR', country: 'IN' } as const;
const pay: Step = { open: /^Deposit/ };
const amount = (text: string): Step => ({ type: text, into: /^Amount/ });
const byHand = { end: /^I have paid$/, reach: /^I have paid$/ } as const;

export const depositWays: readonly DepositWay[] = [
  {
    name: 'redirect inside a group',
    currency: 'KGS',
    country: 'KG',
    steps: [{ open: /^Local bank cards/ }, { open: /^MBank card/ }, amount('1500'), pay],
    ...byHand,
  },
  {
    name: 'unified form',
    currency: 'KZT',
    country: 'KZ',
    steps: [{ open: /^Halyk bank transfer/ }, amount('5000'), pay],
    ...byHand,
  },
  {
    name: 'pix',
    currency: 'BRL',
    country: 'BR',
    steps: [{ open: /^Pix(?! from)/ }, amount('150'), { type: '12345678909', into: /^CPF/ }, pay],
    ...byHand,
  },
  { name: 'eazype', ...india, steps: [{ open: /^UPI$/ }, amount('500'), pay], ...byHand },
  {
    name: 'upi-qr',
    ...india,
    at: '/deposit/redirect/upi_qr',
    steps: [amount('500'), pay],
    ...byHand,
  },
  {
    name: 'india',
    ...india,
    at: '/deposit/india/upi',
    steps: [amount('1500'), pay],
    ...byHand,
  },
  {
    name: 'peer-to-peer, with a bank and how it works',
    ...india,
    steps: [
      { open: /^Transfer from your bank/ },
      { open: /^ICICI Bank/ },
      { open: /^How it works/ },
      { open: /^Back to payment/ },
      amount('5000'),
      pay,
    ],
    ...byHand,
  },
  {
    name: 'host-to-host',
    currency: 'RUB',
    country: 'RU',
    steps: [{ open: /^YooMoney transfer/ }, amount('5000'), pay],
    ...byHand,
  },
  {
    name: 'bank transfer',
    currency: 'EUR',
    country: 'DE',
    steps: [{ open: /^SEPA transfer/ }, amount('50'), pay],
    ...byHand,
  },
  { name: 'cash', ...india, steps: [{ open: /^Cash agent/ }, amount('1500'), pay], ...byHand },
  {
    name: 'on-ramp',
    currency: 'EUR',
    country: 'DE',
    steps: [{ open: /^Buy crypto with a card/ }, amount('100'), pay, { arrow: /You receive/ }],
    end: /^Continue with/,
    reach: /^Continue with/,
  },
  {
    name: 'crypto address, its video and its steps',
    currency: 'USD',
    country: 'IN',
    steps: [
      { open: /^Crypto$/ },
      { open: /^Tether$/ },
      // The address has a name that becomes part of the page's name.
      { see: /^Copy address/ },
      { open: /^Guide/ },
      { open: /^Read the steps/ },
      { open: /^Back to payment/ },
      { arrow: /^TRC-20/ },
    ],
    end: /^Copy address/,
    reach: /^Copy address/,
  },
  {
    name: 'redirect with a bonus',
    ...india,
    hasBonus: true,
    steps: [
      { open: /^Welcome/ },
      { press: /^Deposit with a bonus/, key: 'Space' },
      { press: /^Deposit with a bonus/, key: 'Space' },
      { open: /^Choose a payment method/ },
      { open: /^Bank card/ },
      amount('1500'),
      { press: /Welcome/, key: 'Space' },
    ],
    end: /^Deposit/,
    reach: /^Deposit/,
  },
];
