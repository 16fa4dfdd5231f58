import { expectAccessible, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { readQr } from '../stack/qr-reader.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

for (const [pageId, method] of [
  ['eazype', 'UPI by QR code'],
  ['upi-qr', 'UPI code'],
] as const) {
  test(`[DEP-6] [CRY-5] [NAV-7] the ${pageId} page carries a UPI intent that a camera reads, and pays`, async ({
    page,
    stack,
  }) => {
    const demo = new DemoPage(page);
    const wish = { page: pageId, method, currency: 'INR', country: 'IN', amount: '500' };
    const depositId = await openHandPayment(demo, stack, wish);
    const before = await demo.balanceAmount();
    const code = demo.widget.getByRole('img', { name: 'QR code of this payment' });
    const link = demo.widget.getByRole('link', { name: 'Open a UPI app' });
    const intent = await link.getAttribute('href');
    await expect.poll(() => readQr(code)).toBe(intent);
    const asked = new URL(intent ?? '').searchParams;
    expect([asked.get('am'), asked.get('cu')]).toEqual(['500.00', 'INR']);
    await expect(demo.widget.getByText(asked.get('pa') ?? 'none')).toBeVisible();
    await expectAccessible(demo);
    await reloadWidget(demo, stack);
    await expect(link).toHaveAttribute('href', intent ?? '');
    await demo.widget.getByRole('button', { name: 'I have paid' }).click();
    await expect(demo.widget.getByRole('timer')).toHaveCount(0);
    await atProvider(stack, depositId, 'pay');
    await expect(demo.widget.getByRole('heading', { name: 'Processed' })).toBeVisible();
    await expect.poll(() => demo.balanceAmount()).toBe(before + 50_000n);
  });
}
