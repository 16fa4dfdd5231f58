import type { Locator, Page } from '@playwright/test';
import { HostPage } from '../stack/host-page.ts';
import type { Stack } from '../stack/stack.ts';
import type { StaticSite } from '../stack/static-site.ts';
import { expect, test } from '../stack/test.ts';
import { fundedUser, mainBalance } from '../stack/withdrawing.ts';

let site: StaticSite;
let stack: Stack;

test.use({ viewport: { width: 390, height: 800 } });

test.beforeAll(({ stack: cashier, site: hosts }) => {
  [stack, site] = [cashier, hosts];
});

/** Presses Tab until the element has the focus, and checks that nothing covers it (WCAG 2.4.11). */
async function tabTo(page: Page, target: Locator, most = 40): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < most; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      const isSeen = await target.evaluate((element) => {
        const box = element.getBoundingClientRect();
        const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return top !== null && (element.contains(top) || top.contains(element));
      });
      expect(isSeen, 'what has the focus can be seen').toBe(true);
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab never reached it');
}

test('[UI-3] [WD-1] a withdrawal to a bank of Nigeria is made with the keyboard alone', async ({ page }) => {
  const userId = await fundedUser(stack, 'NGN', '250000.00');
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  await host.open('/withdrawal', { currency: 'NGN', country: 'NG', userId });
  await tabTo(page, widget.getByRole('button', { name: 'Nigerian banks', exact: true }));
  await page.keyboard.press('Enter');

  await tabTo(page, widget.getByRole('searchbox', { name: 'Search banks' }));
  await page.keyboard.type('bank');
  await expect(widget.locator('main').getByRole('status')).toHaveText(/banks found/);
  // Several options are left: neither Enter nor an arrow key may choose one of them.
  await page.keyboard.press('Enter');
  expect(host.path()).toBe('/withdrawal/nigerian-banks/nigerian_banks');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('zenith');
  await tabTo(page, widget.getByRole('button', { name: 'Zenith Bank' }));
  await page.keyboard.press('Enter');
  // The heading of the new page has the focus.
  await expect(widget.getByRole('heading', { level: 1 })).toBeFocused();

  await tabTo(page, widget.getByRole('button', { name: 'Change bank, currently Zenith Bank' }));
  await page.keyboard.press('Enter');
  await tabTo(page, widget.getByRole('searchbox', { name: 'Search banks' }));
  await page.keyboard.type('guaranty');
  await page.keyboard.press('Enter');
  await expect(widget.getByText('Guaranty Trust Bank (GTBank)')).toBeVisible();

  await tabTo(page, widget.getByRole('textbox', { name: 'Amount' }));
  await page.keyboard.type('5000');
  // Enter moves to the next empty field and does not submit an incomplete form.
  await page.keyboard.press('Enter');
  const account = widget.getByRole('textbox', { name: 'Account number' });
  await tabTo(page, account);
  await page.keyboard.type('0123456784');
  await expect(account).toHaveAccessibleDescription(/This account number does not match the chosen bank/);
  await page.keyboard.press('Backspace');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');

  await tabTo(page, widget.getByRole('button', { name: 'Confirm withdrawal' }));
  await page.keyboard.press('Enter');
  await expect(widget.getByRole('heading', { name: 'Paid out' })).toBeVisible();
  expect(await mainBalance(stack, userId, 'NGN')).toBe('245000.00');
});

test('[UI-3] [FORM-7] a bank of a long list is found in its sheet with the keyboard alone', async ({ page }) => {
  const userId = await fundedUser(stack, 'BRL', '500.00');
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  await host.open('/withdrawal/redirect/ted_withdrawal', { currency: 'BRL', country: 'BR', userId });
  const bank = widget.getByRole('combobox', { name: 'Bank' });
  await tabTo(page, bank);
  await page.keyboard.type('nub');
  const sheet = widget.getByRole('dialog', { name: 'Bank' });
  await expect(sheet.getByRole('option')).toHaveText(['Nubank']);
  await page.keyboard.press('Enter');
  await expect(sheet).toHaveCount(0);
  await expect(bank).toBeFocused();
  await expect(bank).toHaveText('Nubank');
});
