/**
 * The pictures of `README.md` and `docs`, each as the steps that lead to it. `npm run pictures` draws all of them into
 * `docs/pictures`, `npm run pictures -- -g flow-pix` one of them. They show a phone of 390 pixels in the sandbox, not retouched.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FrameLocator, Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { atProvider, setRates } from '../stack/sandbox-control.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { DemoPage, expect, test } from '../stack/test.ts';
import { welcomeBonus } from '../stack/welcome-bonus.ts';
import { toPalette } from './palette.ts';

type Step =
  /** A button, tab, link or choice of this name. With `isApproved` it opens the provider's window, and the payment is approved there. */
  | { readonly press: string | RegExp; readonly isApproved?: true }
  | { readonly type: string; readonly into: string | RegExp }
  | { readonly leave: string | RegExp }
  /** A text that must be visible. With `isReached` the page is scrolled to it. */
  | { readonly see: string | RegExp; readonly isReached?: true }
  /** An action of the provider; see docs/sandbox.md. */
  | { readonly provider: string; readonly more?: Record<string, string> };

interface Scene {
  readonly height?: number;
  /** Either the demo operator's page, or a page with only the cashier at this address of the widget. */
  readonly at: 'demo' | `/${string}`;
  readonly currency?: string;
  readonly country?: string;
  readonly locale?: string;
  readonly theme?: 'light' | 'dark';
  readonly view?: 'cryptobalance' | 'sweep';
  readonly look?: string;
  /** Requests of the operator before the visit: a path below the user's, and the body besides an id. */
  readonly before?: readonly (readonly [path: string, idName: string, body: object])[];
  readonly areRatesOld?: true;
  readonly steps?: readonly Step[];
}

interface Sheet {
  readonly name: string;
  readonly scenes: readonly Scene[];
}

const inIndia = { currency: 'INR', country: 'IN' } as const;
const inNigeria = { currency: 'NGN', country: 'NG' } as const;
const pay: readonly Step[] = [{ press: /^Deposit/ }, { see: 'I have paid' }];
const amount = (text: string): Step => ({ type: text, into: /^Amount/ });
const have = (currency: string, sum: string) =>
  ['transfers', 'transferId', { amount: sum, currency, from: 'operator', to: 'main' }] as const;

const coins = { view: 'cryptobalance', currency: 'USD', country: 'IN' } as const;
const oldRate = { ...coins, areRatesOld: true, before: [have('USDT', '61.00000007')] } as const;
const richNigerian = { ...inNigeria, before: [have('NGN', '250000.00')] } as const;
const player = {
  view: 'sweep',
  currency: 'USD',
  country: 'IN',
  before: [
    ['coin-grants', 'grantId', { currency: 'SC', amount: '120.00' }],
    ['plays', 'playId', { currency: 'SC', staked: '80.00', won: '80.00' }],
  ],
} as const;
const account = '/withdrawal/nigerian-banks/nigerian_banks/account?bank=011';
const accountFilled: readonly Step[] = [amount('50000'), { type: '0000014579', into: 'Account number' }];
const confirm: readonly Step[] = [{ press: /^Withdraw/ }, { see: 'Confirm withdrawal' }];
const box: readonly Step[] = [{ press: /25,000\sGC/ }, { press: 'Bank card' }, { see: /Pay .*19/ }];

