import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolation } from '../stack/accessible.ts';
import { HostPage } from '../stack/host-page.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

const wallet = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const form = '/withdrawal/crypto/redeem_usdt_trc20';

let site: StaticSite;
let stack: Stack;
let people = 0;

// A colour on its way to another one is nobody's to judge.
test.use({ viewport: { width: 390, height: 844 }, contextOptions: { reducedMotion: 'reduce' } });

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

async function expectAccessible({ widget }: HostPage, screen: string): Promise<void> {
  await expectNoViolation(widget, screen);
  await expectNoSidewaysScroll(widget, screen);
}

/** Somebody with a hundred sweep coins, eighty of them played. */
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

for (const [locale, theme] of [
  ['en', 'light'],
  ['en', 'dark'],
  ['ar', 'light'],
] as const) {
  test(`[UI-3] [UI-4] buying a coin box and redeeming have no violation in ${locale}, ${theme}`, async ({ page }) => {
    const host = new HostPage(page, stack, site);
    const options = { userId: await player(), payload: { widgetViewType: 'sweep', locale, appearance: { theme } } };
    await host.open('/deposit', options);
    const { widget } = host;
    await expect(widget.locator('html')).toHaveAttribute('dir', locale === 'en' ? 'ltr' : 'rtl');
    await expect(widget.locator('html')).toHaveAttribute('data-theme', theme);
    await expect(widget.locator('button[aria-disabled]')).toBeVisible();
    await expectAccessible(host, 'boxes');

    await widget.getByRole('button', { name: /25,000\sGC/ }).click();
    const card = widget.getByRole('button', { name: locale === 'en' ? 'Bank card' : 'بطاقة مصرفية' });
    await expect(card).toBeVisible();
    await expectAccessible(host, 'methods');
    await card.click();
    const pay = widget.locator('button[type=submit]');
    await expect(pay).toBeVisible();
    await expectAccessible(host, 'order');
    const popup = page.waitForEvent('popup');
    await pay.click();
    await (await popup).getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(widget.getByRole('heading', { name: locale === 'en' ? 'Processed' : 'تمت المعالجة' })).toBeVisible();
    await expectAccessible(host, 'receipt');

    await host.show('/withdrawal');
    await expect(widget.locator('li button')).toBeVisible();
    await expectAccessible(host, 'redemption');
    await widget.locator('li button').click();
    await expect(widget.getByRole('button', { name: /TRC-20/ })).toBeVisible();
    await expectAccessible(host, 'coins');
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
  });
}

test('[UI-3] a box is bought and coins are redeemed with the keyboard alone', async ({ page }) => {
  const host = new HostPage(page, stack, site);
  await host.open('/deposit', { userId: await player(), payload: { widgetViewType: 'sweep' } });
  const { widget } = host;
  await press(page, host, /25,000\sGC/);
  await press(page, host, /^Bank card/);
  const popup = page.waitForEvent('popup');
  await press(page, host, /^Pay/);
  await (await popup).getByRole('button', { name: 'Approve', exact: true }).press('Enter');
  await expect(widget.getByRole('heading', { name: 'Processed' })).toBeVisible();

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
  await expect(widget.getByRole('heading', { name: 'Paid out' })).toBeVisible({ timeout: 20_000 });
});

async function press(page: Page, host: HostPage, name: RegExp): Promise<void> {
  await expect(host.widget.getByRole('button', { name })).toBeVisible();
  await tabTo(page, host, name);
  await page.keyboard.press('Enter');
}

/** Presses Tab until the thing with that name has the focus in the widget. */
async function tabTo(page: Page, { widget }: HostPage, name: RegExp): Promise<void> {
  const wanted = widget.getByRole('button', { name }).or(widget.getByRole('textbox', { name }));
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    for (const candidate of await wanted.all()) {
      if (await candidate.evaluate((element) => element === document.activeElement)) return;
    }
  }
  throw new Error(`Tab never reached ${name}`);
}
