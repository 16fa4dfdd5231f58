import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DemoPage, expect, test } from '../stack/test.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

test.use({ stackOptions: [{ hasOwnWallet: true }, { scope: 'worker' }] });

test("[SRV-2] [WD-2] [WD-3] an operator's own wallet: the cashier adds a deposit there, and asks it before a withdrawal is held", async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, { currency: 'USD', country: 'DE' });
  const calls = page.getByRole('list', { name: 'Wallet calls' }).getByRole('listitem');
  await expect(calls).toHaveText('None yet. Make a deposit or a withdrawal.');

  await demo.openCashier();
  await demo.choose('Bank card');
  const popup = await demo.deposit('60.00');
  await popup.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(demo.balance).toHaveText('$60.00');
  await expect(calls).toHaveText(/^creditdeposit, done.*\+\$60\.00$/);

  // The withdrawal screen shows what the wallet answers, after a loss in the operator's game. An answer may be three seconds old.
  await page.reload();
  await page.getByRole('button', { name: 'Lose a round for 5.00' }).click();
  await expect(demo.balance).toHaveText('$55.00');
  await expect(async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await demo.widget
      .getByRole('button', { name: /^PayPal/ })
      .or(demo.widget.getByRole('link', { name: /^PayPal/ }))
      .first()
      .click();
    await expect(demo.widget.getByText('Available $55.00')).toBeVisible({ timeout: 3_000 });
  }).toPass();

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
  await expect(page.getByText('Withdrawal not made by paypal_withdrawal')).toBeVisible();

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

test("[SRV-6] the demo's wallet keeps every rule that the command of the documents checks", async ({ stack }) => {
  const program = 'packages/server/dist/cli/main.js';
  const args = [program, 'check', `${stack.demoUrl}/cashier-wallet`, '--test-user', 'guest-check'];
  const env = { ...process.env, WEBHOOK_SECRETS: stack.webhookSecret };
  // It rejects if a rule does not hold.
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env });
  expect(stdout).toContain('whole-balance-at-once');
  expect(stdout).not.toMatch(/^(?:FAIL|skip)/m);
});
