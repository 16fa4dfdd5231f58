import type { Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import { withDatabase } from '../stack/ledger.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';

let site: StaticSite;
let stack: Stack;

let people = 0;

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

/** The form of a method that asks for a captcha, filled in. */
async function voucher(page: Page, captchaId: string | undefined, amount = '50.00') {
  people += 1;
  const userId = `guarded-${people}`;
  const host = new HostPage(page, stack, site);
  const meta = captchaId === undefined ? {} : { geetestCaptchaId: captchaId };
  await host.open('/deposit/redirect/voucher', { userId, payload: { schema: { meta, assets: {} } } });
  const { widget } = host;
  await widget.getByRole('textbox', { name: 'Amount' }).fill(amount);
  await widget.getByLabel('Voucher code').fill('GIFT-2026-AB12');
  const sheet = widget.getByRole('dialog', { name: 'Security check' });
  return {
    widget,
    sheet,
    captcha: sheet.frameLocator('iframe'),
    press: () => widget.getByRole('button', { name: /^Deposit/ }).click(),
    alert: widget.getByRole('main').getByRole('alert'),
    /** The provider's window is open, or the link to it is offered. */
    paying: widget.getByText('Waiting for your payment').or(widget.getByRole('link', { name: 'Open payment page' })),
    /** The amounts of the deposits, in SQL. */
    async deposits(): Promise<string[]> {
      const rows = await withDatabase(stack, (ask) =>
        ask<{ amount: string }>(`select amount::text as amount from deposit where user_id = '${userId}'`),
      );
      await stack.startCashier();
      return rows.map(({ amount: kept }) => kept);
    },
  };
}

test('[ERR-5] [DEP-2] [DEP-16] a solved captcha is verified by the server, and its last click opens the payment window', async ({
  page,
}) => {
  const { sheet, captcha, press, paying, widget, deposits } = await voucher(page, 'sandbox-captcha');
  await press();
  await expect(sheet).toBeVisible();
  expect(page.context().pages()).toHaveLength(1);
  await expect(captcha.getByRole('button', { name: 'I am a person' })).toBeVisible();
  const popup = page.waitForEvent('popup');
  await captcha.getByRole('button', { name: 'I am a person' }).click();
  await popup;
  await expect(sheet).toHaveCount(0);
  await expect(paying).toBeVisible();
  await expect(widget.getByText('Waiting for your payment')).toBeVisible();
  expect(await deposits()).toEqual(['5000']);
});

test('[ERR-5] [UI-3] Escape closes the captcha: nothing is sent, the focus returns, and it can be tried again', async ({
  page,
}) => {
  const { widget, sheet, captcha, press, alert, paying, deposits } = await voucher(page, 'sandbox-captcha');
  await press();
  await expect(sheet).toBeVisible();
  await expect(captcha.getByRole('button', { name: 'I am a person' })).toBeVisible();
  await widget.getByRole('button', { name: 'Close the security check' }).press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(alert).toContainText('The security check was closed.');
  await expect(widget.getByRole('button', { name: /^Deposit/ })).toBeFocused();
  expect(page.context().pages()).toHaveLength(1);
  await press();
  await captcha.getByRole('button', { name: 'I am a person' }).click();
  await expect(paying).toBeVisible();
  expect(await deposits()).toEqual(['5000']);
});

test('[ERR-5] a captcha that the server refuses is run once more and then says so', async ({ page }) => {
  const { sheet, captcha, press, alert, deposits } = await voucher(page, 'sandbox-captcha:refused');
  await press();
  const person = captcha.getByRole('button', { name: 'I am a person' });
  await expect(person).toBeVisible();
  const firstRound = await sheet.locator('iframe').elementHandle();
  await person.click();
  await expect.poll(() => firstRound?.evaluate((frame) => frame.isConnected)).toBe(false);
  await person.click();
  await expect(alert).toContainText('Please complete the security check and try again.');
  await expect(sheet).toHaveCount(0);
  expect(await deposits()).toEqual([]);
});

test('[ERR-5] [ERR-2] an expired captcha says so', async ({ page }) => {
  const { captcha, press, alert, deposits } = await voucher(page, 'sandbox-captcha');
  await press();
  await captcha.getByRole('button', { name: 'Expire' }).click();
  await expect(alert).toContainText('The security check has expired. Please try again.');
  expect(await deposits()).toEqual([]);
});

test('[ERR-5] [ERR-2] without an id there is no captcha and no deposit', async ({ page }) => {
  const { press, alert, sheet, deposits } = await voucher(page, undefined);
  await press();
  await expect(alert).toContainText('The security check is not available here.');
  await expect(sheet).toHaveCount(0);
  expect(await deposits()).toEqual([]);
});

test('[ERR-5] if the captcha cannot run, only a small amount can be paid', async ({ page }) => {
  const much = await voucher(page, 'sandbox-captcha:environment', '50.00');
  await much.press();
  await expect(much.widget.getByText('The security check does not work in this browser.')).toBeVisible();
  await expect(much.widget.getByText(/^The maximum amount is/)).toBeVisible();
  await much.widget.getByRole('textbox', { name: 'Amount' }).fill('10.00');
  await much.press();
  await expect(much.paying).toBeVisible();
  expect(await much.deposits()).toEqual(['1000']);
});
