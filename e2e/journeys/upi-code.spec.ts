import { expectAccessible, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { readQr } from '../stack/qr-reader.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

const india = { currency: 'INR', country: 'IN' } as const;

test('[LIST-2] [DEP-10] UPI is one tile: a desktop begins with the code, and the way by an app takes the amount along', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await demo.open(stack, india);
  await demo.openCashier();
  const { widget } = demo;
  await expect(widget.getByRole('button', { name: /UPI|PhonePe/ })).toHaveCount(1);
  await demo.choose('UPI');
  const code = widget.getByRole('radio', { name: 'Scan a code' });
  const amount = widget.getByRole('textbox', { name: 'Amount' });
  await expect(code).toBeChecked();
  await amount.fill('30000');
  await widget.getByRole('button', { name: /^For .*30,000\.00.*: Pay with an app$/ }).click();
  await expect(widget.getByRole('heading', { name: 'UPI apps' })).toBeVisible();
  await expect(amount).toHaveValue('30,000');
  await expectAccessible(demo);
  await page.setViewportSize({ width: 1280, height: 800 });
  await amount.fill('2500');
  // The chosen option keeps the focus, so that arrow keys continue from it.
  await widget.getByRole('radio', { name: 'Pay with an app' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(code).toBeFocused();
  await expect(amount).toHaveValue('2,500');
  await widget.getByRole('button', { name: 'Back' }).click();
  await expect(widget.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
});

for (const [pageId, more] of [
  ['eazype', { method: 'UPI' }],
  ['upi-qr', { method: 'UPI code', at: 'redirect/upi_qr' }],
] as const) {
  test(`[DEP-6] [CRY-5] [NAV-7] the ${pageId} page carries a UPI intent that a camera reads, and pays`, async ({
    page,
    stack,
  }) => {
    const demo = new DemoPage(page);
    const payment = { page: pageId, ...india, ...more, amount: '500' };
    const depositId = await openHandPayment(demo, stack, payment);
    const before = await demo.balanceAmount();
    const code = demo.widget.getByRole('img', { name: 'QR code for this payment' });
    await expect.poll(() => readQr(code)).toMatch(/^upi:/);
    const intent = await readQr(code);
    const asked = new URL(intent ?? '').searchParams;
    // On a desktop the code comes first, complete, and there are no links to apps that a desktop lacks.
    await expect(demo.widget.getByRole('link', { name: 'Open UPI app' })).toHaveCount(0);
    await expect(code).toBeInViewport({ ratio: 1 });
    expect([asked.get('am'), asked.get('cu')]).toEqual(['500.00', 'INR']);
    await expect(demo.widget.getByText(asked.get('pa') ?? 'none')).toBeVisible();
    await expectAccessible(demo);
    await reloadWidget(demo, stack);
    await expect.poll(() => readQr(code)).toBe(intent);
    await demo.widget.getByRole('button', { name: 'I have paid' }).click();
    await expect(demo.widget.getByRole('timer')).toHaveCount(0);
    await atProvider(stack, depositId, 'pay');
    await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
    await expect.poll(() => demo.balanceAmount()).toBe(before + 50_000n);
  });
}
