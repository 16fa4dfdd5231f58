import { expectAccessible, frameOf, openHandPayment, reloadWidget } from '../stack/hand-payment.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

const intent = {
  flow: 'peer-to-peer',
  page: 'invoice',
  method: 'Transfer to a bank account',
  currency: 'INR',
  country: 'IN',
  amount: '1500',
} as const;

test('[DEP-11] [NAV-7] a transfer to a person: details, a reload, paid, credited once', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, intent);
  const before = await demo.balanceAmount();
  const amount = demo.widget.getByText('₹1,500.00', { exact: true });
  await expect(amount).toBeVisible();
  const account = (await demo.widget.getByText(/^000000\d+/).textContent()) ?? '';
  await expectAccessible(demo);
  await reloadWidget(demo, stack);
  await expect(demo.widget.getByText(account)).toBeVisible();
  await atProvider(stack, depositId, 'pay');
  // The invoice page updates by itself, without a press of Paid.
  await expect(demo.widget.getByRole('heading', { name: 'added to your balance' })).toBeVisible();
  await expect.poll(() => demo.balanceAmount()).toBe(before + 150_000n);
});

test('[DEP-11] an open deposit is continued, and no second one is created', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, intent);
  await demo.widget.getByRole('button', { name: 'Back' }).click();
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('1700');
  await demo.widget.getByRole('button', { name: /^Deposit/ }).click();
  await expect(demo.widget.getByText('This is your unfinished deposit.')).toBeVisible();
  await expect.poll(() => new URL(frameOf(demo, stack).url()).searchParams.get('depositId')).toBe(depositId);
  await expect(demo.widget.getByText('₹1,500.00', { exact: true })).toBeVisible();
});

test('[DEP-11] a cancel ends the deposit without success; money that still arrives is shown as late', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  const depositId = await openHandPayment(demo, stack, intent);
  const before = await demo.balanceAmount();
  await demo.widget.getByRole('button', { name: 'Cancel deposit' }).press('Enter');
  await demo.widget.getByRole('dialog').getByRole('button', { name: 'Cancel deposit' }).press('Enter');
  await expect(demo.widget.getByRole('heading', { name: 'The deposit was cancelled' })).toBeVisible();
  await expect(demo.widget.getByText('If you have already paid, do not pay again.')).toBeVisible();
  await expectAccessible(demo);
  await atProvider(stack, depositId, 'pay');
  await expect(demo.widget.getByRole('heading', { name: 'The payment arrived late' })).toBeVisible();
  expect(await demo.balanceAmount()).toBe(before);
});

test('[DEP-11] an answer without a payee shows nothing to pay, informs the host and offers a way to continue', async ({
  page,
  stack,
}) => {
  const demo = new DemoPage(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await demo.choose(intent.method);
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('1500.21');
  await demo.widget.getByRole('button', { name: /^Deposit/ }).click();
  await expect(demo.widget.getByRole('heading', { name: 'We could not get the payment details' })).toBeVisible();
  await demo.widget.getByRole('button', { name: 'All methods' }).click();
  await expect(demo.widget.getByRole('heading', { name: 'Deposit method' })).toBeVisible();
});

test('[FORM-10] bKash: Paid is disabled until the receipt’s number is there', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  await openHandPayment(demo, stack, {
    ...intent,
    method: 'bKash',
    currency: 'BDT',
    country: 'BD',
    fields: { Wallet: '01700000000' },
  });
  const paid = demo.widget.getByRole('button', { name: 'I have paid' });
  await expect(paid).toBeDisabled();
  await page.setViewportSize({ width: 360, height: 640 });
  const number = demo.widget.getByRole('textbox', { name: 'Transaction ID' });
  await expect(number).not.toBeInViewport();
  await paid.press('Enter');
  await expect(number).toBeFocused();
  await expect(number).toBeInViewport({ ratio: 1 });
  await number.fill('12345678');
  await paid.click();
  await expect(demo.widget.getByRole('heading', { name: 'Your payment is being checked' })).toBeVisible();
});

test('[DEP-11] a bank is chosen with the keyboard and stands on the form', async ({ page, stack }) => {
  const demo = new DemoPage(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await demo.open(stack, { currency: 'INR', country: 'IN' });
  await demo.openCashier();
  await demo.widget.getByRole('button', { name: /^Transfer from your bank/ }).press('Enter');
  await demo.widget.getByRole('searchbox', { name: 'Search banks' }).fill('ici');
  await demo.widget.getByRole('button', { name: 'ICICI Bank' }).press('Enter');
  await expect(demo.widget.getByText('ICICI Bank')).toBeVisible();
  await demo.widget.getByRole('textbox', { name: 'Amount' }).fill('5000');
  await demo.widget.getByRole('textbox', { name: 'Amount' }).press('Enter');
  await expect(demo.widget.getByRole('timer', { name: 'Time left' })).toBeVisible();
  expect(new URL(frameOf(demo, stack).url()).pathname).toContain('/peer-to-peer/p2p_bank_in/invoice');
});
