import { expectAccessible, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { readQr } from '../stack/qr-reader.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test('[CRY-5] [NAV-7] an invoice of Lightning is read off the screen, is the one to copy, and pays', async ({
  page,
  stack,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 390, height: 800 });
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, {
    page: 'unified-form',
    method: 'Bitcoin Lightning',
    currency: 'BTC',
    country: 'DE',
    amount: '0.0005',
  });
  const code = demo.widget.getByRole('img', { name: 'QR code for this payment' });
  const wallet = demo.widget.getByRole('link', { name: 'Open in wallet' });
  const invoice = ((await wallet.getAttribute('href')) ?? '').replace(/^lightning:/, '');
  // Ten of the unit `n` are a satoshi.
  expect(invoice).toMatch(/^lntbs500000n1\w{150,}$/);
  await expect.poll(() => readQr(code)).toBe(`lightning:${invoice}`.toUpperCase());
  // Its two ends are shown, and the whole is copied.
  await expect(demo.widget.getByText(`${invoice.slice(0, 12)}…${invoice.slice(-6)}`)).toBeVisible();
  await demo.widget.getByRole('button', { name: 'Copy: Lightning (BOLT 11)' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(invoice);
  await expectAccessible(demo);
  await reloadWidget(demo, stack);
  await expect.poll(() => readQr(code)).toBe(`lightning:${invoice}`.toUpperCase());
  await atProvider(stack, depositId, 'pay');
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
});
