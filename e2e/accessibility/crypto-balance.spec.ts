import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '../stack/hand-payment.ts';
import { setRates } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

const words = {
  en: { crypto: 'Crypto', stale: /may be out of date/, currency: /^Currency/, close: 'Close', tether: 'Tether' },
  ar: { crypto: 'عملات مشفرة', stale: /وقد يكون قديمًا/, currency: /^العملة/, close: 'إغلاق', tether: 'تيثر' },
} as const;

// The rates are the same for everybody on this stack.
test.afterEach(({ stack }) => setRates(stack, 'fresh'));

for (const [locale, theme] of [
  ['en', 'light'],
  ['en', 'dark'],
  ['ar', 'dark'],
] as const) {
  test(`[UI-3] [UI-4] balances, their currencies and an address have no violation in ${locale}, ${theme}`, async ({
    page,
    stack,
  }) => {
    const { crypto, stale, currency, close, tether } = words[locale];
    await page.setViewportSize({ width: 390, height: 800 });
    const demo = new DemoPage(page);
    await setRates(stack, 'stopped', { ageSeconds: 86_400 });
    await demo.open(stack, { currency: 'USD', country: 'IN', variant: 'cryptobalance', locale, theme });
    await page.getByRole('button', { name: 'Deposit', exact: true }).click();
    await demo.widget.getByRole('tab', { name: crypto }).click();
    await expect(demo.widget.getByText(stale)).toBeVisible();
    await expect(demo.widget.getByRole('button', { name: tether, exact: true })).toBeVisible();
    await expectAccessible(demo);
    await demo.widget.getByRole('button', { name: currency }).click();
    const sheet = demo.widget.getByRole('dialog');
    await expect(sheet.getByRole('option').first()).toBeVisible();
    await expectAccessible(demo);
    await sheet.getByRole('button', { name: close }).click();
    await demo.widget.getByRole('button', { name: tether, exact: true }).click();
    await expect(demo.widget.locator('bdi[dir=ltr]').first()).toHaveText(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
    await expectAccessible(demo);
  });
}

test('[UI-3] a balance, its currency and a coin’s address can be reached with the keyboard alone', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const { widget } = demo;
  await demo.open(stack, { currency: 'USD', country: 'IN', variant: 'cryptobalance' });
  const fiat = widget.getByRole('tab', { name: 'Fiat' });
  await page.getByRole('button', { name: 'Deposit', exact: true }).press('Enter');
  await tabTo(page, fiat);
  await page.keyboard.press('ArrowRight');
  await expect(widget.getByRole('tab', { name: 'Crypto' })).toBeFocused();
  const chosen = widget.getByRole('button', { name: 'Currency: USDT' });
  await tabTo(page, chosen);
  await page.keyboard.press('Enter');
  await expect(widget.getByRole('combobox', { name: 'Search by code or name' })).toBeFocused();
  await page.keyboard.type('trx');
  await page.keyboard.press('Enter');
  await expect(widget.getByRole('button', { name: 'Currency: TRX' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(widget.getByRole('button', { name: 'Currency: TRX' })).toBeFocused();
  const coin = widget.getByRole('button', { name: 'Tron', exact: true });
  await tabTo(page, coin);
  await page.keyboard.press('Enter');
  await expect(widget.locator('bdi[dir=ltr]').first()).toHaveText(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
  await tabTo(page, widget.getByRole('button', { name: 'Back' }));
  await page.keyboard.press('Enter');
  await expect(widget.getByRole('button', { name: 'Currency: TRX' })).toBeVisible();
});

/** Presses Tab until it has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab never reached ${wanted}`);
}
