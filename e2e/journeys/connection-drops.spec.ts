import { expectNoSidewaysScroll, expectNoViolation } from '../stack/accessible.ts';
import { openHandPayment } from '../stack/hand-payment.ts';
import { SocketLine } from '../stack/socket-line.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

const words = 'No response yet. Check your connection. We are still trying.';

/** The form of a transfer to an account, filled in. */
async function openForm(demo: DemoPage, stack: Parameters<DemoPage['open']>[0]) {
  await demo.page.setViewportSize({ width: 390, height: 800 });
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await demo.choose('Transfer to a bank account');
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('1500');
  return demo.widget.getByRole('button', { name: /^Deposit/ });
}

test('[NET-3] the deposit form says at once that the device is offline; a press sends nothing and loses nothing', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const button = await openForm(demo, stack);
  const amount = demo.widget.getByRole('textbox', { name: 'Amount' });
  const place = await amount.boundingBox();
  await page.context().setOffline(true);
  await expect(demo.widget.getByText(words)).toBeInViewport({ ratio: 1 });
  expect(await amount.boundingBox(), 'the words push nothing around').toEqual(place);
  await button.click();
  await expect(demo.widget.getByText('No connection. Your request was not sent. Try again.')).toBeInViewport();
  await expectNoViolation(demo.widget, 'the form without a connection');
  await expectNoSidewaysScroll(demo.widget, 'the form without a connection');
  await page.context().setOffline(false);
  await expect(demo.widget.getByText(words)).toHaveCount(0);
  await expect(demo.widget.getByRole('textbox', { name: 'Amount' })).toHaveValue('1,500');
  await button.click();
  await expect(demo.widget.getByRole('timer', { name: 'Time left' })).toBeVisible();
});

test('[NET-3] the deposit form says within seconds that no answer comes, until one does', async ({ page, stack }) => {
  const line = await SocketLine.watch(page, 'deposit-create');
  const demo = new DemoPage(page);
  const button = await openForm(demo, stack);
  line.hold();
  await button.click();
  await expect(demo.widget.getByText(words)).toBeInViewport({ ratio: 1, timeout: 12_000 });
  line.release();
  await expect(demo.widget.getByText(words)).toHaveCount(0);
});

test('[NET-3] [DEP-11] the invoice of a transfer to a person says at once that the connection has dropped', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await openHandPayment(demo, stack, {
    flow: 'peer-to-peer',
    page: 'invoice',
    method: 'Transfer to a bank account',
    currency: 'INR',
    country: 'IN',
    amount: '1500',
  });
  const line = demo.widget.getByText(words);
  await expect(line).toHaveCount(0);
  await page.context().setOffline(true);
  await expect(line).toBeInViewport({ ratio: 1 });
  await demo.widget.getByRole('button', { name: 'I have paid' }).click();
  // The user may have paid, so it does not say that nothing was sent.
  const unanswered = 'No connection right now. If you have already paid, do not pay again. Press the button again.';
  await expect(demo.widget.getByText(unanswered)).toBeInViewport();
  await expect(demo.widget.getByRole('button', { name: 'Cancel deposit' })).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(line).toHaveCount(0);
});
