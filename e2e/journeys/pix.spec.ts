import { expectAccessible, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { readQr } from '../stack/qr-reader.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test('[DEP-6] [CRY-5] [NAV-7] a Pix code is read off the screen, is the one to copy, and pays', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, {
    page: 'pix',
    method: 'Pix',
    currency: 'BRL',
    country: 'BR',
    amount: '100',
    fields: { CPF: '123.456.789-09' },
  });
  const before = await demo.balanceAmount();
  const code = demo.widget.getByRole('img', { name: 'QR code for this payment' });
  const shown = ((await demo.widget.getByText(/^000201/).textContent()) ?? '').trim();
  expect(shown).toMatch(/^000201.*br\.gov\.bcb\.pix.*5406100\.00.*6304[0-9A-F]{4}$/);
  await expect.poll(() => readQr(code)).toBe(shown);
  await expectAccessible(demo);
  await reloadWidget(demo, stack);
  await expect.poll(() => readQr(code)).toBe(shown);
  await demo.widget.getByRole('button', { name: 'I have paid' }).click();
  await expect(demo.widget.getByRole('timer')).toHaveCount(0);
  await atProvider(stack, depositId, 'pay');
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 10_000n);
});
