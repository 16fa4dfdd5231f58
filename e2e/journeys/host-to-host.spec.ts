import { expectAccessible, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test('[DEP-12] [NAV-7] a transfer to a card with support beside it: details, a reload, paid, credited', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, {
    flow: 'host-to-host',
    page: '',
    method: 'Elcart card',
    currency: 'KGS',
    country: 'KG',
    amount: '1500',
  });
  const before = await demo.balanceAmount();
  const card = (await demo.widget.getByText(/^9417 00\d\d \d{4} \d{4}$/).textContent()) ?? '';
  await demo.widget.getByRole('button', { name: 'Contact support' }).press('Enter');
  const number = depositId.slice(0, 8).toUpperCase();
  const help = demo.widget.getByRole('dialog');
  await expect(help.getByText(number)).toBeVisible();
  await expect(help.getByRole('link', { name: 'Support page' })).toHaveAttribute('href', /^https:/);
  // The host got the message, too, and shows it on its own page.
  await expect(page.getByText(`Our support team would help you here with payment ${number}.`)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expectAccessible(demo);
  await reloadWidget(demo, stack);
  await expect(demo.widget.getByText(card)).toBeVisible();
  await demo.widget.getByRole('button', { name: 'I have paid' }).press('Enter');
  await atProvider(stack, depositId, 'pay');
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 150_000n);
});

test('[DEP-10] a virtual account says that it is this deposit’s own', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  await openHandPayment(demo, stack, {
    flow: 'host-to-host',
    page: '',
    method: 'Transfer to your personal account number',
    currency: 'NGN',
    country: 'NG',
    amount: '5000',
  });
  await expect(demo.widget.getByText(/for this deposit only/)).toBeVisible();
  await expectAccessible(demo);
});
