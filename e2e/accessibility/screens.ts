/**
 * Every screen of every product by its address. apps/widget/src/products/every-screen.test.ts fails when a screen is missing here,
 * so a new screen is checked from its first day.
 */

export interface ScreenAddress {
  /** The path in the table of routes. */
  readonly route: string;
  /** The path with its parameters filled in. */
  readonly path: string;
  /** A text of the loaded screen. Absent: any control or text. */
  readonly ready?: string;
}

/** A visit: all screens that a person sees without leaving the cashier. */
export interface Walk {
  readonly name: string;
  readonly view: 'main' | 'cryptobalance' | 'sweep';
  readonly currency: string;
  readonly country: string;
  readonly screens: readonly ScreenAddress[];
}

const region = 'dialog [aria-selected=true]';
const unknown = 'depositId=01890a5d-ac96-774b-bcce-b302099a8057';

/** Forms, and pages of a payment without a payment. keyboard-deposits.spec.ts checks these pages with a payment. */
const depositFlows = (upi: string): readonly ScreenAddress[] => [
  { route: 'group/:group', path: 'group/card_method', ready: 'main li button' },
  { route: 'redirect/:method?', path: 'redirect/card', ready: 'button[type=submit]' },
  { route: 'redirect/:method/instruction', path: 'redirect/card/instruction', ready: 'main ol li' },
  { route: 'redirect/:method/bank-transfer', path: `redirect/card/bank-transfer?${unknown}` },
  { route: 'redirect/:method/eazype', path: `redirect/card/eazype?${unknown}` },
  { route: 'redirect/:method/pix', path: `redirect/card/pix?${unknown}` },
  { route: 'redirect/:method/unified-form', path: `redirect/card/unified-form?${unknown}` },
  { route: 'redirect/:method/upi-qr', path: `redirect/card/upi-qr?${unknown}` },
  {
    route: 'group/:group/redirect/:method?',
    path: 'group/card_method/redirect/card',
    ready: 'button[type=submit]',
  },
  { route: 'crypto', path: 'crypto', ready: 'main li button' },
  { route: 'crypto/:method', path: 'crypto/btc', ready: 'main bdi' },
  { route: 'host-to-host/:method?', path: `host-to-host/card?${unknown}` },
  { route: 'india/:method?', path: `india/${upi}`, ready: 'button[type=submit]' },
  { route: 'india/:method/invoice', path: `india/${upi}/invoice?${unknown}` },
  { route: 'video-instruction', path: 'video-instruction?method=usdt', ready: 'main h2' },
];
/** Flows in which the payer does not pay the box's price. */
const depositFlowsWithoutBox: readonly ScreenAddress[] = [
  { route: 'bonus-details', path: 'bonus-details?bonus=welcome_inr', ready: 'main [role=switch], main h2' },
  { route: 'cash/:method?', path: 'cash/cash_agent_in', ready: 'button[type=submit]' },
  { route: 'cash/:method/agents', path: `cash/cash_agent_in/agents?${unknown}` },
  { route: 'onramp/:method?', path: 'onramp/onramp_card', ready: 'button[type=submit]' },
  { route: 'onramp/:method/offer-list', path: 'onramp/onramp_card/offer-list?amount=5000' },
  { route: 'peer-to-peer/:method?', path: 'peer-to-peer/p2p_bank_in', ready: 'main li button' },
  { route: 'peer-to-peer/:method/base', path: 'peer-to-peer/p2p_imps/base', ready: 'button[type=submit]' },
  { route: 'peer-to-peer/:method/instruction', path: 'peer-to-peer/p2p_imps/instruction', ready: 'main li' },
];
const deposits: readonly ScreenAddress[] = [
  { route: '', path: '', ready: 'main li button' },
  { route: 'region', path: 'region', ready: region },
  { route: 'complete', path: `complete?${unknown}&method=card`, ready: 'main h2' },
  ...depositFlows('upi'),
  ...depositFlowsWithoutBox,
];
const withdrawals: readonly ScreenAddress[] = [
  { route: '', path: '', ready: 'main li button' },
  { route: 'region', path: 'region', ready: region },
  { route: 'group/:group', path: 'group/crypto', ready: 'main li button' },
  { route: 'redirect/:method?', path: 'redirect/card_withdrawal', ready: 'button[type=submit]' },
  {
    route: 'group/:group/redirect/:method?',
    path: 'group/crypto/redirect/usdt_ton_withdrawal',
    ready: 'button[type=submit]',
  },
  { route: 'redirect/:method/instruction', path: 'redirect/card_withdrawal/instruction', ready: 'main ol li' },
  { route: 'nigerian-banks/:method?', path: 'nigerian-banks/nigerian_banks', ready: 'main li button' },
  {
    route: 'nigerian-banks/:method/account',
    path: 'nigerian-banks/nigerian_banks/account?bank=011',
    ready: 'input[name=accountNumber]',
  },
  { route: 'video-instruction', path: 'video-instruction?method=card_withdrawal' },
];
const shared: readonly ScreenAddress[] = [
  { route: '/empty', path: '/empty', ready: 'main button' },
  { route: '/empty/region', path: '/empty/region', ready: region },
  { route: '/error', path: '/error', ready: 'main button' },
  { route: '/form', path: '/form', ready: 'main button' },
];

