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

test('[WD-1] [NAV-7] a bank is searched, a wrong account refused, the right one paid; each page survives a reload', async ({
  page,
}) => {
  const userId = await fundedUser(stack, 'NGN', '250000.00');
  const host = new HostPage(page, stack, site);
  const { widget } = host;
  await host.open('/withdrawal', { currency: 'NGN', country: 'NG', userId });
  await widget.getByRole('button', { name: 'Nigerian banks', exact: true }).click();
  const banks = widget.getByRole('list', { name: 'Banks' }).getByRole('button');
  await expect(banks).toHaveCount(33);
  await host.reload();
  await widget.getByRole('searchbox', { name: 'Search banks' }).fill('trust guar');
  await expect(banks).toHaveText(['Guaranty Trust Bank (GTBank)']);
  await banks.first().click();

  await host.reload();
  await expect(widget.getByText('Guaranty Trust Bank (GTBank)')).toBeVisible();
  await widget.getByRole('textbox', { name: 'Amount' }).fill('5000');
  const account = widget.getByRole('textbox', { name: 'Account number' });
  // A number of First Bank of Nigeria.
  await account.fill('0000014579');
  await account.blur();
  await expect(account).toHaveAccessibleDescription(/This account number does not match the chosen bank/);
  await expect(widget.getByRole('button', { name: /^Withdraw/ })).toBeDisabled();

  await widget.getByRole('button', { name: /^Change bank/ }).click();
  await widget.getByRole('searchbox', { name: 'Search banks' }).fill('first bank');
  await banks.filter({ hasText: 'First Bank of Nigeria' }).click();
  await expect(account).toHaveValue('0000014579');
  await expect(account).not.toHaveAttribute('aria-invalid', 'true');
  await widget.getByRole('button', { name: /^Withdraw/ }).click();

  const confirm = widget.getByRole('button', { name: 'Confirm withdrawal' });
  await expect(confirm).toBeVisible();
  await expect(widget.getByText('₦4,950.00')).toBeVisible();
  expect(await mainBalance(stack, userId, 'NGN')).toBe('245000.00');
  await host.reload();
  await confirm.click();
  await expect(widget.getByRole('heading', { name: 'Paid out' })).toBeVisible();
  await host.reload();
  await expect(widget.getByRole('heading', { name: 'Paid out' })).toBeVisible();
  expect(await mainBalance(stack, userId, 'NGN')).toBe('245000.00');
});
