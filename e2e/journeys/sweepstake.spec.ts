import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectNoViolation } from '../stack/accessible.ts';
import { HostPage } from '../stack/host-page.ts';
import { atProvider, setRates } from '../stack/sandbox-control.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

let site: StaticSite;
let stack: Stack;
let people = 0;

test.use({ viewport: { width: 390, height: 844 } });

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

/** A request of the operator's backend. */
async function asOperator(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${stack.cashierUrl}/operator/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** A player, and the cashier on the host's page. */
class Player {
  readonly host: HostPage;
  readonly userId: string;

  constructor(page: Page, userId = `player-${++people}`) {
    this.userId = userId;
    this.host = new HostPage(page, stack, site);
  }

  open(path: string): Promise<void> {
    return this.host.open(path, { userId: this.userId, payload: { widgetViewType: 'sweep' } });
  }

  button(name: string | RegExp) {
    return this.host.widget.getByRole('button', { name });
  }

  heading(name: string) {
    return this.host.widget.getByRole('heading', { name });
  }

  text(words: string | RegExp) {
    return this.host.widget.getByText(words);
  }

  /** The value beside a label. */
  line(title: string) {
    return this.host.widget.locator('dl > div', { has: this.text(new RegExp(`^${title}$`)) }).locator('dd');
  }

  get order() {
    return this.host.widget.getByRole('region', { name: 'Order summary' });
  }

  /** From the list to the form of the bank card. */
  async choose(box: RegExp): Promise<void> {
    await this.button(box).click();
    await this.button('Bank card').click();
    await expect(this.button(/^Pay/)).toBeVisible();
    // After a reload the form depends only on the server. Waits until no request about the box is in progress.
    await this.host.reload();
    await expect(this.button(/^Pay/)).toBeVisible();
  }

  /** Grants sweep coins, and plays some of them through. */
  async has({ given, played }: { given: string; played: string }): Promise<void> {
    const user = `users/${this.userId}`;
    await asOperator('POST', `${user}/coin-grants`, { grantId: randomUUID(), currency: 'SC', amount: given });
    await asOperator('POST', `${user}/plays`, { playId: randomUUID(), currency: 'SC', staked: played, won: played });
  }

  /** The user's balances in the ledger, exactly; without zeros. */
  async ledger(): Promise<Record<string, string>> {
    const { balances, held } = (await asOperator('GET', `users/${this.userId}/balances`)) as Record<
      string,
      { currency: string; amount: string }[] | undefined
    >;
    const of = (list: { currency: string; amount: string }[] = [], mark = '') =>
      list.filter(({ amount }) => /[1-9]/.test(amount)).map(({ currency, amount }) => [`${currency}${mark}`, amount]);
    return Object.fromEntries([...of(balances), ...of(held, ' held')]);
  }

  async fillRedemption(amount: string): Promise<void> {
    await this.open('/withdrawal/crypto/redeem_usdt_trc20');
    await this.host.widget.getByRole('textbox', { name: 'Amount' }).fill(amount);
    await this.host.widget.getByRole('textbox', { name: /wallet|address/i }).fill('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8');
  }
}

test('[SWP-1] [NAV-7] a coin box bought by card: gold and sweep coins on the ledger, to the last unit', async ({
  page,
}) => {
  const player = new Player(page);
  await player.open('/deposit');
  await expect(player.heading('Select coin package')).toBeVisible();
  await expect(player.button(/(?<![\d,])8,000\sGC/)).toHaveAttribute('aria-disabled', 'true');
  await player.button(/25,000\sGC/).click();
  await expect(player.order).toContainText('$19.99');
  await player.host.reload();
  await expect(player.order).toContainText('$19.99');
  await player.button('Bank card').click();
  await expect(player.order).toContainText('no cash value');
  await player.host.reload();
  const popup = page.waitForEvent('popup');
  await player.button(/^Pay .*\$19\.99/).click();
  await (await popup).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(player.heading('Payment completed')).toBeVisible();
  await expect(player.line('You received')).toContainText(/25,000\sGC.*20\.50\sSC/);
  await player.host.reload();
  await expect(player.line('You received')).toContainText(/25,000\sGC.*20\.50\sSC/);
  expect(await player.ledger()).toEqual({ GC: '25000.00', SC: '20.50' });
  await player.host.show('/deposit');
  await expect(player.line('Gold coins')).toHaveText(/25,000\sGC/);
  await expect(player.line('Sweep coins')).toHaveText(/20\.50\sSC/);
});

test('[SWP-1] a payment that is declined gives no coins', async ({ page }) => {
  const player = new Player(page);
  await player.open('/deposit');
  await player.choose(/10,000\sGC/);
  const popup = page.waitForEvent('popup');
  await player.button(/^Pay/).click();
  await (await popup).getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(player.heading('The payment did not go through')).toBeVisible();
  await expect(player.text(/GC/)).toHaveCount(0);
  expect(await player.ledger()).toEqual({});
});

test('[SWP-1] [CRY-1] bought with coins of a chain: the address asks for the price of the box', async ({ page }) => {
  const player = new Player(page);
  await player.open('/deposit');
  await player.button(/75,000\sGC/).click();
  await player.button('Crypto').click();
  await player.button(/^Tether/).click();
  await expect(player.order).toContainText('$49.99');
  await expect(player.host.widget.getByRole('img', { name: 'QR code for this payment' })).toBeVisible();
  const depositId = new URL(player.host.frame().url()).searchParams.get('depositId') ?? '';
  await player.host.reload();
  await expect(player.order).toContainText('$49.99');
  await atProvider(stack, depositId, 'pay');
  await expect(player.heading('Payment completed')).toBeVisible();
  expect(await player.ledger()).toEqual({ GC: '75000.00', SC: '52.00' });
});

test('[SWP-1] [SWP-3] sold out, or dearer, between the list and the payment: said plainly, and the boxes as they are now', async ({
  page,
}) => {
  const box = { group: 'Specials', position: 3, price: '14.99', currency: 'USD', gold: '31000', sweep: '12.00' };
  const sell = (more: object) => asOperator('PUT', 'sweepstake/boxes/flash', { ...box, ...more });
  await sell({ stock: 5 });
  const player = new Player(page);
  await player.open('/deposit');
  await player.choose(/31,000\sGC/);
  await sell({ stock: 5, price: '15.49' });
  await player.button(/^Pay .*\$14\.99/).click();
  await expect(player.heading('Select coin package')).toBeVisible();
  await expect(player.text(/This package has changed. Nothing was charged./)).toBeVisible();
  await expect(player.button(/31,000\sGC/)).toContainText('$15.49');

  await player.choose(/31,000\sGC/);
  await sell({ stock: 0, price: '15.49' });
  await player.button(/^Pay .*\$15\.49/).click();
  await expect(player.text(/This package has just sold out. Nothing was charged./)).toBeVisible();
  await expect(player.button(/31,000\sGC/)).toHaveAttribute('aria-disabled', 'true');
  expect(await player.ledger()).toEqual({});

  await player.host.show('/deposit/redirect/card');
  await expect(player.heading('Select coin package')).toBeVisible();
  await expect
    .poll(() => player.host.said())
    .toContainEqual({
      messageType: 'error',
      payload: { code: 'not-chosen', message: 'No sweepstake box selected for sweepstake deposit' },
    });
});

test('[SWP-2] a redemption from the balance to the wallet: what is unplayed stays, what arrives was agreed on', async ({
  page,
}) => {
  const player = new Player(page);
  await player.has({ given: '120.00', played: '80.00' });
  await player.open('/withdrawal');
  await expect(player.line('Sweep coins')).toHaveText(/120\.00\sSC/);
  await expect(player.line('Left to play')).toHaveText(/40\.00\sSC/);
  await expect(player.line('Available to redeem')).toHaveText(/80\.00\sSC/);
  await player.fillRedemption('80.01');
  await expect(player.text(/Up to .*80\sSC.* is available now/)).toBeVisible();
  await player.host.widget.getByRole('textbox', { name: 'Amount' }).fill('60');
  await expect(player.line('You receive')).toHaveText(/^59\S*\sUSDT$|^58\S*\sUSDT$/);
  const arrives = (await player.line('You receive').textContent()) ?? '';
  await player.button(/^Redeem/).click();
  await expect(player.button('Confirm redemption')).toBeVisible();
  await expect(player.line('You receive')).toHaveText(arrives);
  expect(await player.ledger()).toEqual({ SC: '60.00', 'SC held': '60.00' });
  await player.host.reload();
  await player.button('Confirm redemption').click();
  await expect(player.heading('Paid out')).toBeVisible({ timeout: 30_000 });
  await expect(player.line('You receive')).toHaveText(arrives);
  expect(await player.ledger()).toEqual({ SC: '60.00' });
  await player.button('See redemption methods').click();
  await expect(player.line('Available to redeem')).toHaveText(/20\.00\sSC/);
});

test('[SWP-2] [WD-2] begun on one device, a redemption is offered again on another, and no longer once it is confirmed', async ({
  page,
  browser,
}) => {
  const player = new Player(page);
  await player.has({ given: '100.00', played: '100.00' });
  await player.fillRedemption('55.05');
  await player.button(/^Redeem/).click();
  await expect(player.button('Confirm redemption')).toBeVisible();
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const elsewhere = new Player(await phone.newPage(), player.userId);
    await elsewhere.open('/withdrawal');
    const unfinished = elsewhere.button(/^Unfinished redemption, 1\d:\d\d left$/);
    await expect(unfinished).toHaveAccessibleDescription(/55\.05\sSC/);
    await expectNoViolation(elsewhere.host.widget, 'the unfinished redemption');
    await unfinished.click();
    await elsewhere.button('Confirm redemption').click();
    await expect(elsewhere.heading('Paid out')).toBeVisible({ timeout: 30_000 });
    expect(await player.ledger()).toEqual({ SC: '44.95' });
    await elsewhere.button('See redemption methods').click();
    await expect(elsewhere.line('Available to redeem')).toHaveText(/44\.95\sSC/);
    await expect(unfinished).toHaveCount(0);
  } finally {
    await phone.close();
  }
});