const singles: Readonly<Record<string, Scene>> = {
  'flow-redirect': {
    at: '/deposit/redirect/card',
    ...inIndia,
    height: 844,
    steps: [amount('1500'), { see: /^Bonus/ }],
  },
  'flow-unified-form': {
    at: 'demo',
    currency: 'KZT',
    country: 'KZ',
    steps: [{ press: /^Halyk bank transfer/ }, amount('5000'), ...pay],
  },
  'flow-pix': {
    at: 'demo',
    currency: 'BRL',
    country: 'BR',
    steps: [{ press: /^Pix(?! from)/ }, amount('100'), { type: '12345678909', into: /^CPF/ }, ...pay],
  },
  'flow-upi-code': { at: 'demo', ...inIndia, steps: [{ press: 'UPI' }, amount('500'), ...pay] },
  'flow-bank-transfer': {
    at: 'demo',
    currency: 'EUR',
    country: 'DE',
    steps: [{ press: /^SEPA transfer/ }, amount('50'), ...pay],
  },
  'flow-guide': {
    at: '/deposit/crypto/usdt',
    currency: 'USD',
    country: 'IN',
    height: 844,
    steps: [{ press: /^Guide/ }, { press: /^Read the steps/ }, { see: 'Back to payment' }],
  },
  'flow-bonuses': { at: '/deposit/bonus-details?bonus=welcome_inr', ...inIndia, height: 844 },
  'flow-peer-to-peer': {
    at: 'demo',
    ...inIndia,
    height: 816,
    steps: [{ press: /^Transfer to a bank account/ }, amount('1500'), ...pay],
  },
  'flow-host-to-host': {
    at: 'demo',
    currency: 'KGS',
    country: 'KG',
    height: 891,
    steps: [{ press: /^Elcart card/ }, amount('1500'), ...pay],
  },
  'flow-india': {
    at: 'demo',
    ...inIndia,
    height: 1164,
    steps: [{ press: 'UPI' }, { press: 'Pay with an app' }, { see: 'UPI apps' }, amount('1500'), ...pay],
  },
  'flow-cash': { at: 'demo', ...inIndia, height: 841, steps: [{ press: /^Cash agent/ }, amount('1500'), ...pay] },
  'flow-crypto': {
    at: 'demo',
    currency: 'USD',
    country: 'IN',
    theme: 'dark',
    height: 860,
    steps: [
      { press: 'Crypto' },
      { press: 'Tether' },
      { see: 'Copy address' },
      { provider: 'confirm', more: { blocks: '7' } },
      { see: /of 20/ },
    ],
  },
  'flow-onramp': {
    at: 'demo',
    currency: 'EUR',
    country: 'DE',
    height: 860,
    steps: [{ press: /^Buy crypto with a card/ }, amount('100'), { press: /^Deposit/ }, { see: /^Continue with/ }],
  },
  'balance-fiat': {
    at: '/cryptobalance/deposit/fiat',
    ...coins,
    before: [have('USD', '1250.50')],
    steps: [{ see: /1,250/ }],
  },
  'balance-crypto': { at: '/cryptobalance/deposit/crypto', ...oldRate, steps: [{ see: /out of date/ }] },
  'balance-currencies': {
    at: '/cryptobalance/deposit/crypto',
    ...oldRate,
    steps: [{ see: /out of date/ }, { press: 'Currency: USDT' }, { see: /Bitcoin/ }],
  },
  'balance-address': {
    at: '/cryptobalance/deposit/crypto',
    ...coins,
    theme: 'dark',
    steps: [{ press: 'Tether' }, { see: 'Copy address' }],
  },
  'balance-none': { at: '/cryptobalance', ...coins, currency: 'BIF', locale: 'ar', steps: [{ see: /BIF غير متاح/ }] },
  'withdrawal-banks': {
    at: '/withdrawal/nigerian-banks/nigerian_banks',
    ...richNigerian,
    steps: [{ type: 'bank of', into: /bank/ }, { see: /banks found/ }],
  },
  'withdrawal-account': {
    at: account,
    ...richNigerian,
    height: 900,
    steps: [
      amount('50000'),
      { type: '0000014570', into: 'Account number' },
      { leave: 'Account number' },
      { see: /does not match the chosen bank/, isReached: true },
    ],
  },
  'withdrawal-wallet': {
    at: '/withdrawal/group/crypto/redirect/usdt_trc20_withdrawal',
    ...richNigerian,
    height: 900,
    steps: [
      amount('50000'),
      { type: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', into: 'Wallet address' },
      { leave: 'Wallet address' },
      { see: /belongs to Bitcoin/ },
    ],
  },
  'withdrawal-confirm': { at: account, ...richNigerian, steps: [...accountFilled, ...confirm] },
  'withdrawal-complete': {
    at: account,
    ...richNigerian,
    steps: [...accountFilled, ...confirm, { press: 'Confirm withdrawal' }, { see: 'Paid out' }],
  },
  'sweepstake-boxes': { at: '/deposit', ...player, steps: [{ see: 'Sold out' }] },
  'sweepstake-order': { at: '/deposit', ...player, height: 793, steps: box },
  'sweepstake-received': {
    at: '/deposit',
    ...player,
    height: 793,
    steps: [...box, { press: /^Pay/, isApproved: true }, { see: 'Payment completed' }],
  },
  'sweepstake-convert': {
    at: '/withdrawal/crypto/redeem_btc',
    ...player,
    steps: [amount('60'), { see: /^0\.\d+\sBTC$/ }],
  },
};

/** Several screens in one picture, side by side: a list and the screens after it. */
const list: Scene = { at: 'demo', ...inIndia, height: 900, steps: [{ see: /^Welcome bonus/ }] };
const upi: readonly Step[] = [{ press: 'UPI' }, amount('1500'), { see: /^Bonus/ }];
const sheets: readonly Sheet[] = [
  {
    name: 'deposit',
    scenes: [
      list,
      { ...list, steps: [{ press: 'Bank card' }, amount('1500'), { see: /^Bonus/ }] },
      {
        ...list,
        currency: 'BRL',
        country: 'BR',
        steps: [{ press: /^Pix(?! from)/ }, amount('150'), { press: /^Deposit/ }, { see: 'Fill in this field' }],
      },
      {
        ...list,
        currency: 'USD',
        theme: 'dark',
        steps: [{ press: 'Crypto' }, { press: 'Tether' }, { see: 'Copy address' }],
      },
      { ...list, locale: 'ar', steps: [{ see: /^مكافأة ترحيبية/ }] },
    ],
  },
  {
    name: 'looks',
    scenes: [
      { ...list, look: 'plum', theme: 'dark' },
      { ...list, look: 'plum', theme: 'dark', steps: upi },
      { ...list, look: 'paper' },
      { ...list, look: 'paper', steps: upi },
    ],
  },
];

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const phoneWidth = 390;
let guests = 0;
/** The size of a phone in a picture of several, in pixels of the picture. */
const panel = { width: 260, height: 560, gap: 24, margin: 20 };

test.describe.configure({ mode: 'default', timeout: 90_000 });
test.use({ contextOptions: { reducedMotion: 'reduce' } });
// All users of this stack share the rates.
test.afterEach(({ stack }) => setRates(stack, 'fresh'));

for (const [name, scene] of Object.entries(singles)) {
  test(name, async ({ page, stack, site }) => {
    await play(page, stack, site, scene);
    await page.screenshot({ path: `${folder}${name}.png`, animations: 'disabled' });
  });
}

for (const { name, scenes } of sheets) {
  test(name, async ({ browser, page, stack, site }) => {
    const panels: string[] = [];
    for (const scene of scenes) {
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        locale: 'en-US',
        deviceScaleFactor: panel.width / phoneWidth,
      });
      const visit = await context.newPage();
      await play(visit, stack, site, scene);
      panels.push((await visit.locator('iframe').screenshot({ animations: 'disabled' })).toString('base64'));
      await context.close();
    }
    const images = panels.map((png) => `<img src="data:image/png;base64,${png}">`).join('');
    const step = panel.width + panel.gap;
    await page.setViewportSize({ width: scenes.length * step + panel.gap, height: panel.height + 2 * panel.margin });
    await page.setContent(
      `<style>
        body { margin: 0; padding: ${panel.margin}px; display: flex; gap: ${panel.gap}px; background: #d8dde3 }
        img { width: ${panel.width}px; height: ${panel.height}px; border-radius: 18px; object-fit: cover; object-position: top }
      </style>${images}`,
    );
    await writeFile(`${folder}${name}.png`, await toPalette(page, await page.screenshot()));
  });
}

