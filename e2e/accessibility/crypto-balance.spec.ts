import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { setRates } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';
import { expectAccessibleInEachLook, markTexts } from './every-look.ts';

test.use({ viewport: { width: 390, height: 800 } });
// All users of this stack share the rates.
test.afterEach(({ stack }) => setRates(stack, 'fresh'));

test('[UI-3] a balance of old rates and the list of its currencies, in both themes, English, Arabic and Hindi', async ({
  page,
  stack,
  site,
}) => {
  await markTexts(page);
  await setRates(stack, 'stopped', { ageSeconds: 86_400 });
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  await host.open('/cryptobalance/deposit/crypto', { payload: { widgetViewType: 'cryptobalance' } });
  await expect(widget.getByText(/balance\.staleRate/)).toBeVisible();
  await expect(widget.locator('main li button').first()).toBeVisible();
  await expectAccessibleInEachLook(host, 'balance');
  await widget.locator('main button[aria-haspopup]').first().click();
  await expect(widget.getByRole('dialog').getByRole('option').first()).toBeVisible();
  await expectAccessibleInEachLook(host, 'currencies');
});

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
  await expect(widget.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(widget.getByRole('button', { name: 'Currency: TRX' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(widget.getByRole('combobox', { name: 'Search by code or name' })).toBeFocused();
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

test('[UI-3] [CRY-3] coins are withdrawn from their balance with the keyboard alone', async ({ page, stack, site }) => {
  const userId = `coin-keys-${process.pid}`;
  const funded = await fetch(`${stack.cashierUrl}/operator/v1/users/${userId}/transfers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ transferId: randomUUID(), amount: '200', currency: 'USDT', from: 'operator', to: 'main' }),
  });
  expect(funded.ok).toBe(true);
  await markTexts(page);
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  await host.open('/cryptobalance/withdrawal', { userId, payload: { widgetViewType: 'cryptobalance' } });
  await tabTo(page, widget.getByRole('tab', { name: /balance\.fiat/ }));
  await page.keyboard.press('ArrowRight');
  await expect(widget.getByText(/^200(?:\.0+)?\sUSDT$/)).toBeVisible();
  await tabTo(page, widget.getByRole('button', { name: 'Tether TRC-20', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page, widget.getByRole('textbox').first());
  await page.keyboard.type('50');
  await tabTo(page, widget.locator('[name=wallet]'));
  await page.keyboard.type('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8');
  await page.keyboard.press('Enter');
  const confirm = widget.getByRole('button', { name: /confirm\.confirm/ });
  await tabTo(page, confirm);
  await expectAccessibleInEachLook(host, 'confirm');
  await page.keyboard.press('Enter');
  await expect(widget.getByRole('heading', { name: /withdrawalComplete\.processed/ })).toBeVisible({ timeout: 60_000 });
  await expectAccessibleInEachLook(host, 'complete');
});

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab never reached ${wanted}`);
}