test('[SWP-2] a redemption that is declined: every sweep coin is back', async ({ page }) => {
  const player = new Player(page);
  await player.has({ given: '100.00', played: '100.00' });
  await player.fillRedemption('55.10');
  await player.button(/^Redeem/).click();
  await player.button('Confirm redemption').click();
  await expect(player.heading('The redemption was declined')).toBeVisible({ timeout: 30_000 });
  expect(await player.ledger()).toEqual({ SC: '100.00' });
});

test('[SWP-2] an old rate is shown as old, nothing is held at it, and a new rate replaces it automatically', async ({
  page,
}) => {
  const player = new Player(page);
  await player.has({ given: '100.00', played: '100.00' });
  await setRates(stack, 'stopped', { ageSeconds: 86_400 });
  await player.fillRedemption('60');
  await expect(player.text(/This rate has expired/)).toBeVisible();
  await player.button(/^Redeem/).press('Enter');
  await expect(player.button(/^Redeem/)).toHaveAttribute('aria-disabled', 'true');
  expect(await player.ledger()).toEqual({ SC: '100.00' });
  await setRates(stack, 'fresh');
  await expect(player.text(/This rate has expired/)).toHaveCount(0, { timeout: 60_000 });
  await player.button(/^Redeem/).click();
  await expect(player.button('Confirm redemption')).toBeVisible();
  expect(await player.ledger()).toEqual({ SC: '40.00', 'SC held': '60.00' });
});
