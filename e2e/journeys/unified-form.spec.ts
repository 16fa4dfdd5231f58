import { expectAccessible, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { readQr } from '../stack/qr-reader.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

test('[DEP-5] [NAV-7] [UI-3] a transfer by requisites: shown, copied, reloaded, reported as paid, and credited', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, {
    page: 'unified-form',
    method: 'Halyk bank transfer',
    currency: 'KZT',
    country: 'KZ',
    amount: '5000',
  });
  const before = await demo.balanceAmount();
  const terms = demo.widget.getByRole('term');
  await expect(terms).toHaveText(['Account', 'Bank', 'Recipient’s name', 'Reference']);
  await expect(demo.widget.getByRole('list', { name: 'How to pay' }).getByRole('listitem')).toHaveCount(3);
  await expect(demo.widget.getByRole('timer')).toHaveText(/^(?:10:00|09:\d\d)$/);
  await expectAccessible(demo);

  const account = (await demo.widget.getByRole('definition').first().textContent()) ?? '';
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await demo.widget.getByRole('button', { name: 'Copy: Account' }).click();
  await expect(demo.widget.getByText('Copied', { exact: true })).toBeVisible();

  await reloadWidget(demo, stack);
  await expect(demo.widget.getByRole('definition').first()).toHaveText(account);
  await demo.widget.getByRole('button', { name: 'I have paid' }).click();
  await expect(demo.widget.getByRole('timer')).toHaveCount(0);
  await atProvider(stack, depositId, 'pay');
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 500_000n);
});

test('[DEP-5] a code that comes as a picture is shown whole, and the keyboard alone cancels', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await openHandPayment(demo, stack, {
    page: 'unified-form',
    method: 'Bank transfer',
    currency: 'NGN',
    country: 'NG',
    amount: '5000',
  });
  await expect
    .poll(() => readQr(demo.widget.getByRole('img', { name: 'QR code for this payment' })))
    .toBe('SANDBOX PAYMENT: NO REAL MONEY');
  await expectAccessible(demo);
  const cancel = demo.widget.getByRole('button', { name: 'Cancel deposit' });
  for (let presses = 0; presses < 20; presses += 1) {
    if (await cancel.evaluate((button) => button === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Enter');
  const sheet = demo.widget.getByRole('dialog', { name: 'Cancel this deposit?' });
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Enter');
  await sheet.getByRole('button', { name: 'Cancel deposit' }).press('Enter');
  await expect(demo.widget.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
});

test('[DEP-5] a phone whose clock is a day ahead shows the right time left, and still does when its clock is changed', async ({
  page,
  stack,
}) => {
  const offMs = 86_400_000;
  await page.clock.install({ time: Date.now() + offMs });
  const demo = new DemoPage(page);
  await openHandPayment(demo, stack, {
    page: 'unified-form',
    method: 'Halyk bank transfer',
    currency: 'KZT',
    country: 'KZ',
    amount: '5000',
  });
  const timer = demo.widget.getByRole('timer');
  const left = async () => {
    const [minutes = 0, seconds = 0] = ((await timer.textContent()) ?? '').split(':').map(Number);
    return minutes * 60 + seconds;
  };
  await expect(timer).toHaveText(/^(?:10:00|09:\d\d)$/);
  for (const jumpMs of [-2 * offMs, offMs]) {
    const before = await left();
    await page.clock.setSystemTime(Date.now() + offMs + jumpMs);
    // The next tick of the clock, before the server can answer.
    await page.clock.runFor(1000);
    await expect.poll(left, { intervals: [50] }).toBeLessThan(before);
    expect(await left()).toBeGreaterThan(before - 30);
    await expect(demo.widget.getByRole('button', { name: 'I have paid' })).toBeVisible();
  }
});

test('[DEP-5] what the answer asks for is checked at its field, refused there by the company, and then stands in its books', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, {
    page: 'unified-form',
    method: 'Bank transfer in Uzbekistan',
    currency: 'UZS',
    country: 'UZ',
    amount: '500000',
  });
  const name = demo.widget.getByRole('textbox', { name: 'Full name' });
  const digits = demo.widget.getByRole('textbox', { name: 'Last four digits of your account' });
  const paid = demo.widget.getByRole('button', { name: 'I have paid' });
  await paid.click();
  await expect(name).toBeFocused();
  await name.fill('Dilnoza Karimova');
  await digits.fill('0000');
  await paid.click();
  await expect(digits).toBeFocused();
  await expect(digits).toHaveAccessibleDescription(/This was not accepted/);
  await expect(name).toHaveValue('Dilnoza Karimova');
  await expectAccessible(demo);
  await digits.fill('4711');
  await paid.click();
  await expect(demo.widget.getByRole('timer')).toHaveCount(0);
  const books = await (await fetch(`${stack.cashierUrl}/sandbox/payments?depositId=${depositId}`)).text();
  expect(books).toContain('<dd>Dilnoza Karimova</dd>');
  expect(books).toContain('<dd>4711</dd>');
});
