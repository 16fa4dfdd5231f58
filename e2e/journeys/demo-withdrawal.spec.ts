import { DemoPage, expect, test } from '../stack/test.ts';

test('[WD-2] [SRV-5] [HOST-15] what was deposited is withdrawn with a code: the demo shows the hold, the code and the balance by webhooks alone', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'USD', country: 'DE' });
  await demo.openCashier();
  await demo.choose('Bank card');
  const popup = await demo.deposit('60.00');
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect.poll(() => demo.balanceAmount()).toBe(6000n);
  await page.reload();
  await expect(demo.balance).toHaveText('$60.00');

  await page.getByRole('button', { name: 'Developer' }).click();
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  await demo.widget
    .getByRole('button', { name: /^PayPal/ })
    .or(demo.widget.getByRole('link', { name: /^PayPal/ }))
    .first()
    .click();
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('20.00');
  await demo.widget.getByRole('textbox', { name: 'Email' }).fill('ada@example.com');
  await demo.widget.getByRole('button', { name: /^Withdraw/ }).click();

  const field = demo.widget.getByRole('textbox', { name: /^Confirmation code/ });
  await expect(field).toBeVisible();
  await expect(demo.balance).toHaveText('$40.00');
  await expect(page.getByText('$20.00 on hold')).toBeVisible();
  const code = page.getByRole('list', { name: 'Codes' }).getByRole('code');
  await expect(code).toHaveText(/^\d{6}$/);
  const right = (await code.textContent()) ?? '';

  const confirm = demo.widget.getByRole('button', { name: 'Confirm withdrawal' });
  await field.fill(right === '000000' ? '000001' : '000000');
  await confirm.click();
  await expect(demo.widget.getByText(/4 attempts left/)).toBeVisible();
  await field.fill(right);
  await confirm.click();
  await expect(demo.widget.getByRole('heading', { name: 'Paid out' })).toBeVisible({ timeout: 30_000 });
  const said = page.getByRole('list', { name: 'Bridge messages' }).getByRole('listitem');
  for (const event of ['progress', 'success']) {
    await expect(said.filter({ hasText: new RegExp(`"event": "${event}", "withdrawalId"`) })).toHaveCount(1);
  }
  await expect(page.getByText('Withdrawn by paypal_withdrawal')).toBeVisible();
  await expect(demo.balance).toHaveText('$40.00');
  await expect(page.getByText('on hold')).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Codes' })).toHaveText('None.');
});