const below = (tree: string, screens: readonly ScreenAddress[]): ScreenAddress[] =>
  screens.map((screen) => {
    const at = (path: string) => (path === '' ? tree : `${tree}/${path}`);
    return { ...screen, route: at(screen.route), path: at(screen.path) };
  });

const inIndia = { currency: 'INR', country: 'IN' } as const;
const inNigeria = { currency: 'NGN', country: 'NG' } as const;
const fiat = '/cryptobalance/deposit/fiat';
const coins = '/cryptobalance/deposit/crypto';

export const walks: readonly Walk[] = [
  {
    name: 'deposits',
    view: 'main',
    ...inIndia,
    screens: [...below('/deposit', deposits), ...shared],
  },
  {
    name: 'withdrawals',
    view: 'main',
    ...inNigeria,
    screens: below('/withdrawal', withdrawals),
  },
  {
    name: 'deposits to a balance of coins',
    view: 'cryptobalance',
    ...inIndia,
    screens: [
      ...below(fiat, deposits),
      { route: coins, path: coins, ready: 'main li button' },
      { route: `${coins}/region`, path: `${coins}/region`, ready: region },
      { route: `${coins}/:method`, path: `${coins}/usdt`, ready: 'main bdi' },
      {
        route: '/cryptobalance/deposit/complete',
        path: `/cryptobalance/deposit/complete?${unknown}&method=usdt`,
        ready: 'main h2',
      },
      {
        route: '/cryptobalance/deposit/video-instruction',
        path: '/cryptobalance/deposit/video-instruction?method=usdt',
      },
      ...shared,
    ],
  },
  {
    name: 'withdrawals from a balance of coins',
    view: 'cryptobalance',
    ...inNigeria,
    screens: below('/cryptobalance/withdrawal', withdrawals),
  },
  {
    name: 'coin boxes and their redemption',
    view: 'sweep',
    currency: 'USD',
    country: 'IN',
    screens: [
      ...below('/deposit', [
        { route: '', path: '', ready: 'main button' },
        { route: 'select-method', path: 'select-method', ready: 'main li button' },
        { route: 'complete', path: `complete?${unknown}&method=card`, ready: 'main h2' },
        ...depositFlows('card'),
      ]),
      ...below('/withdrawal', [
        { route: '', path: '', ready: 'main li button' },
        { route: 'crypto', path: 'crypto', ready: 'main li button' },
        { route: 'crypto/:method', path: 'crypto/redeem_usdt_trc20', ready: 'button[type=submit]' },
      ]),
      ...shared,
    ],
  },
];

/** Screens that need a payment in progress, and the test that checks them. */
export const shownOnTheWay: Readonly<Record<Walk['view'], Readonly<Record<string, string>>>> = {
  main: {
    '/deposit/peer-to-peer/:method/invoice': 'keyboard-deposits.spec.ts',
    '/deposit/peer-to-peer/:method/unified-form': 'keyboard-deposits.spec.ts',
    '/withdrawal/confirm': 'withdrawal-screens.spec.ts',
    '/withdrawal/complete': 'withdrawal-screens.spec.ts',
  },
  cryptobalance: {
    '/cryptobalance/deposit/fiat/peer-to-peer/:method/invoice': 'keyboard-deposits.spec.ts',
    '/cryptobalance/deposit/fiat/peer-to-peer/:method/unified-form': 'keyboard-deposits.spec.ts',
    '/cryptobalance/withdrawal/confirm': 'crypto-balance.spec.ts',
    '/cryptobalance/withdrawal/complete': 'crypto-balance.spec.ts',
  },
  sweep: {
    '/withdrawal/confirm': 'sweepstake-screens.spec.ts',
    '/withdrawal/complete': 'sweepstake-screens.spec.ts',
  },
};
