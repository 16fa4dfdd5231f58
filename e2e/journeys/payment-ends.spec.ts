/** A manual payment that is not paid in time, and the texts about money that arrives late. */
import { openHandPayment } from '../stack/hand-payment.ts';
import { HostPage } from '../stack/host-page.ts';
import { atProvider } from '../stack/sandbox-control.ts';
import { SocketLine } from '../stack/socket-line.ts';
import { DemoPage, expect, test } from '../stack/test.ts';

const transfer = {
  flow: 'peer-to-peer',
  page: 'invoice',
  method: 'Transfer to a bank account',
  currency: 'INR',
  country: 'IN',
  amount: '1500',
} as const;

for (const [action, title] of [
  ['auto-cancel', 'This deposit is closed'],
  ['expire', 'The time to pay has run out'],
] as const) {
  test(`[DEP-11] a transfer to a person that the company ends (${action}) is no success, and late money is shown as late`, async ({
    page,
    stack,
  }) => {
    const demo = new DemoPage(page);
    const depositId = await openHandPayment(demo, stack, transfer);
    const before = await demo.balanceAmount();
    await atProvider(stack, depositId, action);
    await expect(demo.widget.getByRole('heading', { name: title })).toBeVisible();
    await expect(demo.widget.getByText('If you have already paid, do not pay again.')).toBeVisible();
    await expect(demo.widget.getByText(/^000000\d+/)).toHaveCount(0);
    await atProvider(stack, depositId, 'pay');
    await expect(demo.widget.getByRole('heading', { name: 'The payment arrived late' })).toBeVisible();
    expect(await demo.balanceAmount()).toBe(before);
  });
}

const timed = [
  {
    id: '[DEP-5]',
    intent: { page: 'unified-form', method: 'Halyk bank transfer', currency: 'KZT', country: 'KZ', amount: '5000' },
  },
  {
    id: '[DEP-12]',
    intent: { flow: 'host-to-host', page: '', method: 'Elcart card', currency: 'KGS', country: 'KG', amount: '1500' },
  },
] as const;

for (const { id, intent } of timed) {
  test(`${id} the time runs out on ${intent.method}: nothing is left to pay by, and the end is the company’s`, async ({
    page,
    stack,
  }) => {
    await page.clock.install();
    const line = await SocketLine.watch(page, 'deposit-create');
    const demo = new DemoPage(page);
    const depositId = await openHandPayment(demo, stack, intent);
    const { widget } = demo;
    await expect(widget.getByRole('button', { name: 'I have paid' })).toBeVisible();
    // From here only the device's clock counts, since the server answers later.
    line.hold();
    await page.clock.fastForward('31:00');
    await expect(widget.getByRole('timer')).toHaveText('00:00');
    await expect(widget.getByRole('button', { name: 'I have paid' })).toHaveCount(0);
    await expect(widget.getByRole('button', { name: 'Cancel deposit' })).toHaveCount(0);
    await expect(widget.getByRole('button', { name: 'See status' })).toBeVisible();
    await expect(widget.getByText(/^The time to pay has run out\. Do not pay now\./)).toBeVisible();
    await atProvider(stack, depositId, 'expire');
    line.release();
    await expect(widget.getByRole('heading', { name: 'The time to pay has run out' })).toBeVisible({ timeout: 60_000 });
    await atProvider(stack, depositId, 'pay');
    await expect(widget.getByRole('heading', { name: 'The payment arrived late' })).toBeVisible({ timeout: 60_000 });
  });
}

const declines = [
  ['25.16', /The card or account does not have enough money\. Pay a smaller amount/],
  ['25.17', /The amount is above a limit on the card or account\./],
  ['25.18', /The card has expired\. Use another card/],
  ['25.19', /Check the card or account details and try again/],
  ['25.20', /The payment was not confirmed with your bank\. Try again/],
  ['25.27', /Your bank does not allow this payment\. Contact your bank/],
  // The reason "stolen card" is shown like a decline without a reason.
  ['25.28', /Nothing was added to your balance\. Contact your bank or choose another method\.$/],
] as const;

for (const [amount, words] of declines) {
  test(`[DEP-15] a payment of ${amount} is declined, and its end says why and what to change`, async ({
    page,
    stack,
    site,
  }) => {
    const host = new HostPage(page, stack, site);
    await host.open('/deposit/redirect/card');
    await host.widget.getByRole('textbox', { name: 'Amount' }).fill(amount);
    await host.widget.getByRole('button', { name: /^Deposit/ }).click();
    await expect(host.widget.getByRole('heading', { name: 'The payment did not go through' })).toBeVisible();
    await expect(host.widget.getByText(words)).toBeVisible();
    await expect(host.widget.getByRole('button', { name: 'Choose another method' })).toBeVisible();
  });
}

test('[DEP-15] [ERR-4] a decline at the create stays beside the button with what to change', async ({
  page,
  stack,
  site,
}) => {
  const host = new HostPage(page, stack, site);
  await host.open('/deposit/redirect/card');
  const amount = host.widget.getByRole('textbox', { name: 'Amount' });
  await amount.fill('25.01');
  await host.widget.getByRole('button', { name: /^Deposit/ }).click();
  const fault = host.widget.getByRole('main').getByRole('alert');
  await expect(fault).toContainText('The card or account does not have enough money. Pay a smaller amount');
  await amount.fill('25.00');
  await expect(fault).toHaveCount(0);
});
