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
    await expect.poll(() => readQr(code)).toMatch(/^upi:/);
    const intent = await readQr(code);
    const asked = new URL(intent ?? '').searchParams;
    // This browser is a desktop's: the code comes first and whole, and no link leads to an app that is not there.
    await expect(demo.widget.getByRole('link', { name: 'Open a UPI app' })).toHaveCount(0);
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
