import { DemoPage, expect, test } from '../stack/test.ts';

test.use({ stackOptions: [{ hasOwnWallet: true }, { scope: 'worker' }] });

test("[SRV-2] [WD-2] [WD-3] an operator's own wallet: the cashier adds a deposit there, and asks it before a withdrawal is held", async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'USD', country: 'DE' });
  const calls = page.getByRole('list', { name: 'Calls to this wallet' }).getByRole('listitem');
  await expect(calls).toHaveText('None yet. Make a deposit or a withdrawal.');

  await demo.openCashier();
  await demo.choose('Bank card');
  const popup = await demo.deposit('60.00');
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(demo.balance).toHaveText('$60.00');
  await expect(calls).toHaveText(/^creditdeposit, done.*\+\$60\.00$/);
  await page.reload();

  // The cashier's withdrawal screen shows what the wallet answers, after a loss in the operator's game.
  await page.getByRole('button', { name: 'Lose a round for 5.00' }).click();
  await expect(demo.balance).toHaveText('$55.00');
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await demo.widget
    .getByRole('button', { name: /^PayPal/ })
    .or(demo.widget.getByRole('link', { name: /^PayPal/ }))
    .first()
    .click();
  await expect(demo.widget.getByText('$55.00').first()).toBeVisible();

  // Lost in another tab while the form is open: the wallet alone knows it, and declines.
  const game = new DemoPage(await page.context().newPage());
  await game.open(stack, { currency: 'USD', country: 'DE', user: demo.userId });
  await game.page.getByRole('button', { name: 'Lose a round for 5.00' }).click();
  await expect(demo.balance).toHaveText('$50.00');
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('55.00');
  await demo.widget.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await demo.widget.getByRole('button', { name: /^Withdraw/ }).click();
  await expect(calls.first()).toHaveText(/^debitwithdrawal, declined.*\$55\.00$/);
  await expect(demo.balance).toHaveText('$50.00');

  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('20.00');
  await demo.widget.getByRole('button', { name: /^Withdraw/ }).click();
  await expect(calls.first()).toHaveText(/^debitwithdrawal, done.*−\$20\.00$/);
  await expect(demo.balance).toHaveText('$30.00');
  await expect(demo.widget.getByRole('textbox', { name: /^Confirmation code/ })).toBeVisible();
  await page.reload();
  await expect(demo.balance).toHaveText('$30.00');
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
