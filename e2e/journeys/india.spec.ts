import { expectAccessible, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { readQr } from '../stack/qr-reader.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

// A phone: its apps are the first way to pay.
test.use({ viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true });

test('[DEP-10] [LIST-6] [NAV-7] UPI: apps to open, a code that a camera reads, an id to copy, then paid, credited and offered again', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, {
    flow: 'india',
    page: 'invoice',
    // The tile of all UPI methods. On a phone it opens the method with an app.
    method: 'UPI',
    currency: 'INR',
    country: 'IN',
    amount: '1500',
  });
  const before = await demo.balanceAmount();
  const upi = demo.widget.getByRole('link', { name: 'UPI', exact: true });
  const intent = (await upi.getAttribute('href')) ?? '';
  expect(intent).toMatch(/^upi:\/\/pay\?pa=[^&]+@sandbox&pn=[^&]+&am=1500\.00&cu=INR&tr=SBX\d{8}/);
  await expect(demo.widget.getByRole('link', { name: 'PhonePe' })).toHaveAttribute('href', /^phonepe:\/\/pay\?pa=/);
  const code = demo.widget.getByRole('img', { name: 'QR code for this payment' });
  await expect.poll(() => readQr(code)).toBe(intent);
  await expect(demo.widget.getByText(/^cashier\.\d{6}@sandbox$/)).toBeVisible();
  await expectAccessible(demo);
  await reloadWidget(demo, stack);
  await expect.poll(() => readQr(code)).toBe(intent);
  await demo.widget.getByRole('button', { name: 'I have paid' }).press('Enter');
  await atProvider(stack, depositId, 'pay');
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 150_000n);
  // On the next visit, on any device, the method is the first row, and its form is filled in.
  await demo.widget.locator('html').evaluate(() => localStorage.clear());
  await page.goto(page.url());
  await demo.openCashier();
  await demo.widget.getByRole('button', { name: /^Deposit .*1,500.* again$/ }).click();
  await expect(demo.widget.getByRole('heading', { name: 'UPI apps' })).toBeVisible();
  await expect(demo.widget.getByRole('textbox', { name: 'Amount' })).toHaveValue('1,500.00');
  await expect(demo.widget.getByRole('button', { name: /^Deposit .*1,500\.00/ })).toBeVisible();
});
