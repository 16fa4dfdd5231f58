import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll } from '../stack/accessible.ts';
import { HostPage } from '../stack/host-page.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';
import { expectAccessibleInEachLook, markTexts } from './every-look.ts';

const wallet = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const form = '/withdrawal/crypto/redeem_usdt_trc20';

let site: StaticSite;
let stack: Stack;
let people = 0;

test.use({ viewport: { width: 390, height: 844 } });

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

async function expectAccessible(host: HostPage, screen: string): Promise<void> {
  await expectAccessibleInEachLook(host, screen);
  await expectNoSidewaysScroll(host.widget, screen);
}

/** A user with a hundred sweep coins, eighty of them played through. */
async function player(): Promise<string> {
  people += 1;
  const userId = `careful-${people}`;
  for (const [path, body] of [
    ['coin-grants', { grantId: randomUUID(), currency: 'SC', amount: '100.00' }],
    ['plays', { playId: randomUUID(), currency: 'SC', staked: '80.00', won: '80.00' }],
  ] as const) {
    const answer = await fetch(`${stack.cashierUrl}/operator/v1/users/${userId}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.ok).toBe(true);
  }
  return userId;
}

test('[UI-3] [UI-4] buying a coin box and redeeming, in both themes, English, Arabic and Hindi', async ({ page }) => {
  await markTexts(page);
  const host = new HostPage(page, stack, site);
  await host.open('/deposit', { userId: await player(), payload: { widgetViewType: 'sweep' } });
  const { widget } = host;
  await expect(widget.locator('button[aria-disabled]').first()).toBeVisible();
  await expectAccessible(host, 'boxes, one of them sold out');

  await widget.getByRole('button', { name: /25,000\sGC/ }).click();
  await widget.getByRole('button', { name: 'Bank card' }).click();
  const pay = widget.locator('button[type=submit]');
  await expect(pay).toBeVisible();
  await expectAccessible(host, 'order');
  const popup = page.waitForEvent('popup');
  await pay.click();
  await (await popup).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(widget.getByRole('heading', { name: /complete\.processed/ })).toBeVisible();
  await expectAccessible(host, 'receipt');

  await host.show(form);
  const [amount, address] = [widget.getByRole('textbox').first(), widget.getByRole('textbox').nth(1)];
  await amount.fill('1');
  await address.fill('0x52908400098527886E0F7030069857D2E4169EE7');
  await address.blur();
  await expect(widget.locator('[aria-invalid]')).toHaveCount(2);
  await expectAccessible(host, 'form with errors');
  await amount.fill('60');
  await address.fill(wallet);
  await expect(widget.getByText(/USDT/).last()).toBeVisible();
  await expect(pay).not.toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(host, 'form with what arrives');
  await pay.click();
  await expect(widget.getByRole('timer')).toBeVisible();
  await expectAccessible(host, 'confirm');
  await widget.locator('main button').first().click();
  // Both pages have a heading, and the address changes before the page.
  await expect(widget.getByRole('timer')).toHaveCount(0);
  await expect.poll(() => host.path()).toBe('/withdrawal/complete');
  await expect(widget.locator('main h2').first()).toBeVisible();
  await expectAccessible(host, 'complete');
});

test('[UI-3] a box is bought and coins are redeemed with the keyboard alone', async ({ page }) => {
  const host = new HostPage(page, stack, site);
  await host.open('/deposit', { userId: await player(), payload: { widgetViewType: 'sweep' } });
  const { widget } = host;
  await press(page, host, /25,000\sGC/);
  await press(page, host, /^Bank card/);
  const popup = page.waitForEvent('popup');
  await press(page, host, /^Pay/);
  await (await popup).getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await expect(widget.getByRole('heading', { name: 'Payment completed' })).toBeVisible();

  await host.show('/withdrawal');
  await press(page, host, /^Crypto/);
  await press(page, host, /TRC-20/);
  await tabTo(page, host, /^Amount/);
  await page.keyboard.type('60');
  await tabTo(page, host, /wallet|address/i);
  await page.keyboard.type(wallet);
  await expect(widget.getByText(/USDT/).last()).toBeVisible();
  await expect(widget.locator('button[type=submit]')).not.toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('Enter');
  await expect(widget.getByRole('button', { name: 'Confirm redemption' })).toBeVisible();
  await press(page, host, /^Confirm redemption/);
  await expect(widget.getByRole('heading', { name: 'Paid out' })).toBeVisible({ timeout: 30_000 });
});

async function press(page: Page, host: HostPage, name: RegExp): Promise<void> {
  await expect(host.widget.getByRole('button', { name })).toBeVisible();
  await tabTo(page, host, name);
  await page.keyboard.press('Enter');
}

/** Presses Tab until the element with this name has the focus in the widget. */
async function tabTo(page: Page, { widget }: HostPage, name: RegExp): Promise<void> {
  const wanted = widget.getByRole('button', { name }).or(widget.getByRole('textbox', { name }));
  // The old page stays until the next page is loaded. Tab would only reach the old page's controls.
  await expect(wanted.first()).toBeVisible();
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    for (const candidate of await wanted.all()) {
      if (await candidate.evaluate((element) => element === document.activeElement)) return;
    }
  }
  throw new Error(`Tab never reached ${name}`);
}
