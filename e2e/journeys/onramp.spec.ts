import { expectAccessible } from '../stack/hand-payment.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test('[DEP-14] [AMT-8] [NAV-7] coins from a seller: amount, offers best first, the seller’s page, credited', async ({
  page,
  stack,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const demo = new DemoPage(page);
  const { widget } = demo;
  await demo.open(stack, { currency: 'EUR', country: 'DE' });
  const before = await demo.balanceAmount();
  await demo.openCashier();
  await demo.choose('Buy crypto with a card');
  await widget.getByRole('textbox', { name: 'Amount' }).fill('100');
  await widget.getByRole('button', { name: /^Deposit/ }).click();

  const offers = widget.getByRole('radio');
  await expect(offers).toHaveCount(3);
  await expect(widget.locator('label').first()).toContainText('Best offer');
  await expect(offers.first()).toBeChecked();
  await expectAccessible(demo);
  await demo.reload();
  await expect(offers).toHaveCount(3);

  await offers.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(offers.nth(1)).toBeChecked();
  const popup = page.waitForEvent('popup');
  await widget.getByRole('button', { name: /^Continue with/ }).click();
  await (await popup).getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 10_000n);
});
