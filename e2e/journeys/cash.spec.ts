import { expectAccessible, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

const intent = { flow: 'cash', page: 'agents', method: 'Cash agent', currency: 'INR', country: 'IN', amount: '1500' };

test('[DEP-13] [NAV-7] cash: agents with their contacts, what to tell them, a reload, paid and credited', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, intent);
  const before = await demo.balanceAmount();
  const agent = demo.widget.getByRole('link', { name: 'Agent North' });
  await expect(agent).toHaveAttribute('href', 'https://agents.example.com/in/1');
  await expect(agent).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(demo.widget.getByText(/^SBX\d{8}$/)).toBeVisible();
  await expectAccessible(demo);
  await reloadWidget(demo, stack);
  await expect(agent).toBeVisible();
  // The click must come before the money. Once the money is there, the page continues by itself.
  await demo.widget.getByRole('button', { name: 'I have paid' }).press('Enter');
  await atProvider(stack, depositId, 'pay');
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 150_000n);
});

test('[DEP-13] [FORM-9] contacts that are script are no links', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  await openHandPayment(demo, stack, { ...intent, amount: '1500.25' });
  await expect(demo.widget.getByRole('link', { name: /^Agent/ })).toHaveCount(0);
  expect(await demo.widget.locator('a[href^="javascript" i]').count()).toBe(0);
  // The catalogue's own contact is still there.
  await expect(demo.widget.getByRole('link', { name: 'Contact an agent' })).toBeVisible();
});
