import { expectAccessible, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { readQr } from '../stack/qr-reader.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test('[DEP-3] [CRY-5] [NAV-7] a SEPA transfer: the code that banks read says what the page says, and pays', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, {
    page: 'bank-transfer',
    method: 'SEPA transfer',
    currency: 'EUR',
    country: 'DE',
    amount: '50',
  });
  const before = await demo.balanceAmount();
  const code = demo.widget.getByRole('img', { name: 'QR code for this payment' });
  const iban = ((await demo.widget.getByText(/^[A-Z]{2}\d\d [\dA-Z]{4} /).textContent()) ?? '').replaceAll(' ', '');
  await expect
    .poll(async () => (await readQr(code))?.split('\n').slice(0, 8))
    .toEqual(['BCD', '002', '1', 'SCT', '', expect.any(String), iban, 'EUR50.00']);
  await expect(demo.widget.getByRole('timer')).toHaveText(/^(?:24:00:00|23:59:\d\d)$/);
  await expectAccessible(demo);
  await reloadWidget(demo, stack);
  await expect.poll(async () => (await readQr(code))?.includes(iban)).toBe(true);
  await demo.widget.getByRole('button', { name: 'I have paid' }).click();
  await expect(demo.widget.getByRole('timer')).toHaveCount(0);
  await atProvider(stack, depositId, 'pay');
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 5000n);
});