/** Plays the steps of a scene. The page then shows the screen of the picture. */
async function play(page: Page, stack: Stack, site: StaticSite, scene: Scene): Promise<void> {
  await page.setViewportSize({ width: phoneWidth, height: scene.height ?? 800 });
  if (scene.areRatesOld === true) await setRates(stack, 'stopped', { ageSeconds: 86_400 });
  const widget = await open(page, stack, site, scene);
  for (const step of scene.steps ?? []) await take(page, stack, widget, step);
  // Moves the pointer away, so that no button has its hover style.
  await page.mouse.move(0, 0);
  await expect(widget.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  await widget.locator('html').evaluate(async () => {
    await document.fonts.ready;
    // Images that load when they scroll into view would be missing.
    for (const image of document.images) image.loading = 'eager';
    await Promise.all(Array.from(document.images, (image) => image.decode()));
  });
}

async function open(page: Page, stack: Stack, site: StaticSite, scene: Scene): Promise<FrameLocator> {
  const { currency = 'USD', country = 'IN', locale = 'en', theme = 'light' } = scene;
  if (scene.at === 'demo') {
    guests += 1;
    const demo = new DemoPage(page);
    const look = scene.look === undefined ? {} : { look: scene.look };
    await demo.open(stack, { currency, country, locale, theme, ...look, user: `guest-${guests}` });
    await page.locator('#deposit').click();
    await expect(demo.widget.locator('main li button').first()).toBeVisible();
    return demo.widget;
  }
  const host = new HostPage(page, stack, site);
  const userId = `pictured-${randomUUID().slice(0, 8)}`;
  for (const [path, idName, body] of scene.before ?? []) {
    const answer = await fetch(`${stack.cashierUrl}/operator/v1/users/${userId}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ [idName]: randomUUID(), ...body }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  }
  const mustAccruedBefore = new Date(Date.now() + 125 * 60_000).toISOString();
  const payload = {
    widgetViewType: scene.view ?? 'main',
    locale,
    appearance: { theme },
    bonusList: [{ ...welcomeBonus, mustAccruedBefore }],
  };
  await host.open(scene.at, { userId, currency, country, payload });
  await page.evaluate((height) => {
    document.body.style.margin = '0';
    document.querySelector('iframe')?.setAttribute('height', `${height}`);
  }, scene.height ?? 800);
  await expect(host.widget.locator('main :is(h2, button, a, input)').first()).toBeVisible();
  return host.widget;
}

async function take(page: Page, stack: Stack, widget: FrameLocator, step: Step): Promise<void> {
  if ('press' in step) {
    const name = { name: step.press, exact: true };
    const wanted = widget
      .getByRole('button', name)
      .or(widget.getByRole('tab', name))
      .or(widget.getByRole('link', name))
      .or(widget.getByRole('radio', name));
    const popup = step.isApproved === true ? page.waitForEvent('popup') : undefined;
    await wanted.first().click();
    await (await popup)?.getByRole('button', { name: 'Approve', exact: true }).click();
  } else if ('into' in step) {
    await boxOf(widget, step.into).fill(step.type);
  } else if ('leave' in step) {
    await boxOf(widget, step.leave).blur();
  } else if ('see' in step) {
    const wanted = widget.getByText(step.see).filter({ visible: true });
    await expect(wanted.first(), `${step.see}`).toBeVisible({ timeout: 30_000 });
    if (step.isReached === true) await wanted.first().scrollIntoViewIfNeeded();
  } else {
    const frame = page.frames().find((candidate) => candidate.url().startsWith(stack.cashierUrl));
    const depositId = new URL(frame?.url() ?? '').searchParams.get('depositId') ?? '';
    await atProvider(stack, depositId, step.provider, step.more);
  }
}

function boxOf(widget: FrameLocator, name: string | RegExp) {
  return widget.getByRole('textbox', { name }).or(widget.getByRole('searchbox', { name })).first();
}
